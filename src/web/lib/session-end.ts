import type { ApiProblem } from './api-problem.ts'
import { loginPath } from './next-path.ts'

/** What the server said when it no longer knew the session; null while it does, as far as is known here. */
let refusal: ApiProblem | null = null

let isLeaving = false

/** The address that is being read while the browser's is still the one of before. */
let destination: { path: string } | null = null

interface Holder {
  /** Called in place of leaving. @param sentence what the server said */
  onEnd: (sentence: string) => void
  /** Somebody is signed in again. */
  onResume: () => void
}

/** Whoever has something typed that leaving would lose; see `holdSessionEnd`. */
const holders = new Set<Holder>()

const resumeListeners = new Set<() => void>()

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
 * While something typed isn't saved, an ended session doesn't leave the page: the holder is told instead, and says what
 * to do.
 *
 * @returns how to let go; the next call after that leaves
 */
export function holdSessionEnd(holder: Holder): () => void {
  holders.add(holder)
  return () => holders.delete(holder)
}

/**
 * The server no longer knows the session.
 *
 * @returns whether the page is being left: nobody waits for an answer any more
 */
export function endSession(said: ApiProblem): boolean {
  refusal = said
  for (const { onEnd } of holders) onEnd(said.message)
  return leaveUnlessHeld()
}

/**
 * Leaves for the login page when nothing typed would be lost. A document load, not a navigation inside the app: nothing
 * that was read under the old session stays in the tab's memory.
 */
export function leaveUnlessHeld(): boolean {
  if (holders.size > 0) return false
  // Several calls can fail at once; the first one goes.
  if (isLeaving) return true
  isLeaving = true
  // Brought to life again by the browser's Back it would still be waiting.
  window.addEventListener('pageshow', () => window.location.reload())
  window.location.assign(signInAgainPath())
  return true
}

/** The login page's address that says why, and leads back to where the page is or was going. */
export function signInAgainPath(): string {
  const { pathname, search } = window.location
  return loginPath({ next: destination?.path ?? `${pathname}${search}`, ended: true })
}

/** What the server said at the end of the session; null while there is one. */
export function sessionRefusal(): ApiProblem | null {
  return refusal
}

/** Somebody is signed in again: here after a pause of the connection, or in another tab. */
export function resumeSession(): void {
  if (refusal === null || isLeaving) return
  refusal = null
  for (const { onResume } of holders) onResume()
  for (const listener of resumeListeners) listener()
}

/** Calls back when somebody is signed in again. @returns how to stop */
export function onSessionResumed(listener: () => void): () => void {
  resumeListeners.add(listener)
  return () => resumeListeners.delete(listener)
}

let change: Promise<unknown> = Promise.resolve()

/**
 * Runs a call that gives this browser's session another cookie. The notice that sessions have ended may come before
 * the call's answer: whoever hears it waits for `ownSessionChanged` before asking who is signed in.
 */
export function changeOwnSession<T>(call: () => Promise<T>): Promise<T> {
  const running = call()
  change = running
  return running
}

/** Waits for such a call that is under way. */
export async function ownSessionChanged(): Promise<void> {
  await Promise.allSettled([change])
}
