import { type ReactNode, Suspense } from 'react'
import { Controls } from './controls.tsx'

/** Its scripts may load after the page's. */
export function LazyScreen({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<div aria-busy="true" className="min-h-screen" />}>
      <Controls>{children}</Controls>
    </Suspense>
  )
}
