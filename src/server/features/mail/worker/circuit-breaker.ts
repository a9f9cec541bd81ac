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
  trouble: () => MailProblem | null
  // ms; 0 for now.
  waitMs: () => number
  fail: (trouble: MailProblem) => void
  succeed: () => void
  reset: () => void
}

/** @param now ms of a monotonic clock */
export function createCircuitBreaker(now: () => number = () => performance.now()): CircuitBreaker {
  let trouble: MailProblem | null = null
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

const generalFailures = 2

export type Blockers = ReturnType<typeof createBlockers>

export function createBlockers({ circuit, clock }: { circuit: CircuitBreaker; clock: Clock }) {
  let full: { quota: 'day' | 'minute'; until: Date } | null = null
  let failuresInRow = 0

  function fullQuota(): 'day' | 'minute' | null {
    return full && clock() < full.until ? full.quota : null
  }

  return {
    noteTurn(turn: Dequeued): void {
      full =
        turn.message || !turn.fullQuota || !turn.nextAt ? null : { quota: turn.fullQuota, until: turn.nextAt }
    },

    noteOutcome(outcome: SendOutcome): void {
      if (outcome.end === 'unreached') {
        failuresInRow = 0
        // A quota may be told of at any word, also when the recipient was named.
        const { kind, sentence } = outcome.trouble
        circuit.fail({ kind, sentence: kind === 'quota' ? withoutAddresses(sentence) : sentence })
      } else if (outcome.end === 'unknown' || (outcome.end === 'deferred' && outcome.isGeneral)) {
        // A server that leaves one message after the other in doubt must not get them all.
        failuresInRow += 1
        if (failuresInRow >= generalFailures) {
          circuit.fail({ kind: 'server', sentence: withoutAddresses(outcome.failure) })
        }
      } else if (outcome.end !== 'deferred' || !outcome.isSilent) {
        // The server talked about the message: it is there, and takes others.
        failuresInRow = 0
        circuit.succeed()
      }
    },

    trouble(): string {
      const trouble = circuit.trouble()
      if (trouble) return trouble.sentence
      return fullQuota() === 'day' ? dayIsFull : ''
    },

    forNewMessage(): string {
      const trouble = circuit.trouble()
      if (trouble) return trouble.sentence
      const quota = fullQuota()
      if (quota === 'day') return dayIsFull
      return quota === 'minute' ? minuteIsFull : ''
    },
  }
}

// Privacy: a server's answer may quote the recipient.
function withoutAddresses(sentence: string): string {
  return sentence.replaceAll(/\S+@\S+/g, '…')
}

const dayIsFull = 'As many e-mails were sent in the last 24 hours as the settings allow. The others wait.'
const minuteIsFull = 'It waits for its turn: the settings allow only so many e-mails in a minute.'
