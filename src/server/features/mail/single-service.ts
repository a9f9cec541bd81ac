import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type Staff, senderOf } from '#server/lib/actor.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { idOfKey, mustBeSame } from '#server/lib/idempotency.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { addressKey } from '#shared/mail/mail-address.ts'
import { type BatchTest, batchMessages } from '#shared/mail/mail-batch.ts'
import { fillSubject, placeholderProblem } from '#shared/mail/mail-placeholders.ts'
import type { MailPreviewRequest } from '#shared/mail/mail-preview.ts'
import { type SingleEmail, singleEmailSentences, type TestEmail } from '#shared/mail/single-email.ts'
import type { StudentMailing } from './audience-service.ts'
import { enqueue, type NewMessage } from './ledger-repository.ts'
import type { AccountSource, MailOutcome } from './mailer.ts'
import { type KeyedMessage, lockKeyedMessage } from './messages-repository.ts'
import { type MailContext, mustBeConfigured } from './queue-service.ts'
import { formatOf } from './rendering/render.ts'
import type { MailRenderer } from './rendering/renderer.ts'
import storedTemplates from './rendering/stored-templates.json' with { type: 'json' }
import { findStoredTemplate } from './rendering/templates.ts'

const responseTimeoutMs = 3_000

interface SingleEmailOptions extends MailContext {
  account: AccountSource['current']
  students: StudentMailing
}

export interface SingleOutcome extends MailOutcome {
  id: string
}

export type SingleEmailService = ReturnType<typeof createSingleEmailService>

export function createSingleEmailService(options: SingleEmailOptions) {
  const { database, clock, audit, mailer, account, students } = options

  async function send(message: NewMessage, key: string | undefined, actor: Staff): Promise<SingleOutcome> {
    const id = idOfKey(senderOf(actor), message.kind, key)
    const stored = await database.transact(async (tx) => {
      const earlier = key === undefined ? undefined : await findByKey(tx, id, message)
      if (earlier) return earlier
      await enqueue(tx, [{ ...message, ...(await studentOf(tx, message, actor.access)), id }], clock())
      await audit.record(tx, { action: 'mail-sent', actor, detail: { kind: message.kind } })
      return undefined
    })
    if (!stored) mailer.wake()
    // An ended message is reported as it is, even while the queue is blocked.
    const hasEnded = stored && stored.state !== 'queued' && stored.state !== 'sending'
    const { state, failure } = hasEnded ? stored : await mailer.outcomeOf(id, responseTimeoutMs)
    return { id, state, failure }
  }

  async function sendToSender(
    content: Pick<NewMessage, 'subject' | 'content'>,
    key: string | undefined,
    actor: Staff,
  ): Promise<SingleOutcome> {
    const sender = account()
    if (!sender) throw new AppError('unavailable', mailSentences.notConfigured)
    return await send({ kind: 'test', recipient: sender.senderAddress, ...content }, key, actor)
  }

  async function studentOf(
    tx: Queryable,
    { kind, recipient }: NewMessage,
    access: Access,
  ): Promise<{ studentId?: string }> {
    if (kind === 'test') return {}
    const found = await students.withAddresses(tx, [addressKey(recipient)], { access, lock: true })
    const student = found.find(({ nstpComponent }) => access.includes(nstpComponent))
    return student ? { studentId: student.id } : {}
  }

  return {
    // The same key again returns the first result.
    async send({ to, ...mail }: SingleEmail, key: string | undefined, actor: Staff): Promise<SingleOutcome> {
      mustBeConfigured(mailer)
      return await send({ kind: 'single', recipient: to, ...contentOf(mail) }, key, actor)
    },

    sendToSelf: (mail: TestEmail, key: string | undefined, actor: Staff): Promise<SingleOutcome> =>
      sendToSender(contentOf(mail), key, actor),

    sendBatchToSelf: (mail: BatchTest, key: string | undefined, actor: Staff): Promise<SingleOutcome> =>
      sendToSender(sampleOf(mail), key, actor),
  }
}

async function findByKey(tx: Queryable, id: string, message: NewMessage): Promise<KeyedMessage | undefined> {
  const stored = await lockKeyedMessage(tx, id)
  mustBeSame(!stored || isSame(stored, message), singleEmailSentences.otherMail)
  return stored
}

function contentOf({ subject, message, format }: TestEmail): Pick<NewMessage, 'subject' | 'content'> {
  const written = format ?? formatOf(message)
  return { subject, content: { template: 'message', body: message, format: written } }
}

function sampleOf({ subject, template, body, values }: BatchTest): Pick<NewMessage, 'subject' | 'content'> {
  if (template !== 'custom' && !findStoredTemplate(template))
    throw invalid('template', batchMessages.template)
  return {
    subject: fillSubject(subject, values),
    // The format is text, as bulk e-mail of the admin screen always is.
    content: { template: 'sample', name: template, body, format: 'text', filledWith: values },
  }
}

function isSame(stored: KeyedMessage, { kind, recipient, subject, content }: NewMessage): boolean {
  const { state, failure, ...comparable } = stored
  return isDeepStrictEqual(comparable, { kind, recipient, subject, content })
}

export type MailPreviewService = ReturnType<typeof createMailPreviewService>

export function createMailPreviewService(renderer: MailRenderer) {
  return {
    templates: () =>
      storedTemplates.map(({ name, title, subject, text }) => ({ name, title, subject, text })),

    async preview({ subject, message, format, template, values }: MailPreviewRequest) {
      if (template !== undefined && !findStoredTemplate(template)) {
        throw invalid('template', 'There is no template with this name.')
      }
      if (template === undefined && values === undefined) {
        return await renderer.preview({
          kind: 'single',
          ...contentOf({ subject, message, format }),
          ...noOne,
        })
      }
      checkPlaceholders('subject', subject)
      if (template === undefined) checkPlaceholders('message', message)
      return await renderer.preview({
        kind: 'bulk',
        subject: fillSubject(subject, values ?? {}),
        content: {
          template: 'sample',
          name: template ?? 'custom',
          body: message,
          format: format ?? formatOf(message),
          filledWith: values ?? {},
        },
        ...noOne,
      })
    },
  }
}

const noOne = { recipient: '', batch: null }

function checkPlaceholders(path: string, text: string): void {
  const problem = placeholderProblem(text)
  if (problem) throw invalid(path, problem)
}
