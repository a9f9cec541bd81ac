import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import { commitChange, mustExist, pick } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mustBeSame, type Submission, submissionOf } from '#server/lib/idempotency.ts'
import { decodeCursor, pageOf } from '#server/lib/paging.ts'
import { type BatchDecision, type BatchState, type MailCounts, mailSentences } from '#shared/mail/mail.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { type BatchForm, batchMessages } from '#shared/mail/mail-batch.ts'
import { batchPageSize, mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { fillSubject } from '#shared/mail/mail-placeholders.ts'
import { finishText } from '#shared/mail/mail-quota.ts'
import type { BulkRecipientResult, BulkResult } from '#shared/mail/mail-response.ts'
import type { OptOutHash } from './announcement-repository.ts'
import type { Addressee, Audiences, OptedOutOf } from './audience-service.ts'
import {
  type BatchMessage,
  countRepeatable,
  createBatchRepository,
  currentAddress,
  failedMessages,
  type NewBatch,
  type StoredBatch,
} from './batch-repository.ts'
import { enqueue, type NewMessage } from './ledger-repository.ts'
import type { BodyFormat } from './mailer.ts'
import { noCounts } from './queue-repository.ts'
import { type MailContext, mustBeConfigured, mustOfferOptOut, type PublicAddress } from './queue-service.ts'
import { formatOf } from './rendering/render.ts'
import { findStoredTemplate } from './rendering/templates.ts'

interface BatchOptions extends MailContext {
  audiences: Audiences
  optedOutOf: OptedOutOf
  optOutHash: OptOutHash
  finishOf: (batchId: string) => Promise<Date | null>
  timeZone: string
  publicAddress: PublicAddress
}

type Form = BatchForm & { bodyFormat: BodyFormat }

const maxAwaited = 20
const awaitMs = 3_000

export type Batches = ReturnType<typeof createBatches>

export function createBatches(options: BatchOptions) {
  const { database, clock, audit, mailer, audiences, optedOutOf, optOutHash, finishOf, timeZone } = options
  const { publicAddress } = options
  const { db } = database
  const batches = createBatchRepository(db)

  // The same submission again returns the first batch.
  async function startBatch(form: Form, actor: Actor, key: string | undefined) {
    if (form.template !== 'custom' && !findStoredTemplate(form.template)) {
      throw invalid('template', batchMessages.template)
    }
    const submission = submissionOf(key, form, actor.name)
    const earlier = await findEarlier(submission)
    if (earlier) return earlier
    mustBeConfigured(mailer)
    mustOfferOptOut(publicAddress)
    const started = await database.transact((tx) => writeNew(tx, form, actor, submission))
    if (started) {
      mailer.wake()
      return started
    }
    // Race: a concurrent request with the same key won.
    const first = await findEarlier(submission)
    if (!first) throw new AppError('conflict')
    return first
  }

  async function findEarlier(submission: Submission | null, on = batches): Promise<StoredBatch | undefined> {
    const earlier = submission ? await on.findByKey(submission.submissionKey) : undefined
    const isSame = !earlier || earlier.submissionHash === submission?.submissionHash
    mustBeSame(isSame, mailDecisionSentences.otherBatch)
    return earlier
  }

  async function writeNew(
    tx: Queryable,
    { subject, template, body, bodyFormat, audience, recipients: list }: Form,
    actor: Actor,
    submission: Submission | null,
  ) {
    // Security: mail of a program with a token is linked to the student records but not filled from them: a
    // placeholder in a link would send the value to the link’s owner as soon as the student opens it.
    const isFilled = actor.adminId !== null
    const found = audience
      ? await audiences.ofStudents(tx, audience)
      : await audiences.ofRecipients(tx, list, isFilled)
    if (found.addressees.length === 0) throw invalid('recipients', mailDecisionSentences.nobodyLeft)
    const id = createId()
    // The ids of a selection would be in each reading of the batch.
    const kind = audience ? (audience.ids ? 'selection' : 'students') : 'list'
    const positions = new Map(list?.recipients.map(({ email }, position) => [addressKey(email), position]))
    const optedOutPositions = found.optedOut.flatMap(({ email }) => positions.get(addressKey(email)) ?? [])
    const leftOut = {
      optedOutCount: found.optedOut.length,
      duplicateCount: found.duplicateCount,
      invalidCount: found.invalidCount,
    }
    const messageOf = ({ email, studentId, values }: Addressee): NewMessage => ({
      kind: 'bulk',
      batchId: id,
      studentId,
      recipient: email,
      subject: fillSubject(subject, values),
      content: { template: 'batch', values, position: positions.get(addressKey(email)) },
    })
    const isNew = await writeBatch(tx, audit, {
      actor,
      batch: {
        ...{ id, kind: 'bulk', subject, template, body, bodyFormat, createdAt: clock() },
        source: JSON.stringify(kind === 'students' ? { kind, audience } : { kind }),
        ...(submission ?? { submissionKey: null }),
        ...{ ...leftOut, optedOutPositions },
      },
      messages: found.addressees.map(messageOf),
      detail: { to: kind, ...givenIn(audience ?? {}), ...leftOut },
    })
    return isNew ? { id, optedOutPositions } : null
  }

  async function writeRepeat(tx: Queryable, sourceId: string, actor: Actor, key: string | undefined) {
    const stored = createBatchRepository(tx)
    // Race: the second of two concurrent repeats sees the messages of the first.
    const source = await lockedBatch(tx, sourceId)
    const submission = submissionOf(key, { repeat: sourceId }, actor.name)
    const earlier = await findEarlier(submission, stored)
    if (earlier) return earlier.id
    const failed = (await failedMessages(tx, sourceId)).map(({ studentEmail, ...message }) => ({
      ...message,
      recipient: currentAddress({ ...message, studentEmail }),
    }))
    if (failed.length === 0) throw new AppError('conflict', mailDecisionSentences.nothingFailed)
    const optedOut = await optedOutOf(
      tx,
      failed.map(({ recipient }) => addressKey(recipient)),
    )
    const left = failed.filter(({ recipient }) => !optedOut.has(addressKey(recipient)))
    if (left.length === 0) throw new AppError('conflict', mailDecisionSentences.nobodyLeft)
    const id = createId()
    const { subject, template, body, bodyFormat, announcementId } = source
    const optedOutCount = failed.length - left.length
    const isNew = await writeBatch(tx, audit, {
      actor,
      batch: {
        ...{ id, kind: 'repeat', subject, template, body, bodyFormat, announcementId, createdAt: clock() },
        ...{ source: JSON.stringify({ kind: 'repeat' }), repeatOf: sourceId, optedOutCount },
        ...(submission ?? { submissionKey: null }),
      },
      messages: left.map((message) => ({ ...message, batchId: id })),
      detail: { to: 'repeat', of: sourceId, optedOutCount },
    })
    // Race: another bulk e-mail with the same key won.
    mustBeSame(isNew, mailDecisionSentences.otherBatch)
    return id
  }

  async function present(stored: readonly StoredBatch[]) {
    if (stored.length === 0) return []
    const ids = stored.map(({ id }) => id)
    const [counts, repeatable] = await Promise.all([
      batches.counts(ids),
      countRepeatable(db, ids, optOutHash),
    ])
    return await Promise.all(
      stored.map(async (batch) => {
        const { id } = batch
        const ofBatch = counts.get(id) ?? noCounts
        const state = batchStateOf(batch.state, ofBatch)
        return {
          ...pick(batch, shownFields),
          state,
          counts: ofBatch,
          repeatableCount: repeatable.get(id) ?? 0,
          finishesAt: state === 'running' ? await finishOf(id) : null,
        }
      }),
    )
  }

  async function readBatch(id: string) {
    const stored = mustExist(await batches.find(id), mailDecisionSentences.batchNotFound)
    const [batch] = await present([stored])
    return mustExist(batch)
  }

  return {
    startBatch,

    readBatch,

    async repeatBatch(id: string, actor: Actor, key: string | undefined): Promise<string> {
      mustBeConfigured(mailer)
      mustOfferOptOut(publicAddress)
      const repeated = await database.transact((tx) => writeRepeat(tx, id, actor, key))
      mailer.wake()
      return repeated
    },

    // Idempotent. Messages that a worker has claimed are still sent.
    async changeBatch(id: string, state: BatchDecision, actor: Actor) {
      await commitChange(options, 'mail', async (tx, record) => {
        const batch = await lockedBatch(tx, id)
        if (batch.state === state) return
        if (batch.state === 'cancelled') throw new AppError('conflict', mailDecisionSentences.cancelled)
        const stored = createBatchRepository(tx)
        await stored.setState(id, state)
        const affected = state === 'cancelled' ? await stored.cancelQueued(id, clock()) : 1
        await record({ action: actions[state], actor, affected, detail: { batch: id } })
      })
      if (state === 'running') mailer.wake()
      return await readBatch(id)
    },

    async listBatches(cursor: string) {
      const rows = await batches.list(decodeCursor(cursor), batchPageSize + 1)
      const page = pageOf(rows, batchPageSize, ({ createdAt }) => createdAt)
      return { ...page, items: await present(page.items) }
    },

    // Spec §3 "Bulk result": one call, with a result for each recipient.
    async sendBulk(form: BatchForm, actor: Actor, key: string | undefined): Promise<BulkResult> {
      const recipients = form.recipients?.recipients ?? []
      const bodyFormat = formatOf(form.body)
      const { id, optedOutPositions } = await startBatch({ ...form, bodyFormat }, actor, key)
      let messages = await batches.messages(id)
      if (messages.length <= maxAwaited) {
        await Promise.all(messages.map((message) => mailer.outcomeOf(message.id, awaitMs)))
        messages = await batches.messages(id)
      }
      const optedOut = new Set(optedOutPositions)
      const byPosition = new Map(messages.map((message) => [message.position, message]))
      const ofMessages = recipients.flatMap(({ email }, position) =>
        optedOut.has(position) ? [] : [resultOf(email, byPosition.get(position))],
      )
      const invalid = (form.recipients?.invalid ?? []).map(({ text, message }) =>
        leftOutResult(text, message),
      )
      const results = [
        ...ofMessages,
        ...recipients
          .filter((_, position) => optedOut.has(position))
          .map(({ email }) => leftOutResult(email, mailDecisionSentences.optedOut)),
        ...invalid,
      ]
      const errors = results.flatMap(({ email, error }) => (error === null ? [] : [`${email}: ${error}`]))
      const { finishesAt } = await readBatch(id)
      const finish = finishesAt === null ? null : finishText(finishesAt, clock(), timeZone)
      return { ...summarize([...ofMessages, ...invalid], finish), results, errors, batchId: id }
    },
  }
}

const shownFields = [
  ...(['id', 'kind', 'subject', 'createdAt', 'createdBy', 'source', 'recipientCount'] as const),
  ...(['optedOutCount', 'duplicateCount', 'invalidCount'] as const),
]

interface BatchToWrite {
  actor: Actor
  batch: Omit<NewBatch, 'createdBy' | 'recipientCount'> & { id: string; createdAt: Date }
  messages: readonly NewMessage[]
  detail: Record<string, string | number>
}

/**
 * With its messages and its entry in the audit trail. The caller wakes the worker after the commit.
 * @returns false when this submission was stored before
 */
export async function writeBatch(
  tx: Queryable,
  audit: Audit,
  { actor, batch, messages, detail }: BatchToWrite,
): Promise<boolean> {
  const affected = messages.length
  const isNew = await createBatchRepository(tx).insert({
    ...batch,
    createdBy: actor.name,
    recipientCount: affected,
  })
  if (!isNew) return false
  await enqueue(tx, messages, batch.createdAt)
  await audit.record(tx, {
    action: 'mail-batch-started',
    actor,
    ...(batch.kind === 'announcement' ? { subject: batch.subject } : {}),
    affected,
    detail: { batch: batch.id, ...detail },
  })
  return true
}

const actions = {
  paused: 'mail-batch-paused',
  running: 'mail-batch-resumed',
  cancelled: 'mail-batch-cancelled',
} as const

async function lockedBatch(tx: Queryable, id: string): Promise<StoredBatch> {
  return mustExist(await createBatchRepository(tx).lock(id), mailDecisionSentences.batchNotFound)
}

function givenIn(filters: object): Record<string, string> {
  const entries: [string, unknown][] = Object.entries(filters)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

export function batchStateOf(decision: BatchDecision, counts: MailCounts): BatchState {
  // Cancelled after every message had ended: nothing was withheld.
  if (decision === 'cancelled') return counts.cancelled > 0 || counts.sending > 0 ? 'cancelled' : 'finished'
  return counts.queued + counts.sending > 0 ? decision : 'finished'
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
