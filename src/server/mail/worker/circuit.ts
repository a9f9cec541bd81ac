import type { MailTrouble } from '#server/mail/smtp/send-outcome.ts'

/** First and longest pause by what is the matter, in milliseconds. */
const pauses: Record<MailTrouble['kind'], { first: number; longest: number }> = {
  connection: { first: 5_000, longest: 300_000 },
  server: { first: 5_000, longest: 300_000 },
  encryption: { first: 30_000, longest: 300_000 },
  // Only somebody can mend these, and too many tries get an account locked.
  'sign-in': { first: 60_000, longest: 1_800_000 },
  sender: { first: 30_000, longest: 300_000 },
  quota: { first: 900_000, longest: 3_600_000 },
}

/** Whether it makes sense to try: after a failure nothing is sent for a while, and then one message is tried. */
export interface Circuit {
  /** Why nothing goes out; null when it does. Holds until a message got through. */
  trouble: () => MailTrouble | null
  /** Milliseconds until the next try; 0 for now. */
  waitMs: () => number
  /** Notes a failure and pauses, longer each time. */
  fail: (trouble: MailTrouble) => void
  /** The server takes mail. */
  succeed: () => void
  /** Lets the next try come at once: the account has changed. */
  reset: () => void
}

/** @param now milliseconds of a clock that nobody sets */
export function createCircuit(now: () => number = () => performance.now()): Circuit {
  let trouble: MailTrouble | null = null
  let failures = 0
  let openUntil = 0

  function reset(): void {
    trouble = null
    failures = 0
    openUntil = 0
  }

  return {
    trouble: () => trouble,
    waitMs: () => Math.max(0, openUntil - now()),
    fail(found) {
      // Several connections that fail at the same time are one failure.
      if (trouble && now() < openUntil) return
      const { first, longest } = pauses[found.kind]
      openUntil = now() + Math.min(longest, first * 2 ** failures)
      failures += 1
      trouble = found
    },
    succeed: reset,
    reset,
  }
}
