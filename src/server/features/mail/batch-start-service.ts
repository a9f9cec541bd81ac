import type { Queryable } from '#server/database/schema.ts'
import { type Staff, senderOf } from '#server/lib/actor.ts'
import { pick } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mustBeSame, type Submission, submissionOf } from '#server/lib/idempotency.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { type BatchForm, batchMessages } from '#shared/mail/mail-batch.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { fillSubject } from '#shared/mail/mail-placeholders.ts'
import type { Addressee, Audiences } from './audience-service.ts'
import {
  createBatchRepository,
  currentAddress,
  failedMessages,
  type StoredBatch,
} from './batch-repository.ts'
import { lockedBatch } from './batch-service.ts'
import { type MailContext, mustReachMany } from './mail-context.ts'
import type { BodyFormat } from './mailer.ts'
import { findStoredTemplate } from './rendering/templates.ts'
import { writeBatch } from './start-service.ts'

// Within so many ms, the same words to the same people are a mistake.
const sameWordsMs = 10 * 60_000

type Form = BatchForm & { bodyFormat: BodyFormat }

export type BatchStarts = ReturnType<typeof createBatchStarts>

export function createBatchStarts(context: MailContext, audiences: Audiences) {
  const { database, clock, mailer, optOuts } = context
  const batches = createBatchRepository(database.db)

  // The same submission again returns the first batch.
  async function startBatch(form: Form, actor: Staff, key: string | undefined) {
    if (form.template !== 'custom' && !findStoredTemplate(form.template)) {
      throw invalid('template', batchMessages.template)
    }
    const submission = submissionOf(key, form, senderOf(actor))
    const earlier = await findEarlier(submission)
    if (earlier) return earlier
    mustReachMany(context)
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

  async function writeNew(tx: Queryable, form: Form, actor: Staff, submission: Submission | null) {
    const { subject, template, body, bodyFormat, audience, recipients: list } = form
    // Security: mail of a program with a token is linked to the student records but not filled from them: a
    // placeholder in a link would send the value to the link’s owner as soon as the student opens it.
    const isFilled = actor.adminId !== null
    const { access } = actor
    await createBatchRepository(tx).lockWords(form)
    const found = audience
      ? await audiences.ofStudents(tx, audience, access)
      : await audiences.ofRecipients(tx, list, { access, isFilled })
    const { addressees, optedOut, duplicateCount, invalidCount } = found
    if (addressees.length === 0) throw invalid('recipients', mailDecisionSentences.nobodyLeft)
    await mustBeFirst(tx, form, addressees, actor)
    // The ids of a selection would be in each reading of the batch.
    const kind = audience ? (audience.ids ? 'selection' : 'students') : 'list'
    const positions = new Map(list?.recipients.map(({ email }, position) => [addressKey(email), position]))
    const optedOutPositions = optedOut.flatMap(({ email }) => positions.get(addressKey(email)) ?? [])
    const leftOut = { optedOutCount: optedOut.length, duplicateCount, invalidCount }
    const id = await writeBatch(tx, context, {
      actor,
      batch: {
        kind: 'bulk',
        ...{ subject, template, body, bodyFormat, ...submission, ...leftOut, optedOutPositions },
        source: JSON.stringify(kind === 'students' ? { kind, audience } : { kind }),
      },
      messages: addressees.map(({ email, studentId, values }) => ({
        ...{ kind: 'bulk', studentId, recipient: email, subject: fillSubject(subject, values) },
        content: { template: 'batch', values, position: positions.get(addressKey(email)) },
      })),
      detail: { to: kind, ...givenIn(audience ?? {}), ...leftOut },
    })
    return id === null ? null : { id, optedOutPositions }
  }

  /**
   * Two people of an office may both do what was agreed on: the students would get it twice. A program decides itself.
   * @throws AppError `conflict`
   */
  async function mustBeFirst(tx: Queryable, form: Form, addressees: readonly Addressee[], actor: Staff) {
    if (actor.adminId === null) return
    const now = clock().getTime()
    const words = { ...form, createdById: actor.adminId }
    const addresses = addressees.map(({ email }) => addressKey(email))
    const same = await createBatchRepository(tx).findSameWords(words, addresses, new Date(now - sameWordsMs))
    if (!same) return
    const minutes = Math.floor((now - same.createdAt.getTime()) / 60_000)
    throw new AppError('conflict', mailDecisionSentences.sentByOther(same.creator, same.count, minutes))
  }

  async function writeRepeat(tx: Queryable, sourceId: string, actor: Staff, key: string | undefined) {
    // Race: the second of two concurrent repeats sees the messages of the first.
    const source = await lockedBatch(tx, sourceId, actor)
    const submission = submissionOf(key, { repeat: sourceId }, senderOf(actor))
    const earlier = await findEarlier(submission, createBatchRepository(tx))
    if (earlier) return earlier.id
    const failed = (await failedMessages(tx, sourceId, actor.access)).map(({ studentEmail, ...message }) => ({
      ...message,
      recipient: currentAddress({ ...message, studentEmail }),
    }))
    if (failed.length === 0) throw new AppError('conflict', mailDecisionSentences.nothingFailed)
    const keys = failed.map(({ recipient }) => addressKey(recipient))
    const optedOut = await optOuts.optedOutAmong(tx, keys)
    const messages = failed.filter(({ recipient }) => !optedOut.has(addressKey(recipient)))
    if (messages.length === 0) throw new AppError('conflict', mailDecisionSentences.nobodyLeft)
    const optedOutCount = failed.length - messages.length
    const id = await writeBatch(tx, context, {
      actor,
      batch: {
        kind: 'repeat',
        ...pick(source, ['subject', 'template', 'body', 'bodyFormat', 'announcementId']),
        source: JSON.stringify({ kind: 'repeat' }),
        ...{ repeatOf: sourceId, optedOutCount, ...submission },
      },
      messages,
      detail: { to: 'repeat', of: sourceId, optedOutCount },
    })
    // Race: another bulk e-mail with the same key won.
    if (id === null) throw new AppError('conflict', mailDecisionSentences.otherBatch)
    return id
  }

  return {
    startBatch,

    async repeatBatch(id: string, actor: Staff, key: string | undefined): Promise<string> {
      mustReachMany(context)
      const repeated = await database.transact((tx) => writeRepeat(tx, id, actor, key))
      mailer.wake()
      return repeated
    },
  }
}

function givenIn(filters: object): Record<string, string> {
  const entries: [string, unknown][] = Object.entries(filters)
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}
