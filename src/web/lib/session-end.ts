import type { ApiProblem } from './api-problem.ts'
import { loginPath } from './next-path.ts'

// Null while the session is valid.
let refusal: ApiProblem | null = null

let isLeaving = false

interface SessionEndDeferral {
  onEnd: (sentence: string) => void
  onResume: () => void
}

const deferrals = new Set<SessionEndDeferral>()

const resumeListeners = new Set<() => void>()

/** Unsaved input keeps the page when the session ends, and the holder is notified. @returns the release */
export function deferSessionEnd(holder: SessionEndDeferral): () => void {
  deferrals.add(holder)
  return () => deferrals.delete(holder)
}

/** @returns whether the page is being left: callers get no answer */
export function endSession(problem: ApiProblem): boolean {
  refusal = problem
  for (const { onEnd } of deferrals) onEnd(problem.message)
  return leaveUnlessDeferred()
}

/** A document load, so that nothing of the old session stays in memory. */
export function leaveUnlessDeferred(): boolean {
  if (deferrals.size > 0) return false
  // Several calls can fail at once; the first one goes.
  if (isLeaving) return true
  isLeaving = true
  // Restored by the browser's Back, the page would still be waiting.
  window.addEventListener('pageshow', () => window.location.reload())
  window.location.assign(signInAgainPath())
  return true
}

export function signInAgainPath(): string {
  const { pathname, search } = window.location
  return loginPath({ next: `${pathname}${search}`, ended: true })
}

export function sessionRefusal(): ApiProblem | null {
  return refusal
}

export function resumeSession(): void {
  if (refusal === null || isLeaving) return
  refusal = null
  for (const { onResume } of deferrals) onResume()
  for (const listener of resumeListeners) listener()
}

/** @returns the cleanup */
export function onSessionResumed(listener: () => void): () => void {
  resumeListeners.add(listener)
  return () => resumeListeners.delete(listener)
}

let change: Promise<unknown> = Promise.resolve()

/**
 * Race: the notice of ended sessions may come before the call's answer. Listeners wait for
 * `ownSessionChanged` before they ask for the session, and so does each read of a screen.
 */
export function changeOwnSession<T>(call: () => Promise<T>): Promise<T> {
  const running = call()
  change = running
  return running
}

export async function ownSessionChanged(): Promise<void> {
  await Promise.allSettled([change])
}
