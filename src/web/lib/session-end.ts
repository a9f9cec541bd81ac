import { loginPath } from './next-path.ts'

let ending = false

/**
 * Leaves for the login page because the server no longer knows the session. A document load, not a
 * navigation inside the app: nothing that was read under the old session stays in the tab's memory.
 */
export function endSession(): void {
  // Several calls can fail at once; the first one goes.
  if (ending) return
  ending = true
  const { pathname, search } = window.location
  window.location.assign(loginPath({ next: `${pathname}${search}`, ended: true }))
}
