import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { failureOf, useReadAgain } from '#web/lib/query.ts'
import { ErrorBanner } from './error-banner.tsx'

interface TabFrameProps {
  query: Pick<UseQueryResult, 'data' | 'error'>
  /** Before the sentence of the failure. */
  failure: string
  children: ReactNode
}

/** A screen and, above it, why its data couldn't be read. */
export function TabFrame({ query, failure, children }: TabFrameProps) {
  const problem = failureOf(query)
  const readAgain = useReadAgain()
  return (
    <>
      {problem !== null && (
        <div className="mb-4">
          <ErrorBanner message={`${failure}: ${problem}`} onRetry={() => void readAgain()} />
        </div>
      )}
      {children}
    </>
  )
}
