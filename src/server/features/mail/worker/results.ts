import { codeOf } from '#server/database/errors.ts'
import {
  type ClaimEnd,
  type ClaimedMessage,
  createClaimsRepository,
} from '#server/features/mail/queue-repository.ts'
import type { Outcomes } from '#server/features/mail/queue-service.ts'
import type { SendOutcome } from '#server/features/mail/smtp/failures.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { sleep } from '#server/lib/scheduler.ts'
import type { CircuitBreaker } from './circuit-breaker.ts'
import { claimEndOf } from './deliveries.ts'

// ms, between the tries to store a result.
const minWriteRetryMs = 100
const maxWriteRetryMs = 2_000

interface ResultsOptions extends Pick<AppContext, 'db' | 'log' | 'clock' | 'closing'> {
  breaker: CircuitBreaker
  outcomes: Outcomes
  isInFlight: (id: string) => boolean
  announce: () => void
}

/** How an attempt ended: stored, told to those who wait, and counted for or against the mail server. */
export function createResults(options: ResultsOptions) {
  const { db, log, clock, closing, breaker, outcomes, isInFlight, announce } = options
  const claims = createClaimsRepository(db)
  let mayRetry = true

  // Retries while the database is down: sent mail must be recorded as sent.
  async function write(end: ClaimEnd): Promise<void> {
    for (let pauseMs = minWriteRetryMs; ; pauseMs = Math.min(maxWriteRetryMs, pauseMs * 2)) {
      try {
        await claims.end(end)
        return
      } catch (error) {
        log.warn({ code: codeOf(error), message: end.id }, 'message result not stored; trying again')
        if (!mayRetry) return
        await sleep(pauseMs)
      }
    }
  }

  function noteOutcome(outcome: SendOutcome): void {
    const before = breaker.problem()
    breaker.noteOutcome(outcome)
    const problem = breaker.problem()
    if (problem?.kind !== before?.kind) {
      // The log has only the kind of the problem: the sentence quotes the server, and servers quote addresses.
      if (problem) log.warn({ kind: problem.kind }, 'mail server unavailable; trying again later')
      else log.info('mail server available again')
    }
    if (problem) outcomes.reportBlocker(isInFlight)
  }

  return {
    async settle(message: ClaimedMessage, outcome: SendOutcome, isOldAccount: () => boolean): Promise<void> {
      const end = claimEndOf(message, outcome, clock())
      const wasInterrupted = closing.aborted && outcome.end === 'deferred'
      if (wasInterrupted || (isOldAccount() && outcome.end === 'unreached')) {
        await write({ ...end, failure: '', at: null, isAttempt: false })
        return
      }
      await write(end)
      // Race: also while the result was being stored.
      if (!isOldAccount()) noteOutcome(outcome)
      outcomes.notify(message.id, { state: end.state, failure: end.failure })
      announce()
    },

    giveUp(): void {
      mayRetry = false
    },
  }
}
