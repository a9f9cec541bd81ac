import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureOf } from '#web/lib/query.ts'
import { ErrorBanner } from './error-banner.tsx'
import { Skeleton } from './skeleton.tsx'

interface TabFrameProps {
  query: Pick<UseQueryResult, 'data' | 'error'>
  /** The words before the sentence of the failure. */
  failure: string
  children: ReactNode
}

/** A screen and, above it, why its data couldn't be read. */
export function TabFrame({ query, failure, children }: TabFrameProps) {
  const problem = failureOf(query)
  const client = useQueryClient()
  const readFailed = () =>
    client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
  return (
    <>
      {problem !== null && (
        <div className="mb-4">
          <ErrorBanner message={`${failure}: ${problem}`} onRetry={() => void readFailed()} />
        </div>
      )}
      {children}
    </>
  )
}

interface LoadedProps<Data> extends LoadingProps {
  query: Pick<UseQueryResult<Data>, 'data' | 'error'>
  children: (data: Data) => ReactNode
}

/** What a query has read, in a TabFrame. */
export function Loaded<Data>({ query, children, ...loading }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  return query.error === null && <Loading {...loading} />
}

/** What a query has read and, above it, why it couldn't be read. */
export function LoadedPart<Data>(props: LoadedProps<Data> & { query: Pick<UseQueryResult, 'refetch'> }) {
  const { query } = props
  const problem = failureOf(query)
  return (
    <>
      {problem !== null && <ErrorBanner message={problem} onRetry={() => void query.refetch()} />}
      <Loaded {...props} />
    </>
  )
}

interface LoadingProps {
  what: string
  lines: number
  /** The height of a line. */
  className: string
}

export function Loading({ what, lines, className }: LoadingProps) {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Loading {what}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <Skeleton key={line} className={className} />
      ))}
    </div>
  )
}
