import { validate as isUuid } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { cutPage, decodeCursor, encodeCursor } from '#server/lib/paging.ts'
import {
  type BatchDecision,
  type BatchState,
  type BatchSummary,
  type MailCounts,
  mailSentences,
} from '#shared/mail/mail.ts'
import type { BatchForm } from '#shared/mail/mail-batch.ts'
import {
  type BatchPage,
  type BulkRecipientResult,
  type BulkResult,
  batchPageSize,
  mailDecisionSentences,
} from '#shared/mail/mail-history.ts'
import { finishText } from '#shared/mail/mail-quota.ts'
import {
  type BatchMessage,
  countRepeatable,
  createBatchRepository,
  noCounts,
  type StoredBatch,
} from './batch-repository.ts'
import type { BatchStart } from './batch-service.ts'
import type { Mailer } from './mailer.ts'
import { formatOf } from './rendering/render.ts'

export type FinishOfBatch = (batchId: string) => Promise<Date | null>

interface BatchListOptions {
  db: Queryable
  finishOf: FinishOfBatch
}

export type BatchList = ReturnType<typeof createBatchList>

export function createBatchList({ db, finishOf }: BatchListOptions) {
  const batches = createBatchRepository(db)

  async function present(stored: readonly StoredBatch[]): Promise<BatchSummary[]> {
    if (stored.length === 0) return []
    const ids = stored.map(({ id }) => id)
    const [counts, repeatable] = await Promise.all([batches.counts(ids), countRepeatable(db, ids)])
    return await Promise.all(
      stored.map(async (batch) => {
        const ofBatch = counts.get(batch.id) ?? noCounts
        const isRunning = batchStateOf(batch.state, ofBatch) === 'running'
        const finishesAt = isRunning ? await finishOf(batch.id) : null
        return presentBatch(batch, ofBatch, { repeatableCount: repeatable.get(batch.id) ?? 0, finishesAt })
      }),
    )
  }

  return {
    /** @throws AppError `invalid` for an invalid cursor */
    async list(cursor: string): Promise<BatchPage> {
      const rows = await batches.list(decodeCursor(cursor), batchPageSize + 1)
      const { rows: shown, last } = cutPage(rows, batchPageSize)
      return {
        items: await present(shown),
        nextCursor: last ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
      }
    },

    /** @throws AppError `not_found` */
    async read(id: string): Promise<BatchSummary> {
      const stored = isUuid(id) ? await batches.find(id) : undefined
      const [batch] = stored ? await present([stored]) : []
      if (!batch) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
      return batch
    },
  }
}

function presentBatch(
  batch: StoredBatch,
  counts: MailCounts,
  { repeatableCount, finishesAt }: { repeatableCount: number; finishesAt: Date | null },
): BatchSummary {
  const { id, kind, subject, createdAt, createdBy, source } = batch
  const { recipientCount, optedOutCount, duplicateCount, invalidCount } = batch
  return {
    id,
    kind,
    subject,
    state: batchStateOf(batch.state, counts),
    createdAt: createdAt.toISOString(),
    createdBy,
    source,
    recipientCount,
    optedOutCount,
    duplicateCount,
    invalidCount,
    counts,
    repeatableCount,
    finishesAt: finishesAt?.toISOString() ?? null,
  }
}

export function batchStateOf(decision: BatchDecision, counts: MailCounts): BatchState {
  // Cancelled after every message had ended: nothing was withheld.
  if (decision === 'cancelled') return counts.cancelled > 0 || counts.sending > 0 ? 'cancelled' : 'finished'
  return counts.queued + counts.sending > 0 ? decision : 'finished'
}

const maxAwaited = 20
const awaitMs = 3_000

interface BulkSenderOptions {
  startBatch: BatchStart
  db: Queryable
  batchList: Pick<BatchList, 'read'>
  mailer: Pick<Mailer, 'outcomeOf'>
  clock: Clock
  timeZone: string
}

export type BulkSender = ReturnType<typeof createBulkSender>

/** Spec §3 "Bulk result": one call, with a result for each recipient. */
export function createBulkSender(options: BulkSenderOptions) {
  const { startBatch, batchList, mailer, clock, timeZone } = options
  const { messages: messagesOf } = createBatchRepository(options.db)
  /** @throws AppError what starting a bulk e-mail throws */
  return async (form: BatchForm, actor: Actor, key: string | null): Promise<BulkResult> => {
    const recipients = form.recipients?.recipients ?? []
    const { id, optedOutPositions } = await startBatch(
      { ...form, bodyFormat: formatOf(form.body) },
      { actor, key },
    )
    let messages = await messagesOf(id)
    if (messages.length <= maxAwaited) {
      await Promise.all(messages.map((message) => mailer.outcomeOf(message.id, awaitMs)))
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
    const { finishesAt } = await batchList.read(id)
    const finish = finishesAt === null ? null : finishText(finishesAt, clock(), timeZone)
    return { ...summarize(ofMessages, finish), results, errors, batchId: id }
  }
}

// Privacy: returns the address as the caller sent it, not the student’s current one.
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
