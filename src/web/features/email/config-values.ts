import * as z from 'zod/mini'
import type { MailAccount } from '#shared/mail.ts'
import {
  completeMailAccount,
  type MailAccountInput,
  mailAccountMessages,
  mailAccountSchema,
  missingFields,
} from '#shared/mail-account.ts'
import type { FieldError } from '#shared/problem.ts'

/** What the fields of the configuration hold: texts, as they are typed. The names are those of the API. */
export interface ConfigValues {
  emailUser: string
  emailPassword: string
  senderName: string
  userName: string
  host: string
  port: string
  /** TLS from the first byte, or STARTTLS. */
  secure: 'tls' | 'starttls'
  imapHost: string
  imapPort: string
}

/** What the server has for a configuration that is new. */
export type ConfigDefaults = Pick<MailAccount, 'host' | 'port' | 'secure'>

const emptyAccount = { senderAddress: '', senderName: '', userName: '', imapHost: '', imapPort: 993 }

/** What the form begins with. The password never comes back from the server. */
export function initialConfig(account: MailAccount | null, defaults: ConfigDefaults): ConfigValues {
  const known = account ?? { ...emptyAccount, ...defaults }
  return {
    emailUser: known.senderAddress,
    emailPassword: '',
    senderName: known.senderName,
    userName: known.userName,
    host: known.host,
    port: String(known.port),
    secure: known.secure ? 'tls' : 'starttls',
    imapHost: known.imapHost,
    imapPort: String(known.imapPort),
  }
}

/** What is sent. A port that is no number goes as NaN, which its rule refuses. */
export function configInput({ port, secure, imapPort, ...texts }: ConfigValues): MailAccountInput {
  return { ...texts, port: numberOf(port), secure: secure === 'tls', imapPort: numberOf(imapPort) }
}

/** The order of the fields on the screen. */
const fieldOrder = [
  'emailUser',
  'emailPassword',
  'senderName',
  'host',
  'port',
  'secure',
  'userName',
  'imapHost',
  'imapPort',
]

/**
 * The rules that the form breaks, in its order.
 *
 * @param stored the account whose password is kept, null where there is none
 */
export function problemsOfConfig(values: ConfigValues, stored: MailAccount | null): FieldError[] {
  const input = configInput(values)
  const { data, error } = z.safeParse(mailAccountSchema, input)
  const broken = (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
  const checked = data ?? input
  const complete = completeMailAccount(checked, { ...emptyAccount, host: '', port: 0, secure: true })
  const missing = missingFields(complete, checked.emailPassword, stored)
  const host = values.host.trim() === '' ? [{ path: 'host', message: mailAccountMessages.host }] : []
  const found = [...missing, ...host, ...broken]
  return fieldOrder.flatMap((name) => found.find(({ path }) => path === name) ?? [])
}

function numberOf(text: string): number {
  return /^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN
}
