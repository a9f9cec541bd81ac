/** The e-mail calls of the specification: their answers carry `success` and `message`, also when they fail. */
const mailCalls: ReadonlySet<string> = new Set([
  '/api/send-email',
  '/api/send-bulk-emails',
  '/api/update-email-config',
  '/api/mail/test',
  '/emailService/send-welcome-email',
])

/** Whether a request is one of them. */
export function isMailCall(path: string): boolean {
  return mailCalls.has(path)
}
