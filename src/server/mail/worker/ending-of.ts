import type { ClaimEnd, ClaimedMessage } from '#server/mail/ledger/claims-repository.ts'
import type { SendOutcome } from '#server/mail/smtp/send-outcome.ts'
import { pauseAfter } from './retry-pauses.ts'

/** What becomes of a message after an attempt. */
export function endingOf(message: ClaimedMessage, outcome: SendOutcome, now: Date): ClaimEnd {
  const { id, claim, attempts } = message
  const end = { id, claim, at: now, failure: '', isAttempt: true }
  switch (outcome.end) {
    case 'sent':
      return { ...end, state: 'sent' }
    case 'refused':
      return { ...end, state: 'failed', failure: outcome.failure }
    case 'unknown':
      return { ...end, state: 'unknown', failure: outcome.failure }
    case 'unreached':
      return { ...end, state: 'queued', failure: outcome.trouble.sentence, at: null, isAttempt: false }
    case 'deferred': {
      const pauseMs = pauseAfter(attempts + 1)
      if (pauseMs === null) return { ...end, state: 'failed', failure: outcome.failure }
      const at = new Date(now.getTime() + pauseMs)
      return { ...end, state: 'queued', failure: outcome.failure, at }
    }
  }
}
