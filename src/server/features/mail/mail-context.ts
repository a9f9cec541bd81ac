import type { createStudentMailing } from '#server/features/students/mailing-service.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { AccountSource, Mailer } from './mailer.ts'
import type { OptOutService } from './opt-outs-service.ts'
import type { Quotas } from './queue-repository.ts'
import type { ComposerOptions } from './smtp/message.ts'

/** The origin of links in e-mails; an empty text while it isn't known. */
export type PublicAddress = () => string

export type StudentMailing = ReturnType<typeof createStudentMailing>

/** What the worker is made of. */
export interface SendingContext
  extends ComposerOptions,
    Pick<AppContext, 'database' | 'notices' | 'log' | 'timeZone'> {
  quotas: () => Quotas
  publicAddress: PublicAddress
}

/** What the other parts of mail are made of. */
export interface MailContext extends AppContext, SendingContext {
  mailer: Mailer
  account: AccountSource['current']
  students: StudentMailing
  optOuts: OptOutService
  settings: () => Settings
}

export function mustBeConfigured({ mailer }: Pick<MailContext, 'mailer'>): void {
  if (!mailer.isConfigured()) throw new AppError('unavailable', mailSentences.notConfigured)
}

/** RA 10173, and the privacy notice's promise: each message to many ends with a link to unsubscribe. */
export function mustOfferOptOut({ publicAddress }: Pick<MailContext, 'publicAddress'>): void {
  if (publicAddress() === '') throw new AppError('unavailable', mailSentences.noPublicAddress)
}

/** Called before a message to many is written. */
export function mustReachMany(context: MailContext): void {
  mustBeConfigured(context)
  mustOfferOptOut(context)
}
