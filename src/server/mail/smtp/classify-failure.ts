import type { NodemailerError } from 'nodemailer'
import type { SendOutcome } from './send-outcome.ts'
import { isQuotaAnswer, quotaTrouble, quote, troubleOf } from './smtp-trouble.ts'

/** Kept for errors of the transport's own making that have no answer of the server. */
const refusedHere = new Set<string | undefined>(['EENVELOPE', 'EMESSAGE'])

/**
 * What an error while a message was being sent says about it.
 *
 * @param isEnded whether the final dot may have been written
 */
export function classifyFailure(error: NodemailerError, isEnded: boolean): SendOutcome {
  const { command, response } = error
  // An answer that the closing of the connection cut short is none.
  if (response === undefined || command === 'CONN' || (isEnded && !isRefusal(response))) {
    return classifySilence(error, isEnded)
  }
  if (isQuotaAnswer(response)) return { end: 'unreached', trouble: quotaTrouble(response) }
  const isForGood = error.permanent === true
  if (command === 'MAIL FROM' && !(isForGood && isAboutSize(response))) {
    return { end: 'unreached', trouble: troubleOf(error) }
  }
  const failure = `The mail server refused it: ${quote(response)}`
  if (isForGood) return { end: 'refused', failure }
  return { end: 'deferred', failure, isGeneral: isGeneral(response), isSilent: false }
}

function classifySilence(error: NodemailerError, isEnded: boolean): SendOutcome {
  if (isEnded) {
    const failure = 'The connection to the mail server broke off before it said whether it took the message.'
    return { end: 'unknown', failure }
  }
  if (refusedHere.has(error.code)) {
    return {
      end: 'refused',
      failure: 'The message is larger than the mail server takes, or its address is invalid.',
    }
  }
  const failure = 'The connection to the mail server broke off before it took the message.'
  return { end: 'deferred', failure, isGeneral: true, isSilent: true }
}

/** Whether it clearly says no: what else a server says about a message that it got whole leaves it in doubt. */
function isRefusal(response: string): boolean {
  return /^[45]\d\d(?!\d)/.test(response)
}

/** RFC 3463: 5.3.4, 5.2.3 and the old 552. */
function isAboutSize(response: string): boolean {
  return /^552|^5\d\d[ -]5\.(3\.4|2\.3)\b/.test(response)
}

/** The server closes, or its system is in trouble (4.3.x). */
function isGeneral(response: string): boolean {
  return /^421|^4\d\d[ -]4\.3\.\d/.test(response)
}
