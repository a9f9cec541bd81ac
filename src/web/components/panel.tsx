import type { UseQueryResult } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { ErrorBanner } from '#web/components/error-banner.tsx'
import { failureOf } from '#web/lib/query.ts'

interface PanelProps {
  title: string
  aside?: ReactNode
  className?: string
  /** The words for a failure, which takes the place of the content with its reason. */
  whatFailed?: string
  query?: UseQueryResult
  children: ReactNode
}

/** A part of the dashboard with its own heading. */
export function Panel({ title, aside, className, whatFailed, query, children }: PanelProps) {
  const id = useId()
  const failure = query ? failureOf(query) : null
  return (
    <section aria-labelledby={id} className={clsx('rounded-box border bg-card shadow-card', className)}>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-3 border-b px-4">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </header>
      {failure === null ? (
        children
      ) : (
        <div className="p-4">
          <ErrorBanner message={`${whatFailed}: ${failure}`} onRetry={() => void query?.refetch()} />
        </div>
      )}
    </section>
  )
}
