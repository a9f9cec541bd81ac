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
import type { NewMessage } from './ledger-repository.ts'
import { type MailContext, mustBeConfigured } from './mail-context.ts'
import type { BodyFormat, MailOutcome } from './mailer.ts'
import { type KeyedMessage, lockKeyedMessage } from './messages-repository.ts'
import { formatOf } from './rendering/render.ts'
import type { MailRenderer } from './rendering/renderer.ts'
import storedTemplates from './rendering/stored-templates.json' with { type: 'json' }
import { findStoredTemplate } from './rendering/templates.ts'
import { startMail } from './start-service.ts'

export interface SingleOutcome extends MailOutcome {
  id: string
}

export type SingleEmailService = ReturnType<typeof createSingleEmailService>

export function createSingleEmailService(context: MailContext) {
  const { database, mailer, account, students } = context

  async function send(message: NewMessage, key: string | undefined, actor: Staff): Promise<SingleOutcome> {
    const id = idOfKey(senderOf(actor), message.kind, key)
    const stored = await database.transact(async (tx) => {
      const earlier = key === undefined ? undefined : await findByKey(tx, id, message)
      if (earlier) return earlier
      const student = await studentOf(tx, message, actor.access)
      await startMail(tx, context, { ...message, ...student, id }, { actor })
      return undefined
    })
    if (!stored) mailer.wake()
    // An ended message is reported as it is, even while the queue is blocked.
    const hasEnded = stored && stored.state !== 'queued' && stored.state !== 'sending'
    const { state, failure } = hasEnded ? stored : await mailer.outcomeOf(id)
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
      mustBeConfigured(context)
      return await send({ kind: 'single', recipient: to, ...contentOf(mail) }, key, actor)
    },

    sendToSelf: (mail: TestEmail, key: string | undefined, actor: Staff): Promise<SingleOutcome> =>
      sendToSender(contentOf(mail), key, actor),

    async sendBatchToSelf(mail: BatchTest, key: string | undefined, actor: Staff): Promise<SingleOutcome> {
      mustBeTemplate(mail.template, batchMessages.template)
      return await sendToSender(sampleOf(mail), key, actor)
    },
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

/** The text of a bulk e-mail, filled for one recipient. The format is text, as that of the admin screen always is. */
function sampleOf({ subject, template, body, values, format = 'text' }: BatchTest & { format?: BodyFormat }) {
  const content = { template: 'sample', name: template, body, format, filledWith: values } as const
  return { subject: fillSubject(subject, values), content }
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

    async preview({ subject, message, format, template = 'custom', values }: MailPreviewRequest) {
      mustBeTemplate(template, 'There is no template with this name.')
      const isOfOne = template === 'custom' && values === undefined
      if (!isOfOne) checkPlaceholders('subject', subject)
      if (!isOfOne && template === 'custom') checkPlaceholders('message', message)
      const sample = { subject, template, body: message, values: values ?? {} }
      const written = isOfOne
        ? contentOf({ subject, message, format })
        : sampleOf({ ...sample, format: format ?? formatOf(message) })
      return await renderer.preview({ kind: isOfOne ? 'single' : 'bulk', ...written, ...noOne })
    },
  }
}

function mustBeTemplate(name: string, sentence: string): void {
  if (name !== 'custom' && !findStoredTemplate(name)) throw invalid('template', sentence)
}

const noOne = { recipient: '', batch: null }

function checkPlaceholders(path: string, text: string): void {
  const problem = placeholderProblem(text)
  if (problem) throw invalid(path, problem)
}
