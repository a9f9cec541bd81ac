import { type ReactNode, Suspense } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'

/**
 * A screen whose scripts are fetched when it is opened. Until they have come nothing in it can be pressed or typed,
 * because it would be lost.
 */
export function LazyScreen({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<div aria-busy="true" className="min-h-screen" />}>
      <Controls>{children}</Controls>
    </Suspense>
  )
}

/** Inside the boundary, whose scripts may come later than the page's. */
function Controls({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={!useHydrated()} className="contents">
      {children}
    </fieldset>
  )
}
