import { v7 as createId } from 'uuid'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { addMessages } from '#server/mail/ledger/ledger-repository.ts'
import type { BodyFormat } from '#server/mail/mail-content.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { findStoredTemplate } from '#server/mail/rendering/templates/stored-templates.ts'
import { type BatchSource, mailSentences } from '#shared/mail.ts'
import { addressKey } from '#shared/mail-address.ts'
import { type BatchForm, batchMessages } from '#shared/mail-batch.ts'
import { mailDecisionSentences } from '#shared/mail-history.ts'
import { fillSubject } from '#shared/mail-placeholders.ts'
import type { Topic } from '#shared/topics.ts'
import type { Addressee, Addressees } from './addressees.ts'
import type { Audiences } from './audience-service.ts'
import { createBatchRepository } from './batch-repository.ts'
import { mustBeSame, type Sending, type Submission, submissionOf } from './submission.ts'

interface BatchStartOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
  audiences: Audiences
}

/** What was started. */
export interface StartedBatch {
  id: string
  /** The places in the list of those who had opted out then. */
  optedOutPositions: readonly number[]
}

export type BatchStart = ReturnType<typeof createBatchStart>

/** Makes the function that starts a bulk e-mail: the batch and a message for everybody, all or nothing. */
export function createBatchStart({ database, clock, audit, publish, mailer, audiences }: BatchStartOptions) {
  async function write(
    tx: Queryable,
    form: BatchForm & { bodyFormat: BodyFormat },
    { actor }: Sending,
    submission: Submission | null,
  ): Promise<StartedBatch | null> {
    const id = createId()
    const createdAt = clock()
    const source: BatchSource = form.audience
      ? { kind: 'students', audience: form.audience }
      : { kind: 'list' }
    const batches = createBatchRepository(tx)
    const isNew = await batches.insert({
      id,
      kind: 'bulk',
      subject: form.subject,
      template: form.template,
      body: form.body,
      bodyFormat: form.bodyFormat,
      createdAt,
      createdBy: actor.name,
      source: JSON.stringify(source),
      recipientCount: 0,
      ...(submission ?? { submissionKey: null }),
    })
    if (!isNew) return null
    const { addressees, optedOut, duplicateCount, invalidCount } = await addresseesOf(tx, form, actor)
    if (addressees.length === 0) {
      const message = mailDecisionSentences.nobodyLeft
      throw new AppError('invalid', { detail: message, errors: [{ path: 'recipients', message }] })
    }
    const recipientCount = addressees.length
    const leftOut = { optedOutCount: optedOut.length, duplicateCount, invalidCount }
    const positions = positionsIn(form)
    const optedOutPositions = optedOut.flatMap(({ email }) => positions.get(addressKey(email)) ?? [])
    await batches.setRecipients(id, { recipientCount, ...leftOut, optedOutPositions })
    await addMessages(tx, addressees.map(messageOf), createdAt)
    await audit.record(tx, {
      action: 'mail-batch-started',
      actor,
      affected: recipientCount,
      detail: { batch: id, ...describeSource(source), ...leftOut },
    })
    return { id, optedOutPositions }

    function messageOf({ email, studentId, values }: Addressee) {
      const position = positions.get(addressKey(email))
      return {
        kind: 'bulk',
        batchId: id,
        ...(studentId ? { studentId } : {}),
        recipient: email,
        subject: fillSubject(form.subject, values),
        content: { template: 'batch', values, ...(position === undefined ? {} : { position }) },
      } as const
    }
  }

  async function addresseesOf(
    tx: Queryable,
    { audience, recipients }: BatchForm,
    { adminId }: Actor,
  ): Promise<Addressees> {
    if (audience) return await audiences.ofStudents(tx, audience)
    // A program's mail stands with the records it goes to, which no answer tells, but is not filled in from them.
    // Though it goes to the student alone, its text is the program's: a placeholder in a link hands the value to
    // whoever has set the link as soon as the student, or the student's mail server, looks at where it leads.
    const isFilled = adminId !== null
    const { addressees, optedOut } = await audiences.ofRecipients(tx, recipients?.recipients ?? [], isFilled)
    return {
      addressees,
      optedOut,
      duplicateCount: recipients?.duplicates.length ?? 0,
      invalidCount: recipients?.invalid.length ?? 0,
    }
  }

  /** What the same sending of the form has started. @throws AppError `conflict` when its key was another one's */
  async function findEarlier(submission: Submission | null): Promise<StartedBatch | null> {
    const earlier =
      submission && (await createBatchRepository(database.db).findByKey(submission.submissionKey))
    if (!earlier) return null
    mustBeSame(earlier, submission)
    return { id: earlier.id, optedOutPositions: earlier.optedOutPositions }
  }

  /**
   * Starts a bulk e-mail. The same sending of a form again gives what the first one started.
   *
   * @throws AppError `unavailable` while e-mail is not configured, `invalid` when nobody is left to write to,
   *   `conflict` when the key was another bulk e-mail's
   */
  return async (form: BatchForm & { bodyFormat: BodyFormat }, sending: Sending): Promise<StartedBatch> => {
    if (form.template !== 'custom' && !findStoredTemplate(form.template)) {
      const message = batchMessages.template
      throw new AppError('invalid', { detail: message, errors: [{ path: 'template', message }] })
    }
    const submission = submissionOf(sending, form)
    const earlier = await findEarlier(submission)
    if (earlier) return earlier
    if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
    const started = await database.transact((tx) => write(tx, form, sending, submission))
    if (started) {
      mailer.wake()
      publish('mail')
      return started
    }
    // Somebody with the same key was a moment faster.
    const first = await findEarlier(submission)
    if (!first) throw new AppError('conflict')
    return first
  }
}

/** Where each address, by `addressKey`, stands in the list of a form; nowhere without one. */
function positionsIn({ recipients }: BatchForm): ReadonlyMap<string, number> {
  return new Map(recipients?.recipients.map(({ email }, position) => [addressKey(email), position]))
}

/** Whom it was for, in the audit trail's way. */
function describeSource(source: BatchSource): Record<string, string> {
  if (source.kind !== 'students') return { to: source.kind }
  const given = Object.entries(source.audience).filter(
    (filter): filter is [string, string] => filter[1] !== undefined,
  )
  return { to: source.kind, ...Object.fromEntries(given) }
}
