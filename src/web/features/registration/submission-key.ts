import { textOf } from './form-values.ts'

/** What the API takes as an Idempotency-Key. */
const keyPattern = /^[\w-]{8,128}$/

/**
 * The key that a posted form is registered under. One that the API would refuse, which only a changed form
 * can have, is replaced: it must not cost the answers.
 */
export function submissionKeyOf(form: FormData): string {
  const key = textOf(form, 'idempotencyKey')
  return keyPattern.test(key) ? key : crypto.randomUUID()
}
