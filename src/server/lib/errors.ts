import { type FieldError, type MailReference, type ProblemCode, problemSentences } from '#shared/problem.ts'

interface AppErrorOptions {
  detail?: string
  errors?: FieldError[]
  // The time in seconds.
  retryAfter?: number
  mail?: MailReference
  challenge?: string
  cause?: unknown
}

/** The one error that business code throws. It is independent of HTTP: `http/problem.ts` maps the code to a status. */
export class AppError extends Error {
  readonly code: ProblemCode
  readonly errors: FieldError[] | undefined
  readonly retryAfter: number | undefined
  readonly mail: MailReference | undefined
  readonly challenge: string | undefined

  /** @param options the sentence for the user, or more; without one, that of the first field's error or of the code */
  constructor(code: ProblemCode, options: string | AppErrorOptions = {}) {
    const given = typeof options === 'string' ? { detail: options } : options
    const { errors, retryAfter, mail, challenge, cause, detail = errors?.[0]?.message } = given
    super(detail ?? problemSentences[code], { cause })
    this.name = 'AppError'
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
    this.mail = mail
    this.challenge = challenge
  }
}

/** What is wrong with one field of the input. */
export function invalid(path: string, message: string, cause?: unknown): AppError {
  return new AppError('invalid', { errors: [{ path, message }], cause })
}

export function tooBig(path: string, message: string): AppError {
  return new AppError('too_big', { errors: [{ path, message }] })
}
