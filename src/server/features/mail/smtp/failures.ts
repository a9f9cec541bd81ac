import type { NodemailerError } from 'nodemailer'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { FieldError } from '#shared/problem.ts'

export interface MailProblem {
  kind: 'connection' | 'server' | 'quota' | 'encryption' | 'sign-in' | 'sender'
  sentence: string
}

export type SendOutcome =
  | { end: 'sent' }
  | { end: 'refused'; failure: string }
  // Not accepted, may be later. `isGeneral`: not about this message · `isSilent`: the connection ended without an answer
  | { end: 'deferred'; failure: string; isGeneral: boolean; isSilent: boolean }
  | { end: 'unreached'; problem: MailProblem }
  // The message was transmitted without a clear answer, so the server may have accepted it.
  | { end: 'unknown'; failure: string }

type Server = Pick<SendingAccount, 'host' | 'port' | 'secure'>

/** `sentence` is for the queue; `path` and `message` are for the account's form. */
interface Failure {
  kind: MailProblem['kind']
  sentence: string
  path: string
  message: (server: Server, error: NodemailerError) => string
}

const unreachable = {
  kind: 'connection',
  sentence: 'Could not reach the mail server. Waiting e-mails are sent when it can be reached again.',
} as const

const untrusted = {
  kind: 'encryption',
  sentence: 'The certificate of the mail server can’t be trusted, so nothing was sent.',
  path: 'host',
} as const

const unencrypted = {
  kind: 'encryption',
  sentence: 'The connection to the mail server could not be encrypted, so nothing was sent.',
  path: 'secure',
} as const

const selfSigned: Failure = {
  ...untrusted,
  message: ({ host }) =>
    `${host} has a self-signed certificate, which can’t be trusted. It needs a certificate from a known authority.`,
}

const unknownAuthority: Failure = {
  ...untrusted,
  message: ({ host }) =>
    `The certificate of ${host} can’t be checked: this server does not know the authority that issued it.`,
}

const noTls: Failure = {
  ...unencrypted,
  message: ({ host, port }) =>
    `${host} does not use TLS at port ${port}. Please choose STARTTLS, or port 465.`,
}

const noStartTls: Failure = {
  ...unencrypted,
  message: ({ host, port }) =>
    `${host} offers no encryption (STARTTLS) at port ${port}. Please choose TLS with port 465, or another server.`,
}

const brokenTls: Failure = {
  ...unencrypted,
  message: ({ host }) =>
    `The connection to ${host} could not be encrypted. Please check the port and the encryption.`,
}

const noRoute: Failure = {
  ...unreachable,
  path: 'host',
  message: ({ host }) =>
    `${host} can’t be reached from here. Please check the server and this machine’s network.`,
}

const closed: Failure = {
  ...unreachable,
  path: 'host',
  message: ({ host, port }) =>
    `${host} closed the connection at port ${port} without an answer. Please check the port and the encryption.`,
}

const refused: Failure = {
  kind: 'server',
  sentence: 'The mail server does not accept mail at the moment.',
  path: 'host',
  message: ({ host }, { response = '' }) => `${host} refused the connection. It answered: ${quote(response)}`,
}

const noMailServer: Failure = {
  ...refused,
  path: 'port',
  message: ({ host, port }) =>
    `${host} is not a mail server at port ${port}. Please check the server and the port.`,
}

const signIn = {
  kind: 'sign-in',
  sentence:
    'The mail server did not accept the e-mail address and the app password. Please check the configuration.',
} as const

const noSignIn: Failure = {
  ...signIn,
  path: 'host',
  message: ({ host }) => `${host} offers no way to sign in. Please check the server and the port.`,
}

const signInLater: Failure = {
  kind: 'server',
  sentence: 'The mail server does not accept sign-ins at the moment.',
  path: 'emailPassword',
  message: ({ host }, { response = '' }) =>
    `${host} does not accept sign-ins at the moment. Please try again later. It answered: ${quote(response)}`,
}

const wrongPassword: Failure = {
  ...signIn,
  path: 'emailPassword',
  message({ host }) {
    const advice = /(^|\.)(gmail|googlemail)\.com$/i.test(host)
      ? 'Gmail needs an app password here, not the account password.'
      : 'Please check both. Many providers accept only app passwords.'
    return `${host} did not accept the user name and password. ${advice}`
  },
}

const byCode: Record<string, Failure> = {
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    message: ({ host }) =>
      `The certificate of ${host} is for another name. Please enter the server name that the provider gives.`,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: selfSigned,
  CERT_HAS_EXPIRED: {
    ...untrusted,
    message: ({ host }) => `The certificate of ${host} has expired. Its owner must renew it.`,
  },
  CERT_NOT_YET_VALID: {
    ...untrusted,
    message: ({ host }) =>
      `The certificate of ${host} is not valid yet. Please check the clock of this server.`,
  },
  ETLS: brokenTls,
  EDNS: {
    kind: 'connection',
    sentence: 'The mail server was not found. Please check its name.',
    path: 'host',
    message: ({ host }) => `There is no server named ${host}. Please check its spelling.`,
  },
  ETIMEDOUT: {
    ...unreachable,
    path: 'port',
    message({ host, port, secure }, { timeoutType }) {
      const advice =
        timeoutType === 'GREETING_TIMEOUT' && !secure
          ? 'If the server uses TLS from the start, as at port 465, please choose TLS.'
          : 'Please check the server and the port.'
      return `${host} gave no answer at port ${port} within 10 seconds. ${advice}`
    },
  },
  ECONNREFUSED: {
    ...unreachable,
    path: 'port',
    message: ({ host, port }) => `${host} refuses connections at port ${port}. Please check the port.`,
  },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
}

function failureOf(error: NodemailerError, { secure }: Server): Failure {
  const { code = '', originalCode = code, command, response } = error
  if (code === 'EAUTH') return signInFailureOf(error)
  // The plain-text answer of a server without TLS parses as broken TLS.
  if (secure && /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(originalCode)) return noTls
  if (command === 'STARTTLS' || (command === 'EHLO' && !/^421/.test(response ?? ''))) return noStartTls
  const found = byCode[originalCode] ?? byCode[code]
  if (found) return found
  if (/CERT|UNABLE_TO_/.test(originalCode)) return unknownAuthority
  if (originalCode.startsWith('ERR_SSL_')) return brokenTls
  if (response === undefined) return closed
  return isRefusal(response) ? refused : noMailServer
}

function signInFailureOf({ response, responseCode = 500 }: NodemailerError): Failure {
  if (responseCode < 500) return signInLater
  return response === undefined ? noSignIn : wrongPassword
}

/** Why no message can be sent at the moment. */
export function mailProblemOf(error: NodemailerError, server: Server): MailProblem {
  const { kind, sentence } = failureOf(error, server)
  return kind === 'server' ? { kind, sentence: answered(sentence, error.response) } : { kind, sentence }
}

/** The field of the account to correct. */
export function fieldErrorOf(error: NodemailerError, server: Server): FieldError {
  const { path, message } = failureOf(error, server)
  return { path, message: message(server, error) }
}

export function isConnectionError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

/** @param isEnded whether the final dot may have been written */
export function outcomeOfError(error: NodemailerError, isEnded: boolean): SendOutcome {
  const { code = '', command, response, permanent: isPermanent = false } = error
  // An answer truncated by the closing connection doesn’t count.
  if (response === undefined || command === 'CONN' || (isEnded && !isRefusal(response))) {
    if (isEnded) {
      const failure = 'The connection to the mail server was lost before it confirmed the e-mail.'
      return { end: 'unknown', failure }
    }
    if (code === 'EENVELOPE' || code === 'EMESSAGE') {
      const failure = 'The e-mail is too large for the mail server, or its address is invalid.'
      return { end: 'refused', failure }
    }
    const failure = 'The connection to the mail server was lost before it accepted the e-mail.'
    return { end: 'deferred', failure, isGeneral: true, isSilent: true }
  }
  if (/^[45]\d\d[ -][45]\.4\.5\b/.test(response)) {
    const sentence =
      'The mail server’s sending limit for this account is reached. Waiting e-mails are sent later.'
    return { end: 'unreached', problem: { kind: 'quota', sentence: answered(sentence, response) } }
  }
  // RFC 3463: 5.3.4, 5.2.3 and the old 552.
  const isTooLarge = isPermanent && /^552|^5\d\d[ -]5\.(3\.4|2\.3)\b/.test(response)
  if (command === 'MAIL FROM' && !isTooLarge) {
    const sentence = 'The mail server does not accept mail from this sender.'
    return { end: 'unreached', problem: { kind: 'sender', sentence: answered(sentence, response) } }
  }
  const failure = `The mail server refused the e-mail: ${quote(response)}`
  if (isPermanent) return { end: 'refused', failure }
  const isGeneral = /^421|^4\d\d[ -]4\.3\.\d/.test(response)
  return { end: 'deferred', failure, isGeneral, isSilent: false }
}

function isRefusal(response: string): boolean {
  return /^[45]\d\d(?!\d)/.test(response)
}

function answered(sentence: string, response = ''): string {
  return `${sentence} It answered: ${quote(response)}`
}

const quotedLength = 300

function quote(answer: string): string {
  // Includes control characters: PostgreSQL stores no NUL.
  const line = answer.replaceAll(/[\s\p{C}]+/gu, ' ').trim()
  return line.length > quotedLength ? `${line.slice(0, quotedLength)}…` : line
}
