import { toAppError } from '#server/database/errors.ts'
import type { SendingContext } from '#server/features/mail/mail-context.ts'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { type ClaimEnd, type ClaimedMessage, minuteMs } from '#server/features/mail/queue-repository.ts'
import type { RenderableMessage } from '#server/features/mail/rendering/render.ts'
import { mailProblemOf, type SendOutcome } from '#server/features/mail/smtp/failures.ts'
import { type ComposedMessage, createComposer } from '#server/features/mail/smtp/message.ts'
import { asError, createSessions, type SmtpLimits } from '#server/features/mail/smtp/session.ts'
import { refusedAccountMs } from './refusals.ts'

const databaseUnavailable = 'The database did not answer while the e-mail was being prepared.'
const notPrepared = 'The e-mail could not be prepared. Please check its text and send it again.'

export function createDeliveries(context: SendingContext, limits: SmtpLimits) {
  const { log } = context
  const sessions = createSessions(limits)
  const compose = createComposer(context)

  async function transmit(
    composed: ComposedMessage,
    account: SendingAccount,
    deadline: AbortSignal,
  ): Promise<SendOutcome> {
    const session = await sessions.take(account, deadline)
    const wasUsed = session.sentCount() > 0
    const outcome = await session.send(composed, deadline)
    sessions.release(session, account)
    // A reused connection that the server had closed while idle says nothing about the message.
    const isStale = wasUsed && outcome.end === 'deferred' && outcome.isSilent
    return isStale && !deadline.aborted ? transmit(composed, account, deadline) : outcome
  }

  return {
    async deliver(
      message: RenderableMessage & { id: string },
      account: SendingAccount,
      closing: AbortSignal,
    ): Promise<SendOutcome> {
      let composed: ComposedMessage
      try {
        composed = await compose(message, account)
      } catch (error) {
        if (error instanceof Error && toAppError(error)) {
          // The school’s logo is read from the database. Nothing was sent to the mail server.
          return { end: 'deferred', failure: databaseUnavailable, isGeneral: false, isSilent: true }
        }
        log.error({ err: error, message: message.id }, 'message not rendered')
        return { end: 'refused', failure: notPrepared }
      }
      try {
        const deadline = AbortSignal.any([closing, AbortSignal.timeout(limits.messageMs)])
        return await transmit(composed, account, deadline)
      } catch (error) {
        return { end: 'unreached', problem: mailProblemOf(asError(error), account) }
      }
    },

    close: sessions.close,
  }
}

export function claimEndOf(message: ClaimedMessage, outcome: SendOutcome, now: Date): ClaimEnd {
  const { id, claim, attempts } = message
  const end = { id, claim, at: now, failure: '', isAttempt: true }
  switch (outcome.end) {
    case 'sent':
      return { ...end, state: 'sent' }
    case 'refused':
      return { ...end, state: 'failed', failure: outcome.failure }
    case 'unknown':
      return { ...end, state: 'unknown', failure: outcome.failure }
    case 'unreached': {
      const { kind, sentence: failure } = outcome.problem
      const at = kind === 'account' ? new Date(now.getTime() + refusedAccountMs) : null
      return { ...end, state: 'queued', failure, at, isAttempt: false }
    }
    case 'deferred': {
      const pauseMs = pauseAfter(attempts + 1)
      if (pauseMs === null) return { ...end, state: 'failed', failure: outcome.failure }
      const at = new Date(now.getTime() + pauseMs)
      return { ...end, state: 'queued', failure: outcome.failure, at }
    }
  }
}

// minutes: ten attempts within a day.
const retryPauses = [1, 5, 15, 60, 180, 180, 240, 300, 360]

// Spreads the retries of messages refused together.
const jitter = 0.1

/**
 * @param attempts including this one
 * @returns ms to wait; null after the last attempt
 */
export function pauseAfter(attempts: number, random: () => number = Math.random): number | null {
  const minutes = retryPauses[attempts - 1]
  return minutes === undefined ? null : Math.round(minutes * minuteMs * (1 + jitter * random()))
}
