import { runAfter } from '#web/lib/timers.ts'

// In ms. A database of Safari sometimes never answers.
const patienceMs = 3_000

/**
 * Reads or changes what a browser keeps. It may refuse: in a private window, with all cookies blocked, without room.
 * @returns undefined where it refuses or does not answer
 */
export function fromStorage<T>(act: () => Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const stop = runAfter(patienceMs, () => resolve(undefined))
    const done = (answer?: T) => {
      stop()
      resolve(answer)
    }
    act().then(done, () => done())
  })
}
