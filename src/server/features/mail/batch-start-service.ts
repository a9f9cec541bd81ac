import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import { type Actor, type Staff, senderOf } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mustBeSame, type Submission, submissionOf } from '#server/lib/idempotency.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { type BatchForm, batchMessages } from '#shared/mail/mail-batch.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { fillSubject } from '#shared/mail/mail-placeholders.ts'
import type { Addressee, Audiences, OptedOutOf } from './audience-service.ts'
import {
  createBatchRepository,
  currentAddress,
  failedMessages,
  type NewBatch,
  type StoredBatch,
} from './batch-repository.ts'
import { lockedBatch } from './batch-service.ts'
import { enqueue, type NewMessage } from './ledger-repository.ts'
import type { BodyFormat } from './mailer.ts'
import { type MailContext, mustBeConfigured, mustOfferOptOut, type PublicAddress } from './queue-service.ts'
import { findStoredTemplate } from './rendering/templates.ts'

interface BatchStartOptions extends MailContext {
  audiences: Audiences
  optedOutOf: OptedOutOf
  publicAddress: PublicAddress
}

// Within so many ms, the same words to the same people are a mistake.
const sameWordsMs = 10 * 60_000

type Form = BatchForm & { bodyFormat: BodyFormat }

export type BatchStarts = ReturnType<typeof createBatchStarts>

export function createBatchStarts(options: BatchStartOptions) {
  const { database, clock, audit, mailer, audiences, optedOutOf, publicAddress } = options
  const batches = createBatchRepository(database.db)

  // The same submission again returns the first batch.
  async function startBatch(form: Form, actor: Staff, key: string | undefined) {
    if (form.template !== 'custom' && !findStoredTemplate(form.template)) {
      throw invalid('template', batchMessages.template)
    }
    const submission = submissionOf(key, form, senderOf(actor))
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
    actor: Staff,
    submission: Submission | null,
  ) {
    // Security: mail of a program with a token is linked to the student records but not filled from them: a
    // placeholder in a link would send the value to the link’s owner as soon as the student opens it.
    const isFilled = actor.adminId !== null
    const { access } = actor
    const stored = createBatchRepository(tx)
    await stored.lockWords({ subject, body })
    const found = audience
      ? await audiences.ofStudents(tx, audience, access)
      : await audiences.ofRecipients(tx, list, { access, isFilled })
    if (found.addressees.length === 0) throw invalid('recipients', mailDecisionSentences.nobodyLeft)
    await mustBeFirst(stored, { subject, body, addressees: found.addressees, actor })
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
        id,
        kind: 'bulk',
        subject,
        template,
        body,
        bodyFormat,
        createdAt: clock(),
        source: JSON.stringify(kind === 'students' ? { kind, audience } : { kind }),
        ...(submission ?? { submissionKey: null }),
        ...leftOut,
        optedOutPositions,
      },
      messages: found.addressees.map(messageOf),
      detail: { to: kind, ...givenIn(audience ?? {}), ...leftOut },
    })
    return isNew ? { id, optedOutPositions } : null
  }

  /**
   * Two people of an office may both do what was agreed on: the students would get it twice. A program decides itself.
   * @throws AppError `conflict`
   */
  async function mustBeFirst(
    stored: ReturnType<typeof createBatchRepository>,
    {
      subject,
      body,
      addressees,
      actor,
    }: Pick<Form, 'subject' | 'body'> & { addressees: readonly Addressee[]; actor: Staff },
  ) {
    if (actor.adminId === null) return
    const now = clock().getTime()
    const words = { subject, body, createdById: actor.adminId }
    const addresses = addressees.map(({ email }) => addressKey(email))
    const same = await stored.findSameWords(words, addresses, new Date(now - sameWordsMs))
    if (!same) return
    const minutes = Math.floor((now - same.createdAt.getTime()) / 60_000)
    throw new AppError('conflict', mailDecisionSentences.sentByOther(same.creator, same.count, minutes))
  }

  async function writeRepeat(tx: Queryable, sourceId: string, actor: Staff, key: string | undefined) {
    const stored = createBatchRepository(tx)
    // Race: the second of two concurrent repeats sees the messages of the first.
    const source = await lockedBatch(tx, sourceId, actor)
    const submission = submissionOf(key, { repeat: sourceId }, senderOf(actor))
    const earlier = await findEarlier(submission, stored)
    if (earlier) return earlier.id
    const failed = (await failedMessages(tx, sourceId, actor.access)).map(({ studentEmail, ...message }) => ({
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
        id,
        kind: 'repeat',
        subject,
        template,
        body,
        bodyFormat,
        announcementId,
        createdAt: clock(),
        source: JSON.stringify({ kind: 'repeat' }),
        repeatOf: sourceId,
        optedOutCount,
        ...(submission ?? { submissionKey: null }),
      },
      messages: left.map((message) => ({ ...message, batchId: id })),
      detail: { to: 'repeat', of: sourceId, optedOutCount },
    })
    // Race: another bulk e-mail with the same key won.
    mustBeSame(isNew, mailDecisionSentences.otherBatch)
    return id
  }

  return {
    startBatch,

    async repeatBatch(id: string, actor: Staff, key: string | undefined): Promise<string> {
      mustBeConfigured(mailer)
      mustOfferOptOut(publicAddress)
      const repeated = await database.transact((tx) => writeRepeat(tx, id, actor, key))
      mailer.wake()
      return repeated
    },
  }
}

interface BatchToWrite {
  actor: Actor
  batch: Omit<NewBatch, 'createdBy' | 'createdById' | 'recipientCount'> & { id: string; createdAt: Date }
  messages: readonly NewMessage[]
  detail: Record<string, string | number>
}

/**
 * Stores a bulk e-mail with its messages and its entry in the audit trail. The caller wakes the worker after the commit.
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
    createdById: actor.ownerId ?? actor.adminId,
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

function givenIn(filters: object): Record<string, string> {
  const entries: [string, unknown][] = Object.entries(filters)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
