import type { SentEmail, SingleEmailValues } from '#shared/single-email.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

/** Whom a mail of the form goes to: the recipient, or oneself to see how it looks. */
export type Target = 'recipient' | 'self'

/** Sends what the form holds; what is written in it is text, never HTML. @throws ApiProblem */
export function sendSingle(values: SingleEmailValues, target: Target, key: string): Promise<SentEmail> {
  const header = { 'idempotency-key': key }
  const { to, subject, message } = values
  const mail = { subject, message, format: 'text' as const }
  return target === 'self'
    ? callApi(api.mail.test.$post({ json: mail, header }))
    : callApi(api['send-email'].$post({ json: { to, ...mail }, header }))
}

/** One sending of the form as the server tells it from the next. */
export interface SendingKey {
  key: string
  /** What was sent with it. */
  of: string
}

/**
 * The key for what is sent now. After an answer that never came it is the one of before, so that the server sends
 * nothing twice; something else than before is another mail.
 */
export function keyFor(values: SingleEmailValues, target: Target, kept: SendingKey | null): SendingKey {
  const of = JSON.stringify([target, values])
  return kept?.of === of ? kept : { key: crypto.randomUUID(), of }
}

/** Whether a failure is the server's word on the mail; without one it may have been sent all the same. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  const { status, code } = error.problem
  return code === 'not_sent' || (status >= 400 && status < 500)
}
