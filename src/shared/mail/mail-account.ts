import * as z from 'zod/mini'
import { fieldMessages, hasOddCharacters, isEmail } from '#shared/field-rules.ts'
import { line } from '#shared/form-text.ts'
import type { FieldError } from '#shared/problem.ts'
import { mailLimits, mailSentences } from './mail.ts'
import type { MailAccount } from './mail-response.ts'
import { isTokenEndpoint, oauthProviders, signInWays, tokenGrants } from './mail-sign-in.ts'

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
  signIn: 'Please choose how this account signs in.',
  grant: 'Please choose whose permission is used.',
  tenant: 'Please enter the directory (tenant) ID as the app’s Overview page shows it.',
  tokenEndpoint: 'Please enter the token address. It begins with https://.',
  tokenPort:
    'Please use a token address at port 443. The server administrator can allow other ports (MAIL_PORTS).',
  clientSecretForm: 'Please check the client secret: it must be one line of at most 500 characters.',
  refreshTokenForm: 'Please check the refresh token: it must be one line of at most 4,000 characters.',
  clientSecretAgain:
    'Please enter the client secret again. It is required when a server, the user name, the client ID or the token address changes.',
  refreshTokenAgain:
    'Please enter the refresh token again. It is required when a server, the user name, the client ID or the token address changes.',
  secretsUnreadable:
    'The stored client secret can no longer be read because the secret key was changed. Please enter it again, and the refresh token if there is one.',
} as const

const hostLimit = 253
const passwordLimit = 500
// Microsoft's refresh tokens have about 1,500.
const tokenLimit = 4_000
const addressLimit = 500
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

function secret(limit: number, message: string, error: string = message, written = (text: string) => text) {
  return z.string({ error }).check(
    z.trim(),
    z.overwrite(written),
    z.check(({ value, issues }) => {
      const isInvalid = value.length > limit || hasOddCharacters(value) || /[\r\n\t]/.test(value)
      if (isInvalid) issues.push({ code: 'custom', message, input: value })
    }),
  )
}

const { passwordForm } = mailAccountMessages
// The groups may be parted by line breaks, so they are joined before the check.
const emailPassword = secret(passwordLimit, passwordForm, mailSentences.fillConfiguration, (text) =>
  text.replace(groupedPassword, '$1$2$3$4'),
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
  signIn: z.optional(z.enum(signInWays, { error: mailAccountMessages.signIn })),
  tokenEndpoint: z.optional(
    line('token address', addressLimit, {
      required: false,
      check: (text) => (isTokenEndpoint(text) ? undefined : mailAccountMessages.tokenEndpoint),
    }),
  ),
  tokenScope: z.optional(line('scope', addressLimit, { required: false })),
  grant: z.optional(z.enum(tokenGrants, { error: mailAccountMessages.grant })),
  clientId: z.optional(line('client ID', mailLimits.address, { required: false })),
  clientSecret: z._default(secret(passwordLimit, mailAccountMessages.clientSecretForm), ''),
  refreshToken: z._default(secret(tokenLimit, mailAccountMessages.refreshTokenForm), ''),
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
    ...completeSignIn(given, base),
  }
}

type SignIn = Pick<MailAccount, 'signIn' | 'grant' | 'tokenEndpoint' | 'tokenScope' | 'clientId'>

export const passwordSignIn: SignIn = {
  signIn: 'password',
  grant: 'client_credentials',
  tokenEndpoint: '',
  tokenScope: '',
  clientId: '',
}

export const emptyMailAccount = {
  ...{ senderAddress: '', senderName: '', userName: '', imapHost: '', imapPort: 993 },
  ...passwordSignIn,
}

// Completes the sign-in of the chosen way. What belongs to another way isn't kept.
function completeSignIn(given: MailAccountInput, base: SignIn): SignIn {
  // A program that knows of passwords only names no way.
  const signIn = given.signIn ?? (given.emailPassword === '' ? base.signIn : 'password')
  if (signIn === 'password') return passwordSignIn
  const provider = oauthProviders[signIn]
  const kept = base.signIn === signIn ? base : { ...provider, grant: provider.grants[0], clientId: '' }
  const grant = given.grant ?? kept.grant
  return {
    signIn,
    grant: provider.grants.includes(grant) ? grant : provider.grants[0],
    tokenEndpoint: given.tokenEndpoint || kept.tokenEndpoint,
    tokenScope: given.tokenScope || kept.tokenScope,
    clientId: given.clientId ?? kept.clientId,
  }
}

export type GivenSecrets = Pick<MailAccountInput, 'emailPassword' | 'clientSecret' | 'refreshToken'>

/**
 * @param stored null without an account or when its secrets can't be read
 */
export function missingFields(
  next: CompleteMailAccount,
  given: GivenSecrets,
  stored: CompleteMailAccount | null,
): FieldError[] {
  const errors: FieldError[] = []
  const need = (path: string, value: string, message: string = mailSentences.fillConfiguration) => {
    if (value === '') errors.push({ path, message })
  }
  const kept = stored?.signIn === next.signIn ? stored : null
  const requireSecret = (path: keyof GivenSecrets, again: string, isStored = kept !== null) => {
    if (!isStored || !kept) return need(path, given[path])
    if (next.senderAddress !== '' && !keepsSecrets(kept, next)) need(path, given[path], again)
  }
  need('emailUser', next.senderAddress)
  if (next.signIn === 'password') {
    requireSecret('emailPassword', mailAccountMessages.passwordAgain)
    return errors
  }
  need('tokenEndpoint', next.tokenEndpoint)
  need('clientId', next.clientId)
  requireSecret('clientSecret', mailAccountMessages.clientSecretAgain)
  if (next.grant === 'client_credentials') {
    need('tokenScope', next.tokenScope)
  } else {
    const isStored = kept?.grant === 'refresh_token'
    requireSecret('refreshToken', mailAccountMessages.refreshTokenAgain, isStored)
  }
  return errors
}

// Security: a stored secret must never go to another server, token address or user name, nor a token that it gets.
function keepsSecrets(stored: CompleteMailAccount, next: CompleteMailAccount): boolean {
  return (
    stored.host.toLowerCase() === next.host.toLowerCase() &&
    signInName(stored) === signInName(next) &&
    (next.imapHost === '' || stored.imapHost.toLowerCase() === next.imapHost.toLowerCase()) &&
    stored.tokenEndpoint === next.tokenEndpoint &&
    stored.clientId === next.clientId
  )
}

export function signInName({ userName, senderAddress }: Pick<MailAccount, 'userName' | 'senderAddress'>) {
  return userName === '' ? senderAddress : userName
}
