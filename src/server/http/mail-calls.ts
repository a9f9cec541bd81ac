import { mailSentences } from '#shared/mail.ts'
import { problemSentences } from '#shared/problem.ts'

/**
 * The e-mail calls of the specification: their answers carry `success` and `message`, also when they fail; with what
 * they say when something went wrong that nobody foresaw.
 */
const mailCalls: ReadonlyMap<string, string> = new Map([
  ['/api/send-email', mailSentences.failedToSend],
  ['/api/send-bulk-emails', mailSentences.failedToSendBulk],
  ['/api/update-email-config', problemSentences.internal],
  ['/api/mail/test', mailSentences.failedToSend],
  ['/api/mail/test/bulk', mailSentences.failedToSend],
  ['/emailService/send-welcome-email', mailSentences.failedToSendWelcome],
])

/** Whether a request is one of them. */
export function isMailCall(path: string): boolean {
  return mailCalls.has(path)
}

/** What a request says that failed in a way that nobody foresaw. */
export function failureSentence(path: string): string {
  return mailCalls.get(path) ?? problemSentences.internal
}
