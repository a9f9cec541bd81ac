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
}

export interface CircuitBreaker {
  problem: () => MailProblem | null
  // ms; 0 for now.
  waitMs: () => number
  fail: (problem: MailProblem) => void
  succeed: () => void
  reset: () => void
}

/** @param now ms of a monotonic clock */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  let problem: MailProblem | null = null
  let failures = 0
  let openUntil = 0

  function reset(): void {
    problem = null
    failures = 0
    openUntil = 0
  }

  return {
    problem: () => problem,
    waitMs: () => Math.max(0, openUntil - now()),
    fail(next) {
      // Several connections that fail at the same time are one failure.
      if (problem && now() < openUntil) return
      const { first, longest } = pauses[next.kind]
      openUntil = now() + Math.min(longest, first * 2 ** failures)
      failures += 1
      problem = next
    },
    succeed: reset,
    reset,
  }
}

const maxFailuresInRow = 2

export type Blockers = ReturnType<typeof createBlockers>

export function createBlockers({ circuitBreaker, clock }: { circuitBreaker: CircuitBreaker; clock: Clock }) {
  let full: { quota: 'day' | 'minute'; until: Date } | null = null
  let failuresInRow = 0

  function fullQuota(): 'day' | 'minute' | null {
    return full && clock() < full.until ? full.quota : null
  }

  return {
    noteDequeued(dequeued: Dequeued): void {
      full =
        dequeued.message || !dequeued.fullQuota || !dequeued.nextAt
          ? null
          : { quota: dequeued.fullQuota, until: dequeued.nextAt }
    },

    noteOutcome(outcome: SendOutcome): void {
      if (outcome.end === 'unreached') {
        failuresInRow = 0
        // A quota error may answer any command, also RCPT, and then quote the recipient.
        const { kind, sentence } = outcome.problem
        circuitBreaker.fail({ kind, sentence: kind === 'quota' ? withoutAddresses(sentence) : sentence })
      } else if (outcome.end === 'unknown' || (outcome.end === 'deferred' && outcome.isGeneral)) {
        // Otherwise a server that never confirms would leave every message with an unknown result.
        failuresInRow += 1
        if (failuresInRow >= maxFailuresInRow) {
          circuitBreaker.fail({ kind: 'server', sentence: withoutAddresses(outcome.failure) })
        }
      } else if (outcome.end !== 'deferred' || !outcome.isSilent) {
        // An answer about this message shows that the server is up.
        failuresInRow = 0
        circuitBreaker.succeed()
      }
    },

    problem(): string {
      const problem = circuitBreaker.problem()
      if (problem) return problem.sentence
      return fullQuota() === 'day' ? dailyLimitReached : ''
    },

    forNewMessage(): string {
      const problem = circuitBreaker.problem()
      if (problem) return problem.sentence
      const quota = fullQuota()
      if (quota === 'day') return dailyLimitReached
      return quota === 'minute' ? minuteLimitReached : ''
    },
  }
}

// Privacy: a server's answer may quote the recipient.
function withoutAddresses(sentence: string): string {
  return sentence.replaceAll(/\S+@\S+/g, '…')
}

const dailyLimitReached = 'The e-mail limit for 24 hours is reached. The other e-mails are sent later.'
const minuteLimitReached = 'The e-mail limit per minute is reached. No action is needed.'
