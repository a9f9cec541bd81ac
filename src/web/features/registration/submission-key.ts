import { textOf } from './form-values.ts'

// The format of the API's Idempotency-Key.
const keyPattern = /^[\w-]{8,128}$/

/** A key that the API would refuse is replaced: it must not cost the answers. */
export function submissionKeyOf(form: FormData): string {
  const key = textOf(form, 'idempotencyKey')
  return keyPattern.test(key) ? key : crypto.randomUUID()
}
