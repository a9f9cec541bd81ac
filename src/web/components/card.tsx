import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title: ReactNode
  lead?: ReactNode
}

/** A titled part of a screen. */
export function Card({ title, lead, className, children, ...section }: CardProps) {
  const id = useId()
  return (
    <section
      {...section}
      aria-labelledby={id}
      className={clsx(
        'flex min-w-0 flex-col gap-4 rounded-box border bg-card p-4 shadow-card sm:p-5',
        className,
      )}
    >
      <div>
        <h2 id={id} className="flex items-center gap-3 text-lg font-semibold">
          {title}
        </h2>
        {lead && <p className="mt-1 text-sm text-muted">{lead}</p>}
      </div>
      {children}
    </section>
  )
}

/** A part of a screen without a frame. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
