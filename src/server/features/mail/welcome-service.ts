import type { Actor } from '#server/lib/actor.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'
import { welcomeProblem, welcomeRefusals, welcomeSentences } from '#shared/mail/single-email.ts'
import { type MailContext, mustBeConfigured } from './mail-context.ts'
import type { MailOutcome, WelcomeValues } from './mailer.ts'
import { ownMessage, startMail, welcomeLimit } from './start-service.ts'

export interface WelcomeRecipient {
  email: string
  values: WelcomeValues
  student?: { id: string; reference: string }
}

export type WelcomeMailService = ReturnType<typeof createWelcomeMailService>

export function createWelcomeMailService(context: MailContext) {
  const { database, clock, log, mailer, settings } = context

  function messageFor({ email, values, student }: WelcomeRecipient) {
    const to = { email, studentId: student?.id ?? null }
    return ownMessage({ template: 'welcome', values }, to, settings().schoolName)
  }

  return {
    // No I/O: registration must not wait for mail.
    prepare(welcomed: WelcomeRecipient) {
      const message = mailer.isConfigured() ? messageFor(welcomed) : null
      return message && { ...message, limit: welcomeLimit(clock) }
    },

    handOver: mailer.wake,

    // Waits at most 3 s and never throws: the registration is stored, with or without mail.
    async answer(id: string | null, email: string) {
      if (id === null) return { emailSent: false, emailError: skipReason(mailer.isConfigured(), email) }
      if (mailer.holdsWelcomes()) return { emailSent: false, emailError: welcomeSentences.waiting }
      try {
        const { state } = await mailer.outcomeOf(id)
        const emailError = welcomeProblem(state)
        return { emailSent: emailError === null, emailError }
      } catch (error) {
        log.warn({ err: error }, 'welcome mail result not read')
        return { emailSent: false, emailError: welcomeSentences.waiting }
      }
    },

    async send(welcomed: WelcomeRecipient, actor: Actor): Promise<MailOutcome & { id: string }> {
      mustBeConfigured(context)
      const message = messageFor(welcomed)
      if (!message) throw invalid('email', welcomeRefusals.badAddress)
      const { student } = welcomed
      const by = { actor, ...(student && { studentId: student.id, subject: student.reference }) }
      const isWritten = await database.transact((tx) => startMail(tx, context, message, by))
      if (!isWritten) throw new AppError('too_many_requests', welcomeRefusals.limited)
      mailer.wake()
      return { id: message.id, ...(await mailer.outcomeOf(message.id)) }
    },
  }
}

function skipReason(isConfigured: boolean, email: string): string {
  if (!isConfigured) return mailSentences.notConfigured
  return isMailAddress(email) ? welcomeSentences.limited : welcomeSentences.badAddress
}
