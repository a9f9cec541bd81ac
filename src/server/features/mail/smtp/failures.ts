import type { NodemailerError } from 'nodemailer'
import type { FieldError } from '#shared/problem.ts'

interface Server {
  host: string
  port: number
  secure: boolean
}

// seconds
const timeoutSeconds = 10

export function isConnectionError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}

export function explainFailure(error: NodemailerError, server: Server): FieldError {
  const own = explainCertificate(error, server) ?? explainEncryption(error, server)
  if (own) return own
  switch (error.code) {
    case 'EAUTH':
      return explainSignIn(error, server)
    case 'EDNS':
      return { path: 'host', message: `There is no server named ${server.host}. Please check its spelling.` }
    case 'ETIMEDOUT':
      return explainTimeout(error, server)
    case 'ESOCKET':
    case 'ECONNECTION':
      return explainConnection(error, server)
    default:
      return error.response === undefined
        ? {
            path: 'host',
            message: `The connection to ${server.host} failed. Please check the server and the port.`,
          }
        : explainAnswer(error.response, server)
  }
}

function explainCertificate(error: NodemailerError, { host }: Server): FieldError | undefined {
  switch (causeOf(error)) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        path: 'host',
        message: `The certificate of ${host} is for another name. Please enter the server name that the provider gives.`,
      }
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        path: 'host',
        message: `${host} has a self-signed certificate, which can’t be trusted. It needs a certificate from a known authority.`,
      }
    case 'CERT_HAS_EXPIRED':
      return { path: 'host', message: `The certificate of ${host} has expired. Its owner must renew it.` }
    case 'CERT_NOT_YET_VALID':
      return {
        path: 'host',
        message: `The certificate of ${host} is not valid yet. Please check the clock of this server.`,
      }
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        path: 'host',
        message: `The certificate of ${host} can’t be checked: this server does not know the authority that issued it.`,
      }
    default:
      return undefined
  }
}

function explainEncryption(error: NodemailerError, { host, port, secure }: Server): FieldError | undefined {
  const cause = causeOf(error)
  // The plain-text answer of a server without TLS parses as broken TLS.
  if (secure && /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/.test(cause)) {
    return {
      path: 'secure',
      message: `${host} does not use TLS at port ${port}. Please choose STARTTLS, or port 465.`,
    }
  }
  if (error.command === 'STARTTLS' || error.command === 'EHLO') {
    return {
      path: 'secure',
      message: `${host} offers no encryption (STARTTLS) at port ${port}. Please choose TLS with port 465, or another server.`,
    }
  }
  if (error.code !== 'ETLS' && !cause.startsWith('ERR_SSL_')) return undefined
  return {
    path: 'secure',
    message: `The connection to ${host} could not be encrypted. Please check the port and the encryption.`,
  }
}

function explainSignIn({ response, responseCode }: NodemailerError, { host }: Server): FieldError {
  if (response === undefined) {
    return {
      path: 'host',
      message: `${host} offers no way to sign in. Please check the server and the port.`,
    }
  }
  if (responseCode !== undefined && responseCode < 500) {
    return {
      path: 'emailPassword',
      message: `${host} does not accept sign-ins at the moment. Please try again later. It answered: ${quote(response)}`,
    }
  }
  const advice = /(^|\.)(gmail|googlemail)\.com$/i.test(host)
    ? 'Gmail needs an app password here, not the account password.'
    : 'Please check both. Many providers accept only app passwords.'
  return { path: 'emailPassword', message: `${host} did not accept the user name and password. ${advice}` }
}

function explainTimeout({ timeoutType }: NodemailerError, { host, port, secure }: Server): FieldError {
  const isConnected = timeoutType === 'GREETING_TIMEOUT'
  const advice =
    isConnected && !secure
      ? 'If the server uses TLS from the start, as at port 465, please choose TLS.'
      : 'Please check the server and the port.'
  return {
    path: 'port',
    message: `${host} gave no answer at port ${port} within ${timeoutSeconds} seconds. ${advice}`,
  }
}

function explainConnection(error: NodemailerError, { host, port }: Server): FieldError {
  switch (causeOf(error)) {
    case 'ECONNREFUSED':
      return {
        path: 'port',
        message: `${host} refuses connections at port ${port}. Please check the port.`,
      }
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return {
        path: 'host',
        message: `${host} can’t be reached from here. Please check the server and this machine’s network.`,
      }
    default:
      return error.response === undefined
        ? {
            path: 'host',
            message: `${host} closed the connection at port ${port} without an answer. Please check the port and the encryption.`,
          }
        : explainAnswer(error.response, { host, port })
  }
}

function explainAnswer(response: string, { host, port }: Pick<Server, 'host' | 'port'>): FieldError {
  return /^[45]\d\d[ -]/.test(response)
    ? { path: 'host', message: `${host} refused the connection. It answered: ${quote(response)}` }
    : {
        path: 'port',
        message: `${host} is not a mail server at port ${port}. Please check the server and the port.`,
      }
}

function causeOf(error: NodemailerError): string {
  return error.originalCode ?? error.code ?? ''
}

const localRefusals = new Set<string | undefined>(['EENVELOPE', 'EMESSAGE'])

/** @param isEnded whether the final dot may have been written */
export function classifyFailure(error: NodemailerError, isEnded: boolean): SendOutcome {
  const { command, response } = error
  // An answer truncated by the closing connection doesn’t count.
  if (response === undefined || command === 'CONN' || (isEnded && !isRefusal(response))) {
    return classifySilence(error, isEnded)
  }
  if (isQuotaAnswer(response)) return { end: 'unreached', problem: quotaProblem(response) }
  const isPermanent = error.permanent === true
  if (command === 'MAIL FROM' && !(isPermanent && isAboutSize(response))) {
    return { end: 'unreached', problem: mailProblemOf(error) }
  }
  const failure = `The mail server refused the e-mail: ${quote(response)}`
  if (isPermanent) return { end: 'refused', failure }
  return { end: 'deferred', failure, isGeneral: isGeneral(response), isSilent: false }
}

function classifySilence(error: NodemailerError, isEnded: boolean): SendOutcome {
  if (isEnded) {
    const failure = 'The connection to the mail server was lost before it confirmed the e-mail.'
    return { end: 'unknown', failure }
  }
  if (localRefusals.has(error.code)) {
    return {
      end: 'refused',
      failure: 'The e-mail is too large for the mail server, or its address is invalid.',
    }
  }
  const failure = 'The connection to the mail server was lost before it accepted the e-mail.'
  return { end: 'deferred', failure, isGeneral: true, isSilent: true }
}

function isRefusal(response: string): boolean {
  return /^[45]\d\d(?!\d)/.test(response)
}

// RFC 3463: 5.3.4, 5.2.3 and the old 552.
function isAboutSize(response: string): boolean {
  return /^552|^5\d\d[ -]5\.(3\.4|2\.3)\b/.test(response)
}

function isGeneral(response: string): boolean {
  return /^421|^4\d\d[ -]4\.3\.\d/.test(response)
}

const quotedLength = 300

export function mailProblemOf(error: NodemailerError): MailProblem {
  if (error.code === 'EAUTH') return signInProblem(error)
  if (error.code === 'ETLS' || isCertificateError(error)) return encryptionProblem(error)
  if (error.code === 'EDNS') {
    return {
      kind: 'connection',
      sentence: 'The mail server was not found. Please check its name.',
    }
  }
  if (error.command === 'MAIL FROM') return senderProblem(error)
  if (error.response) {
    return {
      kind: 'server',
      sentence: `The mail server does not accept mail at the moment. It answered: ${quote(error.response)}`,
    }
  }
  return { kind: 'connection', sentence: unreachable }
}

const unreachable = 'Could not reach the mail server. Waiting e-mails are sent when it can be reached again.'

function quote(answer: string): string {
  // Includes control characters: PostgreSQL stores no NUL.
  const line = answer.replaceAll(/[\s\p{C}]+/gu, ' ').trim()
  return line.length > quotedLength ? `${line.slice(0, quotedLength)}…` : line
}

function isQuotaAnswer(answer: string | undefined): boolean {
  return answer !== undefined && /^[45]\d\d[ -][45]\.4\.5\b/.test(answer)
}

function signInProblem({ response, responseCode }: NodemailerError): MailProblem {
  if (responseCode !== undefined && responseCode < 500) {
    return {
      kind: 'server',
      sentence: `The mail server does not accept sign-ins at the moment. It answered: ${quote(response ?? '')}`,
    }
  }
  return {
    kind: 'sign-in',
    sentence:
      'The mail server did not accept the e-mail address and the app password. Please check the configuration.',
  }
}

function encryptionProblem(error: NodemailerError): MailProblem {
  return {
    kind: 'encryption',
    sentence: isCertificateError(error)
      ? 'The certificate of the mail server can’t be trusted, so nothing was sent.'
      : 'The connection to the mail server could not be encrypted, so nothing was sent.',
  }
}

function senderProblem({ response }: NodemailerError): MailProblem {
  if (isQuotaAnswer(response)) return quotaProblem(response)
  if (response === undefined) return { kind: 'connection', sentence: unreachable }
  return {
    kind: 'sender',
    sentence: `The mail server does not accept mail from this sender. It answered: ${quote(response)}`,
  }
}

function quotaProblem(response = ''): MailProblem {
  return {
    kind: 'quota',
    sentence: `The mail server’s sending limit for this account is reached. Waiting e-mails are sent later. It answered: ${quote(response)}`,
  }
}

function isCertificateError(error: NodemailerError): boolean {
  const original: unknown = 'originalCode' in error ? error.originalCode : undefined
  return [error.code, original].some((code) => typeof code === 'string' && /CERT|UNABLE_TO_/.test(code))
}

export type SendOutcome =
  | { end: 'sent' }
  | { end: 'refused'; failure: string }
  // Not accepted, may be later. `isGeneral`: not about this message · `isSilent`: the connection ended without an answer
  | { end: 'deferred'; failure: string; isGeneral: boolean; isSilent: boolean }
  | { end: 'unreached'; problem: MailProblem }
  // The message was transmitted without a clear answer, so the server may have accepted it.
  | { end: 'unknown'; failure: string }

export interface MailProblem {
  kind: 'connection' | 'server' | 'quota' | 'encryption' | 'sign-in' | 'sender'
  sentence: string
}
