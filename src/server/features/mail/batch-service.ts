import { v7 as createId, validate as isUuid } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { mustBeSame, type Submission, submissionOf } from '#server/lib/idempotency.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import { type BatchDecision, type BatchSource, mailSentences } from '#shared/mail/mail.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { type BatchForm, batchMessages } from '#shared/mail/mail-batch.ts'
import { mailDecisionSentences } from '#shared/mail/mail-history.ts'
import { fillSubject } from '#shared/mail/mail-placeholders.ts'
import type { Topic } from '#shared/topics.ts'
import type { Addressee, Addressees, Audiences, OptedOutOf } from './audience-service.ts'
import { createBatchRepository, currentAddress, failedMessages } from './batch-repository.ts'
import { addMessages } from './ledger-repository.ts'
import type { BodyFormat, Mailer } from './mailer.ts'
import { findStoredTemplate } from './rendering/stored-templates.tsx'

interface BatchStartOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
  audiences: Audiences
}

export interface StartedBatch {
  id: string
  optedOutPositions: readonly number[]
}

export type BatchStart = ReturnType<typeof createBatchStart>

export function createBatchStart({ database, clock, audit, publish, mailer, audiences }: BatchStartOptions) {
  async function write(
    tx: Queryable,
    form: BatchForm & { bodyFormat: BodyFormat },
    { actor }: SendRequest,
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
    // Security: mail of a program with a token is linked to the student records but not filled from them: a
    // placeholder in a link would send the value to the link’s owner as soon as the student opens it.
    const isFilled = adminId !== null
    const { addressees, optedOut } = await audiences.ofRecipients(tx, recipients?.recipients ?? [], isFilled)
    return {
      addressees,
      optedOut,
      duplicateCount: recipients?.duplicates.length ?? 0,
      invalidCount: recipients?.invalid.length ?? 0,
    }
  }

  /** @throws AppError `conflict` when the key belongs to another bulk e-mail */
  async function findEarlier(submission: Submission | null): Promise<StartedBatch | null> {
    const earlier =
      submission && (await createBatchRepository(database.db).findByKey(submission.submissionKey))
    if (!earlier) return null
    mustBeSame(earlier.submissionHash === submission.submissionHash, mailDecisionSentences.otherBatch)
    return { id: earlier.id, optedOutPositions: earlier.optedOutPositions }
  }

  /**
   * The same submission again returns the first batch.
   * @throws AppError `unavailable` while e-mail is not configured, `invalid` without recipients, `conflict` when the key belongs to another bulk
   * e-mail
   */
  return async (
    form: BatchForm & { bodyFormat: BodyFormat },
    request: SendRequest,
  ): Promise<StartedBatch> => {
    if (form.template !== 'custom' && !findStoredTemplate(form.template)) {
      const message = batchMessages.template
      throw new AppError('invalid', { detail: message, errors: [{ path: 'template', message }] })
    }
    const submission = submissionOf(request.key, form, request.actor.name)
    const earlier = await findEarlier(submission)
    if (earlier) return earlier
    if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
    const started = await database.transact((tx) => write(tx, form, request, submission))
    if (started) {
      mailer.wake()
      publish('mail')
      return started
    }
    // Race: a concurrent request with the same key won.
    const first = await findEarlier(submission)
    if (!first) throw new AppError('conflict')
    return first
  }
}

function positionsIn({ recipients }: BatchForm): ReadonlyMap<string, number> {
  return new Map(recipients?.recipients.map(({ email }, position) => [addressKey(email), position]))
}

function describeSource(source: BatchSource): Record<string, string> {
  if (source.kind !== 'students') return { to: source.kind }
  const given = Object.entries(source.audience).filter(
    (filter): filter is [string, string] => filter[1] !== undefined,
  )
  return { to: source.kind, ...Object.fromEntries(given) }
}

export interface SendRequest {
  actor: Actor
  key: string | null
}

interface BatchRepeatOptions {
  database: Pick<AppDatabase, 'db' | 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
  optedOutOf: OptedOutOf
}

export type BatchRepeat = ReturnType<typeof createBatchRepeat>

export function createBatchRepeat(options: BatchRepeatOptions) {
  const { database, clock, audit, publish, mailer, optedOutOf } = options

  async function write(tx: Queryable, sourceId: string, request: SendRequest) {
    const batches = createBatchRepository(tx)
    // Race: the second of two concurrent repeats sees the messages of the first.
    const source = await batches.lock(sourceId)
    if (!source) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
    const submission = submissionOf(request.key, { repeat: sourceId }, request.actor.name)
    const earlier = submission && (await batches.findByKey(submission.submissionKey))
    if (earlier) {
      mustBeSame(earlier.submissionHash === submission.submissionHash, mailDecisionSentences.otherBatch)
      return earlier.id
    }
    const failed = (await failedMessages(tx, sourceId)).map(({ studentEmail, ...message }) => ({
      ...message,
      recipient: currentAddress({ ...message, studentEmail }),
    }))
    if (failed.length === 0) throw new AppError('conflict', { detail: mailDecisionSentences.nothingFailed })
    const optedOut = await optedOutOf(
      tx,
      failed.map(({ recipient }) => addressKey(recipient)),
    )
    const recipients = failed.filter(({ recipient }) => !optedOut.has(addressKey(recipient)))
    if (recipients.length === 0) throw new AppError('conflict', { detail: mailDecisionSentences.nobodyLeft })
    const id = createId()
    const createdAt = clock()
    const { subject, template, body, bodyFormat, announcementId } = source
    const optedOutCount = failed.length - recipients.length
    const isNew = await batches.insert({
      ...{ id, kind: 'repeat', createdAt, createdBy: request.actor.name },
      ...{ subject, template, body, bodyFormat, announcementId },
      ...{ source: JSON.stringify({ kind: 'repeat' }), repeatOf: sourceId },
      ...(submission ?? { submissionKey: null }),
      ...{ recipientCount: recipients.length, optedOutCount },
    })
    // Race: another bulk e-mail with the same key won.
    if (!isNew) throw new AppError('conflict', { detail: mailDecisionSentences.otherBatch })
    await addMessages(
      tx,
      recipients.map(({ studentId, ...message }) => ({
        ...message,
        batchId: id,
        ...(studentId ? { studentId } : {}),
      })),
      createdAt,
    )
    await audit.record(tx, {
      action: 'mail-batch-started',
      actor: request.actor,
      affected: recipients.length,
      detail: { batch: id, to: 'repeat', of: sourceId, optedOutCount },
    })
    return id
  }

  /** @throws AppError `not_found`, `conflict` when nothing is left to send again, `unavailable` while e-mail is not configured */
  return async (id: string, request: SendRequest): Promise<string> => {
    if (!isUuid(id)) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
    if (!mailer.isConfigured()) throw new AppError('unavailable', { detail: mailSentences.notConfigured })
    const repeated = await database.transact((tx) => write(tx, id, request))
    mailer.wake()
    publish('mail')
    return repeated
  }
}

interface BatchChangesOptions {
  database: Pick<AppDatabase, 'transact'>
  clock: Clock
  audit: Audit
  publish: (topic: Topic) => void
  mailer: Mailer
}

const actions: Record<BatchDecision, AuditAction> = {
  paused: 'mail-batch-paused',
  running: 'mail-batch-resumed',
  cancelled: 'mail-batch-cancelled',
}

export type BatchChanges = ReturnType<typeof createBatchChanges>

/** Idempotent. Messages that a worker has claimed are still sent. */
export function createBatchChanges({ database, clock, audit, publish, mailer }: BatchChangesOptions) {
  async function change(id: string, state: BatchDecision, actor: Actor): Promise<void> {
    const isNew = await database.transact(async (tx) => {
      const batches = createBatchRepository(tx)
      const batch = isUuid(id) ? await batches.lock(id) : undefined
      if (!batch) throw new AppError('not_found', { detail: mailDecisionSentences.batchNotFound })
      if (batch.state === state) return false
      if (batch.state === 'cancelled') {
        throw new AppError('conflict', { detail: mailDecisionSentences.cancelled })
      }
      await batches.setState(id, state)
      const affected = state === 'cancelled' ? await batches.cancelQueued(id, clock()) : 1
      await audit.record(tx, { action: actions[state], actor, affected, detail: { batch: id } })
      return true
    })
    if (!isNew) return
    if (state === 'running') mailer.wake()
    publish('mail')
  }

  return {
    /** @throws AppError `not_found`, `conflict` when it was cancelled */
    pause: (id: string, actor: Actor) => change(id, 'paused', actor),
    /** @throws AppError `not_found`, `conflict` when it was cancelled */
    resume: (id: string, actor: Actor) => change(id, 'running', actor),
    /** @throws AppError `not_found` */
    cancel: (id: string, actor: Actor) => change(id, 'cancelled', actor),
  }
}
