import { v7 as createId } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { AuditEntry } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Submission } from '#server/lib/idempotency.ts'
import { mailLimits } from '#shared/mail/mail.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { ownSubject } from '#shared/mail/own-subject.ts'
import { createBatchRepository, type NewBatch } from './batch-repository.ts'
import { enqueue, type NewMessage } from './ledger-repository.ts'
import type { MailContext } from './mail-context.ts'
import type { MailContent } from './mailer.ts'
import { mayWelcome } from './messages-repository.ts'
import { dayMs } from './queue-repository.ts'

type StartContext = Pick<MailContext, 'audit' | 'clock'>

/** The causes of mail to a student about the own record, with the kind of each in the outbox. */
const ownKinds = {
  welcome: 'welcome',
  'lost-code': 'welcome',
  code: 'code',
  decision: 'single',
  'address-changed': 'single',
} as const

type OwnContent = Extract<MailContent, { template: keyof typeof ownKinds }>

/** @returns null for an address that takes no mail */
export function ownMessage(
  content: OwnContent,
  { email: recipient, studentId }: { email: string; studentId: string | null },
  schoolName?: string,
): (NewMessage & { id: string }) | null {
  if (!isMailAddress(recipient)) return null
  const { template } = content
  const { language } = template === 'welcome' ? content.values : content
  const subject = ownSubject(template, language, schoolName)
  return { id: createId(), kind: ownKinds[template], studentId, recipient, subject, content }
}

/** How much mail of the kind `welcome`, which anybody can cause, goes to one address within a day. */
export function welcomeLimit(clock: Clock) {
  return { since: new Date(clock().getTime() - dayMs), most: mailLimits.welcomeADay }
}

/**
 * The one start of mail that is no bulk e-mail: in the queue, and in the audit trail as what an account sent. The caller wakes
 * the worker after the commit.
 * @param by absent where the cause has an entry already
 * @returns false without a message, and when its address had enough welcome mail today
 */
export async function startMail(
  tx: Queryable,
  { audit, clock }: StartContext,
  message: NewMessage | null,
  by?: Pick<AuditEntry, 'actor' | 'studentId' | 'subject'>,
): Promise<boolean> {
  if (!message) return false
  const { kind, recipient } = message
  const { since, most } = welcomeLimit(clock)
  if (kind === 'welcome' && !(await mayWelcome(tx, recipient, since, most))) return false
  await enqueue(tx, [message], clock())
  if (by) await audit.record(tx, { action: 'mail-sent', ...by, detail: { kind } })
  return true
}

interface BatchToWrite {
  actor: Actor
  batch: Omit<
    NewBatch,
    'id' | 'createdAt' | 'createdBy' | 'createdById' | 'recipientCount' | 'submissionKey'
  > &
    Partial<Submission>
  messages: readonly NewMessage[]
  detail: Record<string, string | number>
}

/**
 * The one start of mail to many: stores a bulk e-mail with its messages and its entry in the audit trail. The caller wakes
 * the worker after the commit.
 * @returns its id; null when this submission was stored before
 */
export async function writeBatch(
  tx: Queryable,
  { audit, clock }: StartContext,
  { actor, batch, messages, detail }: BatchToWrite,
): Promise<string | null> {
  const [id, createdAt, affected] = [createId(), clock(), messages.length]
  const isNew = await createBatchRepository(tx).insert({
    ...{ id, submissionKey: null, createdAt, ...batch },
    createdBy: actor.name,
    createdById: actor.ownerId ?? actor.adminId,
    recipientCount: affected,
  })
  if (!isNew) return null
  const own = messages.map((message) => ({ ...message, batchId: id }))
  await enqueue(tx, own, createdAt)
  await audit.record(tx, {
    action: 'mail-batch-started',
    actor,
    ...(batch.kind === 'announcement' ? { subject: batch.subject } : {}),
    affected,
    detail: { batch: id, ...detail },
  })
  return id
}
