import type { MailState } from './mail/mail.ts'

// RFC 9457 problem details.

export interface FieldError {
  path: string
  message: string
}

/** What a schema refuses, by field. */
export function fieldErrors(
  error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } | undefined,
): FieldError[] {
  return (error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))
}

export interface Problem {
  title: string
  status: number
  detail: string
  code: ProblemCode
  requestId?: string
  errors?: FieldError[]
  success?: false
  message?: string
  mail?: MailReference
  challenge?: string
}

export interface MailReference {
  id: string
  state: MailState
}

/** The solution of a `challenge` is accepted from this age on. */
export const challengeAgeMs = 3_000

export const problemSentences = {
  invalid: 'Some of the information is missing or not valid. Please check the marked fields.',
  unauthenticated: 'Authentication required. Please login as admin.',
  permission_denied: 'Permission denied. Please check your access privileges.',
  proof_needed: 'Please enter your password again to do this.',
  challenge_needed: 'Many students are enlisting right now. Please wait 30 seconds, then submit again.',
  not_found: 'What you are looking for could not be found.',
  method_not_allowed: 'This address doesn’t support that method.',
  conflict: 'Someone else changed this in the meantime. Please review the change and try again.',
  unsupported_media_type: 'This address doesn’t accept data of that type.',
  too_slow: 'The data did not arrive in time. Please check your internet connection and try again.',
  too_big: 'The data you sent is too large.',
  too_many_requests: 'Too many requests. Please wait a moment and try again.',
  unavailable: 'The service is not available at the moment. Please try again in a minute.',
  maxretry:
    'The change could not be saved because too many changes were being saved at the same time. Please try again.',
  not_sent: 'Failed to send email',
  internal: 'Something went wrong on our side. Please try again in a minute.',
} as const satisfies Record<string, string>

export type ProblemCode = keyof typeof problemSentences

export const problemCodes = Object.keys(problemSentences) as ProblemCode[] // keys of a literal object

export const connectionSentence =
  'We could not reach the server. Please check your internet connection and try again.'
