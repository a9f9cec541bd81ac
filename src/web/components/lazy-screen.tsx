import { type ReactNode, Suspense } from 'react'
import { Controls } from './controls.tsx'

/** A screen whose scripts are fetched when it is opened. They may come later than the page's: its controls wait. */
export function LazyScreen({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<div aria-busy="true" className="min-h-screen" />}>
      <Controls>{children}</Controls>
    </Suspense>
  )
}
