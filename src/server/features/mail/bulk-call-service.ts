import type { Staff } from '#server/lib/actor.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import type { BatchForm } from '#shared/mail/mail-batch.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { finishText } from '#shared/mail/mail-quota.ts'
import type { BulkRecipientResult, BulkResult } from '#shared/mail/mail-response.ts'
import { type BatchMessage, createBatchRepository } from './batch-repository.ts'
import type { Batches } from './batch-service.ts'
import type { BatchStarts } from './batch-start-service.ts'
import type { MailContext } from './mail-context.ts'
import { formatOf } from './rendering/render.ts'

const maxAwaited = 20

export type BulkCall = ReturnType<typeof createBulkCall>

export function createBulkCall(
  { database, clock, mailer, timeZone }: MailContext,
  { startBatch }: Pick<BatchStarts, 'startBatch'>,
  { readBatch }: Pick<Batches, 'readBatch'>,
) {
  const batches = createBatchRepository(database.db)

  // A call answers with a result for each recipient (product 27.3).
  return async function sendBulk(
    form: BatchForm,
    actor: Staff,
    key: string | undefined,
  ): Promise<BulkResult> {
    const recipients = form.recipients?.recipients ?? []
    const bodyFormat = formatOf(form.body)
    const { id, optedOutPositions } = await startBatch({ ...form, bodyFormat }, actor, key)
    let messages = await batches.messages(id)
    if (messages.length <= maxAwaited) {
      await Promise.all(messages.map((message) => mailer.outcomeOf(message.id)))
      messages = await batches.messages(id)
    }
    const optedOut = new Set(optedOutPositions)
    const byPosition = new Map(messages.map((message) => [message.position, message]))
    const ofMessages = recipients.flatMap(({ email }, position) =>
      optedOut.has(position) ? [] : [resultOf(email, byPosition.get(position))],
    )
    const invalid = (form.recipients?.invalid ?? []).map(({ text, message }) => leftOutResult(text, message))
    const results = [
      ...ofMessages,
      ...recipients
        .filter((_, position) => optedOut.has(position))
        .map(({ email }) => leftOutResult(email, mailDecisionSentences.optedOut)),
      ...invalid,
    ]
    const errors = results.flatMap(({ email, error }) => (error === null ? [] : [`${email}: ${error}`]))
    const { finishesAt } = await readBatch(id, actor)
    const finish = finishesAt === null ? null : finishText(finishesAt, clock(), timeZone)
    return { ...summarize([...ofMessages, ...invalid], finish), results, errors, batchId: id }
  }
}

// Privacy: returns the address as the caller sent it, not the student’s current one.
function resultOf(email: string, message: BatchMessage | undefined): BulkRecipientResult {
  if (!message) return { email, success: false, error: mailDecisionSentences.notFound, state: 'deleted' }
  const { state, failure } = message
  const hasEndedBadly = state === 'failed' || state === 'unknown' || state === 'cancelled'
  const error = hasEndedBadly ? failure || mailSentences.failedToSend : null
  return { email, success: state === 'sent', error, state }
}

function leftOutResult(email: string, error: string): BulkRecipientResult {
  return { email, success: false, error, state: 'left-out' }
}

function summarize(results: readonly BulkRecipientResult[], finish: string | null) {
  const counted = results.filter(({ state }) => state !== 'deleted')
  const sent = counted.filter(({ success }) => success).length
  const waiting = results.filter(({ state }) => state === 'queued' || state === 'sending').length
  if (waiting > 0) {
    const until = finish === null ? '' : ` Sending finishes ${finish}.`
    return { success: true, message: `${waiting} of ${counted.length} emails are queued.${until}` }
  }
  const reason = results.find(({ error }) => error !== null)?.error
  if (sent === 0) return { success: false, message: mailSentences.failedEmails(reason ?? '') }
  return { success: true, message: mailSentences.sentSome(sent, counted.length) }
}
