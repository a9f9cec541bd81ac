import { readFileSync } from 'node:fs'
import { z } from '@hono/zod-openapi'
import { isDatabaseUrl } from '#server/database/database-url.ts'
import { minPassphraseLength } from '#shared/backup/backup.ts'
import { isEmail } from '#shared/field-rules.ts'
import { mailPresets } from '#shared/mail/mail.ts'
import { isHost } from '#shared/mail/mail-account.ts'
import { fileFaultOf } from './lib/file-faults.ts'
import { networkList } from './lib/network.ts'

/** A start-up fault for the operator: `message` is the sentence to print. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    // The only way to check: an unknown zone is a RangeError.
    return false
  }
}

function isNetworkList(text: string): boolean {
  try {
    return Boolean(networkList(text))
  } catch {
    return false
  }
}

function isOrigin(address: string): boolean {
  return /^https?:\/\/[^/\s?#@]+\/?$/.test(address) && URL.canParse(address)
}

const databaseUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres:// or postgresql://', abort: true })
  .refine(
    isDatabaseUrl,
    'must be an address such as postgres://nstp:password@127.0.0.1/nstp, with %23 for #, %2F for / and %3F for ? in the password',
  )
  .optional()

const onOrOff = z.enum(['on', 'off'], "must be 'on' or 'off'")

const secret = (least: number) => z.string().min(least, `must have at least ${least} characters`).optional()

function port(least: number) {
  const range = `must be between ${least} and 65535`
  const whole = 'must be a whole number'
  return z.coerce.number(whole).int(whole).min(least, range).max(65535, range)
}

export const defaultFilesLimitMb = 2_048

const schema = z.object({
  PORT: port(0).default(3000),
  HOST: z.string().min(1, 'must name an address to listen on').default('127.0.0.1'),
  // The public address behind a proxy: 'https://nstp.school.edu.ph'.
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an address such as https://nstp.school.edu.ph, without a path')
    .optional(),
  DATA_DIR: z.string().min(1, 'must name a folder').default('./data'),
  DATABASE_URL: databaseUrl,
  // The owner of the tables, where DATABASE_URL names a role that can't alter them.
  DATABASE_OWNER_URL: databaseUrl,
  // How much longer than usual it may take to connect and to answer, on a slow machine.
  DATABASE_PATIENCE: z.coerce
    .number('must be a number')
    .min(1, 'must be between 1 and 4')
    .max(4, 'must be between 1 and 4')
    .default(1),
  ADMIN_EMAIL: z.string().refine(isEmail, 'must be an e-mail address').default('admin@nstp.local'),
  ADMIN_PASSWORD: secret(15),
  SECRET_KEY: secret(32),
  BACKUP_PASSPHRASE: secret(minPassphraseLength),
  // Whether only administrators or everybody may read the API's description.
  API_DOCS: z.enum(['private', 'public'], "must be 'private' or 'public'").default('private'),
  // Turns /metrics on, for programs that send it.
  METRICS_TOKEN: secret(20),
  // Plain HTTP to other machines: names, addresses and passwords are readable on the way.
  ALLOW_HTTP: onOrOff.default('off'),
  TRUST_PROXY: onOrOff.default('off'),
  // The school's own networks, which many students share: their limits are ten times the usual ones.
  SCHOOL_NETWORKS: z
    .string()
    .refine(isNetworkList, 'must list networks such as 203.0.113.0/24 2001:db8::/48')
    .optional(),
  RATE_LIMITS: onOrOff.default('on'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  SMTP_HOST: z.string().refine(isHost, 'must be the name of a mail server').default(mailPresets[0].host),
  SMTP_PORT: port(1).default(mailPresets[0].port),
  // on: TLS from the first byte (port 465); off: STARTTLS (port 587).
  SMTP_SECURE: onOrOff.default('on'),
  // Further ports of mail servers, or `any`.
  MAIL_PORTS: z
    .string()
    .regex(/^(any|\d{1,5}([\s,]+\d{1,5})*)$/, 'must list ports such as 2525, or be any')
    .optional(),
  // Private networks with a mail server.
  MAIL_NETWORKS: z.string().refine(isNetworkList, 'must list networks such as 10.1.2.0/24').optional(),
  // The limit of all images and attachments together.
  FILES_LIMIT_MB: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .default(defaultFilesLimitMb),
  // The calendar for ages, "today" and semesters.
  TZ_PROGRAM: z.string().refine(isTimeZone, 'must be a time zone such as Asia/Manila').default('Asia/Manila'),
})

export type Env = z.output<typeof schema>

/**
 * Reads the configuration from the environment. `NAME_FILE` names a file that contains the value of `NAME`.
 * @throws ConfigurationError that names the variable and the rule; never the value, which may be secret
 */
export function readEnv(source: Record<string, string | undefined>): Env {
  const values: Record<string, string | undefined> = {}
  for (const name of Object.keys(schema.shape)) values[name] = readVariable(source, name)
  const result = schema.safeParse(values)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`)
  throw new ConfigurationError(faults.join(' '))
}

/** @throws ConfigurationError when others would reach the product without encryption, and nobody has allowed it */
export function refusePlainHttp({ HOST, PUBLIC_URL, ALLOW_HTTP }: Env): void {
  const name = PUBLIC_URL ? new URL(PUBLIC_URL).hostname : HOST
  const isLocal = /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(name)
  if (ALLOW_HTTP === 'on' || isLocal || PUBLIC_URL?.startsWith('https:')) return
  throw new ConfigurationError(
    `${PUBLIC_URL ? `PUBLIC_URL names ${PUBLIC_URL}` : `HOST is ${HOST} and there is no PUBLIC_URL`}: passwords and ` +
      "students' records would cross the network unencrypted. Put a proxy with TLS in front and set PUBLIC_URL to its " +
      'https address. For a closed network or a trial: ALLOW_HTTP=on.',
  )
}

function readVariable(source: Record<string, string | undefined>, name: string): string | undefined {
  const file = source[`${name}_FILE`]
  // An empty variable counts as none, as in a unit file that leaves the value out.
  if (!file) return source[name] || undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    const fault = fileFaultOf(cause) ?? ''
    throw new ConfigurationError(`${name}_FILE names ${file}, which can't be read. ${fault}`.trim(), {
      cause,
    })
  }
}
