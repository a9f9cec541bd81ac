import { loginPath } from './next-path.ts'

let ending = false

/** The address that is being read while the browser's is still the one of before. */
let destination: { path: string } | null = null

/** Called in place of leaving, while something typed would be lost; see `holdSessionEnd`. */
const holders = new Set<() => void>()

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
 * While something typed isn't saved, an ended session doesn't leave the page: `onEnd` is told instead, and
 * says what to do.
 *
 * @returns how to let go; the next call that the server refuses leaves then
 */
export function holdSessionEnd(onEnd: () => void): () => void {
  holders.add(onEnd)
  return () => holders.delete(onEnd)
}

/**
 * Leaves for the login page because the server no longer knows the session. A document load, not a
 * navigation inside the app: nothing that was read under the old session stays in the tab's memory.
 */
export function endSession(): void {
  if (holders.size > 0) {
    for (const onEnd of holders) onEnd()
    return
  }
  // Several calls can fail at once; the first one goes.
  if (ending) return
  ending = true
  const { pathname, search } = window.location
  window.location.assign(loginPath({ next: destination?.path ?? `${pathname}${search}`, ended: true }))
}
