import { v7 as createId, validate as isUuid } from 'uuid'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { addressOfNow } from '#server/mail/ledger/address-of-now.ts'
import { addMessages } from '#server/mail/ledger/ledger-repository.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { mailSentences } from '#shared/mail.ts'
import { addressKey } from '#shared/mail-address.ts'
import { mailDecisionSentences } from '#shared/mail-history.ts'
import type { Topic } from '#shared/topics.ts'
import type { OptedOutOf } from './audience-service.ts'
import { createBatchRepository } from './batch-repository.ts'
import { failedMessages } from './repeat-repository.ts'
import { mustBeSame, type Sending, submissionOf } from './submission.ts'

interface BatchRepeatOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
  optedOutOf: OptedOutOf
}

export type BatchRepeat = ReturnType<typeof createBatchRepeat>

/** Makes the function that sends again what of a bulk e-mail certainly failed, each message once, to the addresses of now. */
export function createBatchRepeat(options: BatchRepeatOptions) {
  const { database, clock, audit, publish, mailer, optedOutOf } = options

  async function write(tx: Queryable, sourceId: string, sending: Sending) {
    const batches = createBatchRepository(tx)
    // Two repeats at once: the second one finds what the first one took.
    const source = await batches.lock(sourceId)
    if (!source) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
    const submission = submissionOf(sending, { repeat: sourceId })
    const earlier = submission && (await batches.findByKey(submission.submissionKey))
    if (earlier) {
      mustBeSame(earlier, submission)
      return earlier.id
    }
    const failed = (await failedMessages(tx, sourceId)).map(({ studentEmail, ...message }) => ({
      ...message,
      recipient: addressOfNow({ ...message, studentEmail }),
    }))
    if (failed.length === 0) throw new AppError('conflict', { detail: mailDecisionSentences.nothingFailed })
    const unwanted = await optedOutOf(
      tx,
      failed.map(({ recipient }) => addressKey(recipient)),
    )
    const wanted = failed.filter(({ recipient }) => !unwanted.has(addressKey(recipient)))
    if (wanted.length === 0) throw new AppError('conflict', { detail: mailDecisionSentences.nobodyLeft })
    const id = createId()
    const createdAt = clock()
    const { subject, template, body, bodyFormat, announcementId } = source
    const optedOutCount = failed.length - wanted.length
    const isNew = await batches.insert({
      ...{ id, kind: 'repeat', createdAt, createdBy: sending.actor.name },
      ...{ subject, template, body, bodyFormat, announcementId },
      ...{ source: JSON.stringify({ kind: 'repeat' }), repeatOf: sourceId },
      ...(submission ?? { submissionKey: null }),
      ...{ recipientCount: wanted.length, optedOutCount },
    })
    // Another bulk e-mail with the same key was a moment faster.
    if (!isNew) throw new AppError('conflict', { detail: mailDecisionSentences.otherBatch })
    await addMessages(
      tx,
      wanted.map(({ studentId, ...message }) => ({
        ...message,
        batchId: id,
        ...(studentId ? { studentId } : {}),
      })),
      createdAt,
    )
    await audit.record(tx, {
      action: 'mail-batch-started',
      actor: sending.actor,
      affected: wanted.length,
      detail: { batch: id, to: 'repeat', of: sourceId, optedOutCount },
    })
    return id
  }

  /**
   * Sends again to the failed ones; gives the id of the new bulk e-mail.
   *
   * @throws AppError `not_found`, `conflict` when nothing is left to send again, `unavailable` while e-mail is not
   *   configured
   */
  return async (id: string, sending: Sending): Promise<string> => {
    if (!isUuid(id)) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
    if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
    const repeated = await database.transact((tx) => write(tx, id, sending))
    mailer.wake()
    publish('mail')
    return repeated
  }
}
