import { toAppError } from '#server/database/errors.ts'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import {
  type CancellationsRepository,
  type ClaimedMessage,
  type ClaimsRepository,
  dayMs,
} from '#server/features/mail/queue-repository.ts'
import type { RenderMail } from '#server/features/mail/rendering/render.ts'
import { mailProblemOf, type SendOutcome } from '#server/features/mail/smtp/failures.ts'
import { type ComposedMessage, createComposer } from '#server/features/mail/smtp/message.ts'
import { asError, createSessions, type SmtpLimits } from '#server/features/mail/smtp/session.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'

interface DeliveriesOptions extends Pick<AppContext, 'clock' | 'log'> {
  render: RenderMail
  limits: SmtpLimits
  schoolName: () => string
}

const databaseUnavailable = 'The database did not answer while the e-mail was being prepared.'
const notPrepared = 'The e-mail could not be prepared. Please check its text and send it again.'

export function createDeliveries({ log, limits, ...options }: DeliveriesOptions) {
  const sessions = createSessions(limits)
  const compose = createComposer(options)

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
      message: ClaimedMessage,
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

// ms
const intervalMs = 7_500
// ms: longer than a claim or a retry delay; more is clock skew.
const longestMs = dayMs

const claimExpired =
  'The system stopped while this e-mail was being sent, so it may or may not have been delivered.'

interface ReaperOptions extends Pick<AppContext, 'clock' | 'log'> {
  claims: Pick<ClaimsRepository, 'bringForward' | 'expire'>
  cancellations: Pick<CancellationsRepository, 'cancelOfCancelled' | 'cancelOptedOut'>
}

/** Cleans up after dead workers, clock skew and concurrent decisions. */
export function createReaper({ claims, cancellations, clock, log }: ReaperOptions) {
  let ranAt = Number.NEGATIVE_INFINITY

  return async (): Promise<boolean> => {
    if (performance.now() - ranAt < intervalMs) return false
    const now = clock()
    const cancelled =
      (await cancellations.cancelOfCancelled(now)) +
      (await cancellations.cancelOptedOut(now, mailDecisionSentences.optedOut))
    await claims.bringForward(now, longestMs)
    const expired = await claims.expire(now, longestMs, claimExpired)
    ranAt = performance.now()
    if (expired > 0) log.warn({ count: expired }, 'claims expired; messages marked as unknown')
    return cancelled + expired > 0
  }
}
