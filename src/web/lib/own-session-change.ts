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
