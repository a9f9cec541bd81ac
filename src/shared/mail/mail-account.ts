import * as z from 'zod/mini'
import { fieldMessages, hasOddCharacters, isEmail } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import type { FieldError } from '#shared/problem.ts'
import { mailLimits, mailSentences } from './mail.ts'
import type { MailAccount } from './mail-response.ts'

export const mailAccountMessages = {
  host: 'Please enter the name of a mail server, for example smtp.gmail.com.',
  imapHost: 'Please enter the name of a mail server, for example imap.gmail.com.',
  port: 'Please enter a port between 1 and 65535.',
  unusualPort:
    'Please use port 25, 465 or 587, and 143 or 993 for bounces. The server administrator can allow others (MAIL_PORTS).',
  closedNetwork:
    'This server is in a private network. The server administrator can allow it (MAIL_NETWORKS).',
  secure: 'Please choose how the connection is encrypted.',
  passwordAgain:
    'Please enter the password again. It is required when the mail server, the user name or the bounce mailbox server changes.',
  passwordForm: 'Please check the password: it must be one line of at most 500 characters.',
  passwordUnreadable:
    'The stored password can no longer be read because the secret key was changed. Please enter the password again.',
} as const

const hostLimit = 253
const passwordLimit = 500
const hostPattern = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i
const ipv6Pattern = /^[0-9a-f]*:[0-9a-f:.]+$/i
// Google displays an app password in four groups; a copy includes the spaces.
const groupedPassword = /^([a-z]{4})\s([a-z]{4})\s([a-z]{4})\s([a-z]{4})$/i

export function isHost(text: string): boolean {
  return hostPattern.test(text) || ipv6Pattern.test(text)
}

const emailUser = z.string({ error: mailSentences.fillConfiguration }).check(
  z.trim(),
  z.check(({ value, issues }) => {
    if (value !== '' && !isEmail(value))
      issues.push({ code: 'custom', message: fieldMessages.email, input: value })
  }),
)

const emailPassword = z.string({ error: mailSentences.fillConfiguration }).check(
  z.trim(),
  z.overwrite((value) => value.replace(groupedPassword, '$1$2$3$4')),
  z.check(({ value, issues }) => {
    const isInvalid = value.length > passwordLimit || hasOddCharacters(value) || /[\r\n\t]/.test(value)
    if (isInvalid) issues.push({ code: 'custom', message: mailAccountMessages.passwordForm, input: value })
  }),
)

const port = z
  .int({ error: mailAccountMessages.port })
  .check(
    z.minimum(1, { error: mailAccountMessages.port }),
    z.maximum(65_535, { error: mailAccountMessages.port }),
  )

export const mailAccountSchema = z.object({
  // Required by `missingFields`, because that depends on the stored account.
  emailUser: z._default(emailUser, ''),
  emailPassword: z._default(emailPassword, ''),
  senderName: z.optional(line('sender name', mailLimits.name, { required: false })),
  userName: z.optional(line('user name', mailLimits.address, { required: false })),
  host: z.optional(
    line('mail server', hostLimit, {
      check: (text) => (isHost(text) ? undefined : mailAccountMessages.host),
    }),
  ),
  port: z.optional(port),
  secure: z.optional(z.boolean({ error: mailAccountMessages.secure })),
  imapHost: z.optional(
    line('bounce mailbox server', hostLimit, {
      required: false,
      check: (text) => (isHost(text) ? undefined : mailAccountMessages.imapHost),
    }),
  ),
  imapPort: z.optional(port),
})

export type MailAccountInput = z.output<typeof mailAccountSchema>

export type CompleteMailAccount = Omit<MailAccount, 'version'>

export function completeMailAccount(
  given: MailAccountInput,
  base: Omit<CompleteMailAccount, 'senderAddress'>,
): CompleteMailAccount {
  return {
    senderAddress: given.emailUser,
    senderName: given.senderName ?? base.senderName,
    userName: given.userName ?? base.userName,
    host: given.host ?? base.host,
    port: given.port ?? base.port,
    secure: given.secure ?? base.secure,
    imapHost: given.imapHost ?? base.imapHost,
    imapPort: given.imapPort ?? base.imapPort,
  }
}

/**
 * Spec §5.
 * @param stored null without an account or when its password can't be read
 */
export function missingFields(
  next: CompleteMailAccount,
  password: string,
  stored: CompleteMailAccount | null,
): FieldError[] {
  const errors: FieldError[] = []
  if (next.senderAddress === '') errors.push({ path: 'emailUser', message: mailSentences.fillConfiguration })
  if (password !== '') return errors
  if (!stored) {
    errors.push({ path: 'emailPassword', message: mailSentences.fillConfiguration })
  } else if (next.senderAddress !== '' && !keepsPassword(stored, next)) {
    errors.push({ path: 'emailPassword', message: mailAccountMessages.passwordAgain })
  }
  return errors
}

// Security: a stored password must never go to another server or user name.
function keepsPassword(stored: CompleteMailAccount, next: CompleteMailAccount): boolean {
  return (
    stored.host.toLowerCase() === next.host.toLowerCase() &&
    signInName(stored) === signInName(next) &&
    (next.imapHost === '' || stored.imapHost.toLowerCase() === next.imapHost.toLowerCase())
  )
}

export function signInName({ userName, senderAddress }: Pick<MailAccount, 'userName' | 'senderAddress'>) {
  return userName === '' ? senderAddress : userName
}
