import { loginPath } from './next-path.ts'

let ending = false

/** The address that is being read while the browser's is still the one of before. */
let destination: { path: string } | null = null

/** Reads for an address that the app is going to: a session that has ended meanwhile leads back there. */
export async function readOnTheWayTo<T>(path: string, read: () => Promise<T>): Promise<T> {
  const mine = { path }
  destination = mine
  try {
    return await read()
  } finally {
    // Another navigation may have taken over.
    if (destination === mine) destination = null
  }
}

/**
 * Leaves for the login page because the server no longer knows the session. A document load, not a
 * navigation inside the app: nothing that was read under the old session stays in the tab's memory.
 */
export function endSession(): void {
  // Several calls can fail at once; the first one goes.
  if (ending) return
  ending = true
  const { pathname, search } = window.location
  window.location.assign(loginPath({ next: destination?.path ?? `${pathname}${search}`, ended: true }))
}
