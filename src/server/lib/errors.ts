import { type FieldError, type MailReference, type ProblemCode, problemSentences } from '#shared/problem.ts'

interface AppErrorOptions {
  /** The sentence a person reads; the code's own sentence when absent. */
  detail?: string
  /** Broken rules by field, in form order. */
  errors?: FieldError[]
  /** Seconds until another try makes sense. */
  retryAfter?: number
  /** The message of the outbox that it is about. */
  mail?: MailReference
  cause?: unknown
}

/**
 * The one error that business code throws. It knows nothing of HTTP: `http/problem.ts` turns the code into a
 * status.
 */
export class AppError extends Error {
  readonly code: ProblemCode
  readonly errors: FieldError[] | undefined
  readonly retryAfter: number | undefined
  readonly mail: MailReference | undefined

  constructor(code: ProblemCode, { detail, errors, retryAfter, mail, cause }: AppErrorOptions = {}) {
    super(detail ?? problemSentences[code], { cause })
    this.name = 'AppError'
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
    this.mail = mail
  }
}
