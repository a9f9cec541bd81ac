import type { NodemailerError } from 'nodemailer'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { FieldError } from '#shared/problem.ts'
import formErrors from './form-errors.json' with { type: 'json' }

export interface MailProblem {
  kind: 'connection' | 'server' | 'quota' | 'encryption' | 'sign-in' | 'sender' | 'account'
  sentence: string
}

export type SendOutcome =
  | { end: 'sent' }
  // `code`: of the server’s answer, by RFC 3463 where it gives one; absent where it didn’t answer.
  | { end: 'refused'; failure: string; code?: string }
  // The server didn't accept the message, and may do so later. `isGeneral`: not about this message · `isSilent`: the
  // connection ended without an answer
  | { end: 'deferred'; failure: string; isGeneral: boolean; isSilent: boolean; code?: string }
  | { end: 'unreached'; problem: MailProblem }
  // The message was transmitted without a clear answer, so the server may have accepted it.
  | { end: 'unknown'; failure: string }

/** A failed sign-in whose cause is known when it is thrown. It has what the queue shows, and what the account's form shows. */
export class SignInFailure extends Error {
  override name = 'SignInFailure'
  code = 'EOAUTH2'
  problem: MailProblem
  field: FieldError

  constructor(problem: MailProblem, field: FieldError) {
    super('the mail account has no access token that is accepted')
    this.problem = problem
    this.field = field
  }
}

type Server = Pick<SendingAccount, 'host' | 'port' | 'secure'>

const problem = (kind: MailProblem['kind'], sentence: string): MailProblem => ({ kind, sentence })
const unreachable = problem(
  'connection',
  'Could not reach the mail server. Waiting e-mails are sent when it can be reached again.',
)
const notFound = problem('connection', 'The mail server was not found. Please check its name.')
const forbidden = problem(
  'connection',
  'The mail server has an address in a closed network, so nothing was sent.',
)
const untrusted = problem(
  'encryption',
  'The certificate of the mail server can’t be trusted, so nothing was sent.',
)
const unencrypted = problem(
  'encryption',
  'The connection to the mail server could not be encrypted, so nothing was sent.',
)
const refused = problem('server', 'The mail server does not accept mail at the moment.')
const signInRefused = problem(
  'sign-in',
  'The mail server did not accept the e-mail address and the app password. Please check the configuration.',
)
const signInLater = problem('server', 'The mail server does not accept sign-ins at the moment.')

/** What the queue shows, and what the account's form shows. */
type Failure = [MailProblem, keyof typeof formErrors]

const byCode: Record<string, Failure> = {
  ERR_TLS_CERT_ALTNAME_INVALID: [untrusted, 'otherName'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [untrusted, 'selfSigned'],
  SELF_SIGNED_CERT_IN_CHAIN: [untrusted, 'selfSigned'],
  CERT_HAS_EXPIRED: [untrusted, 'expired'],
  CERT_NOT_YET_VALID: [untrusted, 'notYetValid'],
  ETLS: [unencrypted, 'brokenTls'],
  EDNS: [notFound, 'noName'],
  EACCES: [forbidden, 'closedNetwork'],
  ETIMEDOUT: [unreachable, 'noAnswer'],
  ECONNREFUSED: [unreachable, 'noListener'],
  EHOSTUNREACH: [unreachable, 'noRoute'],
  ENETUNREACH: [unreachable, 'noRoute'],
}

function failureOf(error: NodemailerError, { host, secure }: Server): Failure {
  const { code = '', originalCode = code, command, response } = error
  if (code === 'EAUTH') return signInFailureOf(error, host)
  // The plain-text answer of a server without TLS parses as broken TLS.
  if (secure && /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(originalCode))
    return [unencrypted, 'noTls']
  if (command === 'STARTTLS' || (command === 'EHLO' && !/^421/.test(response ?? '')))
    return [unencrypted, 'noStartTls']
  const found = byCode[originalCode] ?? byCode[code]
  if (found === byCode.ETIMEDOUT && error.timeoutType === 'GREETING_TIMEOUT' && !secure)
    return [unreachable, 'noGreeting']
  if (found) return found
  if (/CERT|UNABLE_TO_/.test(originalCode)) return [untrusted, 'unknownAuthority']
  if (originalCode.startsWith('ERR_SSL_')) return [unencrypted, 'brokenTls']
  if (response === undefined) return [unreachable, 'closed']
  return [refused, isRefusal(response) ? 'refused' : 'noMailServer']
}

function signInFailureOf({ response, responseCode = 500 }: NodemailerError, host: string): Failure {
  if (responseCode < 500) return [signInLater, 'signInLater']
  if (response === undefined) return [signInRefused, 'noSignIn']
  const isGmail = /(^|\.)(gmail|googlemail)\.com$/i.test(host)
  return [signInRefused, isGmail ? 'wrongGmailPassword' : 'wrongPassword']
}

/** Why no message can be sent at the moment. */
export function mailProblemOf(error: NodemailerError, server: Server): MailProblem {
  if (error instanceof SignInFailure) return error.problem
  const [{ kind, sentence }] = failureOf(error, server)
  const hasAnswer = kind === 'server' || (kind === 'sign-in' && error.response !== undefined)
  return { kind, sentence: hasAnswer ? answered(sentence, error.response) : sentence }
}

/** The field of the account to correct. */
export function fieldErrorOf(error: NodemailerError, server: Server): FieldError {
  if (error instanceof SignInFailure) return error.field
  const { path, message } = formErrors[failureOf(error, server)[1]]
  const words: Record<string, string> = {
    '{host}': server.host,
    '{port}': String(server.port),
    '{answer}': answerFor(error),
  }
  return { path, message: message.replace(/\{\w+\}/g, (name) => words[name] ?? name) }
}

/**
 * Security: what answers before a sign-in may be another service of the network, whose banner isn't for the form. Who takes a
 * sign-in has greeted as a mail server, and its words are the reason that helps.
 */
function answerFor({ code, response = '' }: NodemailerError): string {
  return code === 'EAUTH' ? quote(response) : (/^\d{3}([ -]\d\.\d+\.\d+)?/.exec(response)?.[0] ?? '')
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
  const answer = /^\d{3}[ -]([45]\.\d+\.\d+)/.exec(response)?.[1] ?? response.slice(0, 3)
  if (isPermanent) return { end: 'refused', failure, code: answer }
  const isGeneral = /^421|^4\d\d[ -]4\.3\.\d/.test(response)
  return { end: 'deferred', failure, isGeneral, isSilent: false, code: answer }
}

function isRefusal(response: string): boolean {
  return /^[45]\d\d(?!\d)/.test(response)
}

export function answered(sentence: string, response = ''): string {
  return `${sentence} It answered: ${quote(response)}`
}

const quotedLength = 300

function quote(answer: string): string {
  // Includes control characters: PostgreSQL stores no NUL.
  const line = answer.replaceAll(/[\s\p{C}]+/gu, ' ').trim()
  return line.length > quotedLength ? `${line.slice(0, quotedLength)}…` : line
}
