import type { NodemailerError } from 'nodemailer'
import type { MailTrouble } from './send-outcome.ts'

/** Longest piece of a server's answer that is quoted. */
const quotedLength = 300

/** What an error before the message means, as a sentence that says what to do. */
export function troubleOf(error: NodemailerError): MailTrouble {
  if (error.code === 'EAUTH') return signInTrouble(error)
  if (error.code === 'ETLS' || isCertificateError(error)) return encryptionTrouble(error)
  if (error.code === 'EDNS') {
    return {
      kind: 'connection',
      sentence: 'Could not find the mail server by its name. Please check the server’s name.',
    }
  }
  if (error.command === 'MAIL FROM') return senderTrouble(error)
  if (error.response) {
    return {
      kind: 'server',
      sentence: `The mail server takes no mail at the moment. It answered: ${quote(error.response)}`,
    }
  }
  return { kind: 'connection', sentence: couldNotReach }
}

/** Nothing answers where the server is said to be. */
export const couldNotReach =
  'Could not reach the mail server. Messages wait and are sent when it answers again.'

/** A server's answer in one line, short enough to be shown. */
export function quote(answer: string): string {
  // With whatever does not print: the ledger takes no NUL.
  const line = answer.replaceAll(/[\s\p{C}]+/gu, ' ').trim()
  return line.length > quotedLength ? `${line.slice(0, quotedLength)}…` : line
}

/** Whether the server's reason is that the account has sent enough for now (Gmail: 5.4.5). */
export function isQuotaAnswer(answer: string | undefined): boolean {
  return answer !== undefined && /^[45]\d\d[ -][45]\.4\.5\b/.test(answer)
}

function signInTrouble({ response, responseCode }: NodemailerError): MailTrouble {
  if (responseCode !== undefined && responseCode < 500) {
    return {
      kind: 'server',
      sentence: `The mail server lets nobody sign in at the moment. It answered: ${quote(response ?? '')}`,
    }
  }
  return {
    kind: 'sign-in',
    sentence:
      'The mail server did not accept the e-mail address and the app password. Please check the configuration.',
  }
}

function encryptionTrouble(error: NodemailerError): MailTrouble {
  return {
    kind: 'encryption',
    sentence: isCertificateError(error)
      ? 'The mail server showed a certificate that can’t be trusted, so nothing was sent to it.'
      : 'The connection to the mail server could not be encrypted, so nothing was sent to it.',
  }
}

function senderTrouble({ response }: NodemailerError): MailTrouble {
  if (isQuotaAnswer(response)) return quotaTrouble(response)
  if (response === undefined) return { kind: 'connection', sentence: couldNotReach }
  return {
    kind: 'sender',
    sentence: `The mail server takes no mail from this sender. It answered: ${quote(response)}`,
  }
}

/** The account has sent as much as its provider lets it. */
export function quotaTrouble(response = ''): MailTrouble {
  return {
    kind: 'quota',
    sentence: `The mail server says that this account has sent enough for now. It answered: ${quote(response)}`,
  }
}

/** Node's names: CERT_HAS_EXPIRED, DEPTH_ZERO_SELF_SIGNED_CERT, ERR_TLS_CERT_ALTNAME_INVALID, UNABLE_TO_VERIFY_… */
function isCertificateError(error: NodemailerError): boolean {
  const original: unknown = 'originalCode' in error ? error.originalCode : undefined
  return [error.code, original].some((code) => typeof code === 'string' && /CERT|UNABLE_TO_/.test(code))
}
