import type { ReactNode } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'

/** Disabled until scripts run: input would be lost. Links work before. */
export function Controls({ children }: { children: ReactNode }) {
  const isHydrated = useHydrated()
  return (
    <fieldset
      role="none"
      disabled={!isHydrated}
      data-waiting={isHydrated ? undefined : ''}
      className="contents"
    >
      {children}
    </fieldset>
  )
}
