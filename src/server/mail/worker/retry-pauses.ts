const minuteMs = 60_000

/** How long a message waits after each temporary refusal, in minutes: ten attempts within a day. */
const messagePauses = [1, 5, 15, 60, 180, 180, 240, 300, 360]

/** Those that were refused together don't come back together. */
const jitter = 0.1

/**
 * When a message that was refused for now is tried again.
 *
 * @param attempts how many there were, this one included
 * @returns milliseconds to wait; null when it was tried often enough
 */
export function pauseAfter(attempts: number, random: () => number = Math.random): number | null {
  const minutes = messagePauses[attempts - 1]
  return minutes === undefined ? null : Math.round(minutes * minuteMs * (1 + jitter * random()))
}
