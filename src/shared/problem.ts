import type { MailState } from './mail/mail.ts'

/** The error contract of the API (RFC 9457 problem details), shared by the server and its clients. */

export const problemCodes = [
  'invalid',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'conflict',
  'too_big',
  'too_many_requests',
  'unavailable',
  'maxretry',
  'not_sent',
  'internal',
] as const

export type ProblemCode = (typeof problemCodes)[number]

/** One rule that the input breaks; `path` is the field's name, '' for the input as a whole. */
export interface FieldError {
  path: string
  message: string
}

/** The body of every `application/problem+json` answer. `detail` is the sentence a person reads. */
export interface Problem {
  title: string
  status: number
  detail: string
  code: ProblemCode
  requestId?: string
  errors?: FieldError[]
  /** Beside the rest in answers of the e-mail calls: always false, and the sentence again. */
  success?: false
  message?: string
  /** The message of the outbox that it is about. */
  mail?: MailReference
}

/** A message of the outbox in an answer about sending it. */
export interface MailReference {
  id: string
  state: MailState
}

/** The sentence for a code when the thrower has nothing more precise to say. */
export const problemSentences: Record<ProblemCode, string> = {
  invalid: 'Some of the information is missing or not valid. Please check the marked fields.',
  unauthenticated: 'Authentication required. Please login as admin.',
  permission_denied: 'Permission denied. Please check your access privileges.',
  not_found: 'What you are looking for could not be found.',
  conflict: 'Somebody else changed this in the meantime. Please look at the change and try again.',
  too_big: 'What you sent is too large.',
  too_many_requests: 'Too many requests. Please wait a moment and try again.',
  unavailable: 'The service is not available at the moment. Please try again in a minute.',
  maxretry: 'The change could not be saved because too many others were being saved. Please try again.',
  not_sent: 'Failed to send email',
  internal: 'Something went wrong on our side. Please try again in a minute.',
}

/** What a browser shows when no answer came at all. */
export const connectionSentence =
  'We could not reach the server. Please check your internet connection and try again.'
