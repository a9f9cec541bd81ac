import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'

// Stays whole on paper.
export function StatisticsCard({
  title,
  aside,
  className,
  children,
}: {
  title: string
  aside?: ReactNode
  className?: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={clsx(
        'flex min-w-0 break-inside-avoid flex-col rounded-box border bg-card p-4 shadow-card print:shadow-none',
        className,
      )}
    >
      <header className="mb-3 flex min-h-6 flex-wrap items-baseline justify-between gap-x-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
