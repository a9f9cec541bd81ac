import type { ReactNode } from 'react'
import { useHydrated } from '#web/lib/hydrated.ts'

/**
 * Controls that act by script: until the scripts run nothing in them can be pressed or typed, because it would be
 * lost. Links work before. What waits looks as it will (app.css): it is a matter of a moment.
 */
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
