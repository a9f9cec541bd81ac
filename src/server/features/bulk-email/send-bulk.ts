import type { Actor } from '#server/actor.ts'
import type { Clock } from '#server/clock.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { formatOf } from '#server/mail/rendering/body-format.ts'
import { finishText } from '#shared/finish-text.ts'
import { mailSentences } from '#shared/mail.ts'
import type { BatchForm } from '#shared/mail-batch.ts'
import { type BulkRecipientResult, type BulkResult, mailDecisionSentences } from '#shared/mail-history.ts'
import type { BatchReadings } from './batch-readings.ts'
import type { BatchMessage } from './batch-repository.ts'
import type { BatchStart } from './start-batch.ts'

/** Lists so short that their sender waits for what becomes of them, and for how long at most. */
const waitedFor = 20
const waitMs = 3_000

interface BulkSenderOptions {
  startBatch: BatchStart
  /** The messages of a batch in the order of its list. */
  messagesOf: (batchId: string) => Promise<BatchMessage[]>
  readings: Pick<BatchReadings, 'read'>
  mailer: Pick<Mailer, 'outcomeOf'>
  clock: Clock
  /** The program's. */
  timeZone: string
}

export type BulkSender = ReturnType<typeof createBulkSender>

/** Bulk e-mails as programs of the specification send them: in one call, with a result for each recipient. */
export function createBulkSender(options: BulkSenderOptions) {
  const { startBatch, messagesOf, readings, mailer, clock, timeZone } = options
  /** @throws AppError what starting a bulk e-mail throws */
  return async (form: BatchForm, actor: Actor, key: string | null): Promise<BulkResult> => {
    const recipients = form.recipients?.recipients ?? []
    const { id, optedOutPositions } = await startBatch(
      { ...form, bodyFormat: formatOf(form.body) },
      { actor, key },
    )
    let messages = await messagesOf(id)
    if (messages.length <= waitedFor) {
      await Promise.all(messages.map((message) => mailer.outcomeOf(message.id, waitMs)))
      messages = await messagesOf(id)
    }
    const optedOut = new Set(optedOutPositions)
    const byPosition = new Map(messages.map((message) => [message.position, message]))
    const ofMessages = recipients.flatMap(({ email }, position) =>
      optedOut.has(position) ? [] : [resultOf(email, byPosition.get(position))],
    )
    const results = [
      ...ofMessages,
      ...recipients
        .filter((_, position) => optedOut.has(position))
        .map(({ email }) => leftOut(email, mailDecisionSentences.optedOut)),
      ...(form.recipients?.invalid ?? []).map(({ text, message }) => leftOut(text, message)),
    ]
    const errors = results.flatMap(({ email, error }) => (error === null ? [] : [`${email}: ${error}`]))
    const { finishesAt } = await readings.read(id)
    const finish = finishesAt === null ? null : finishText(finishesAt, clock(), timeZone)
    return { ...summarize(ofMessages, finish), results, errors, batchId: id }
  }
}

/** @param email as the program knows it: a student's new address is none of its business */
function resultOf(email: string, message: BatchMessage | undefined): BulkRecipientResult {
  if (!message) return { email, success: false, error: mailDecisionSentences.notFound, state: 'deleted' }
  const { state, failure } = message
  const hasEndedBadly = state === 'failed' || state === 'unknown' || state === 'cancelled'
  return {
    email,
    success: state === 'sent',
    error: hasEndedBadly ? failure || mailSentences.failedToSend : null,
    state,
  }
}

function leftOut(email: string, error: string): BulkRecipientResult {
  return { email, success: false, error, state: 'left-out' }
}

/**
 * Whether it went well, and the sentence: how many were sent where that is known, else that they wait.
 *
 * @param finish when the last of them will go out, in words; null when nobody can tell
 */
function summarize(results: readonly BulkRecipientResult[], finish: string | null) {
  const known = results.filter(({ state }) => state !== 'deleted')
  const sent = known.filter(({ success }) => success).length
  const waiting = results.filter(({ state }) => state === 'queued' || state === 'sending').length
  if (waiting > 0) {
    const until = finish === null ? '' : ` The last of them will be sent ${finish}.`
    return { success: true, message: `${waiting} of ${known.length} emails are queued.${until}` }
  }
  const reason = results.find(({ error }) => error !== null)?.error
  if (sent === 0) return { success: false, message: mailSentences.failedEmails(reason ?? '') }
  return { success: true, message: mailSentences.sentSome(sent, known.length) }
}
