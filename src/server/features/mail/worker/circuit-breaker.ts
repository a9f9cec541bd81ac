import type { MailProblem, SendOutcome } from '#server/features/mail/smtp/failures.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Dequeued } from './dequeue.ts'

// ms
const pauses: Record<MailProblem['kind'], { first: number; longest: number }> = {
  connection: { first: 5_000, longest: 300_000 },
  server: { first: 5_000, longest: 300_000 },
  encryption: { first: 30_000, longest: 300_000 },
  // Only a user can correct these, and too many tries get an account locked.
  'sign-in': { first: 60_000, longest: 1_800_000 },
  sender: { first: 30_000, longest: 300_000 },
  quota: { first: 900_000, longest: 3_600_000 },
  account: { first: 900_000, longest: 3_600_000 },
}

const maxFailuresInRow = 2
const mayQuote: ReadonlySet<MailProblem['kind']> = new Set(['quota', 'account'])

interface CircuitBreakerOptions {
  clock: Clock
  // ms of a monotonic clock.
  now?: () => number
}

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>

export function createCircuitBreaker({ clock, now = () => performance.now() }: CircuitBreakerOptions) {
  let problem: MailProblem | null = null
  let failures = 0
  let openUntil = 0
  // Messages without a clear answer.
  let failuresInRow = 0
  let full: { quota: 'day' | 'minute'; until: Date } | null = null

  function fail(next: MailProblem): void {
    // Several connections that fail at the same time are one failure.
    if (problem && now() < openUntil) return
    const { first, longest } = pauses[next.kind]
    openUntil = now() + Math.min(longest, first * 2 ** failures)
    failures += 1
    problem = next
  }

  function reset(): void {
    problem = null
    failures = 0
    openUntil = 0
    failuresInRow = 0
  }

  return {
    problem: () => problem,
    // ms; 0 for now.
    waitMs: () => Math.max(0, openUntil - now()),
    reset,

    noteDequeued(dequeued: Dequeued): void {
      const { fullQuota, nextAt } = dequeued.message ? { fullQuota: null, nextAt: null } : dequeued
      full = fullQuota && nextAt ? { quota: fullQuota, until: nextAt } : null
    },

    noteOutcome(outcome: SendOutcome): void {
      if (outcome.end === 'unreached') {
        failuresInRow = 0
        // Such an answer may come to any command, also RCPT, and then quote the recipient.
        const { kind, sentence } = outcome.problem
        fail({
          kind,
          sentence: mayQuote.has(kind) ? withoutAddresses(sentence) : sentence,
        })
      } else if (outcome.end === 'unknown' || (outcome.end === 'deferred' && outcome.isGeneral)) {
        // Otherwise a server that never confirms would leave every message with an unknown result.
        failuresInRow += 1
        if (failuresInRow >= maxFailuresInRow) {
          fail({ kind: 'server', sentence: withoutAddresses(outcome.failure) })
        }
      } else if (outcome.end !== 'deferred' || !outcome.isSilent) {
        // An answer about this message shows that the server is up.
        reset()
      }
    },

    /** Why nothing is sent; '' while mail is sent. The quota per minute is a reason for a new message only. */
    reason(isForNewMessage = false): string {
      if (problem) return problem.sentence
      if (!full || clock() >= full.until) return ''
      if (full.quota === 'day') return dailyLimitReached
      return isForNewMessage ? minuteLimitReached : ''
    },
  }
}

// Privacy: a server's answer may quote the recipient.
function withoutAddresses(sentence: string): string {
  return sentence.replaceAll(/(?<!\S)\S+@\S+/g, '…')
}

const dailyLimitReached = 'The e-mail limit for 24 hours is reached. The other e-mails are sent later.'
const minuteLimitReached = 'The e-mail limit per minute is reached. No action is needed.'
