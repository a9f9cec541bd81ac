import { v7 as createId } from 'uuid'
import type { Actor } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mailLimits, mailSentences } from '#shared/mail/mail.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { welcomeProblem, welcomeRefusals, welcomeSentences } from '#shared/mail/single-email.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { enqueue } from './ledger-repository.ts'
import type { MailOutcome, WelcomeValues } from './mailer.ts'
import { mayWelcome } from './messages-repository.ts'
import { dayMs } from './queue-repository.ts'
import { type MailContext, mustBeConfigured } from './queue-service.ts'
import { welcomeSubject } from './rendering/templates.ts'

const responseTimeoutMs = 3_000

interface WelcomeMailOptions extends MailContext, Pick<AppContext, 'log'> {
  settings: () => Pick<Settings, 'schoolName'>
}

export interface WelcomeRecipient {
  email: string
  values: WelcomeValues
  student?: { id: string; reference: string }
}

export type WelcomeMailService = ReturnType<typeof createWelcomeMailService>

export function createWelcomeMailService(options: WelcomeMailOptions) {
  const { database, clock, audit, log, mailer, settings } = options

  function messageFor({ email, values, student }: WelcomeRecipient) {
    return {
      id: createId(),
      kind: 'welcome' as const,
      studentId: student?.id ?? null,
      recipient: email,
      subject: welcomeSubject(settings(), values.language),
      content: { template: 'welcome' as const, values },
      limit: { since: new Date(clock().getTime() - dayMs), most: mailLimits.welcomeADay },
    }
  }

  return {
    // No I/O: registration must not wait for mail.
    prepare(welcomed: WelcomeRecipient) {
      return mailer.isConfigured() && isMailAddress(welcomed.email) ? messageFor(welcomed) : null
    },

    handOver: mailer.wake,

    // Waits at most 3 s and never throws: the registration is stored, with or without mail.
    async answer(id: string | null, email: string) {
      if (id === null) return { emailSent: false, emailError: skipReason(mailer.isConfigured(), email) }
      if (mailer.holdsWelcomes()) return { emailSent: false, emailError: welcomeSentences.waiting }
      try {
        const { state } = await mailer.outcomeOf(id, responseTimeoutMs)
        const emailError = welcomeProblem(state)
        return { emailSent: emailError === null, emailError }
      } catch (error) {
        log.warn({ err: error }, 'welcome mail result not read')
        return { emailSent: false, emailError: welcomeSentences.waiting }
      }
    },

    async send(welcomed: WelcomeRecipient, actor: Actor): Promise<MailOutcome & { id: string }> {
      mustBeConfigured(mailer)
      if (!isMailAddress(welcomed.email)) throw invalid('email', welcomeRefusals.badAddress)
      const { limit, ...message } = messageFor(welcomed)
      await database.transact(async (tx) => {
        if (!(await mayWelcome(tx, message.recipient, limit.since, limit.most))) {
          throw new AppError('too_many_requests', welcomeRefusals.limited)
        }
        await enqueue(tx, [message], clock())
        const { student } = welcomed
        await audit.record(tx, {
          action: 'mail-sent',
          actor,
          detail: { kind: 'welcome' },
          ...(student ? { studentId: student.id, subject: student.reference } : {}),
        })
      })
      mailer.wake()
      return { id: message.id, ...(await mailer.outcomeOf(message.id, responseTimeoutMs)) }
    },
  }
}

function skipReason(isConfigured: boolean, email: string): string {
  if (!isConfigured) return mailSentences.notConfigured
  return isMailAddress(email) ? welcomeSentences.limited : welcomeSentences.badAddress
}
