import { expect, test } from 'vitest'
import { submissionKeyOf } from './submission-key.ts'

function formWith(key: string | undefined): FormData {
  const form = new FormData()
  if (key !== undefined) form.set('idempotencyKey', key)
  return form
}

test('a form keeps its key, so that sending it again makes no second record', () => {
  expect(submissionKeyOf(formWith('a-key-of-this-form'))).toBe('a-key-of-this-form')
})

test.each([undefined, '', 'short', 'señor-ñandú-ключ', 'a key with spaces', 'x'.repeat(129)])(
  'a key that the API would refuse is replaced by a new one: %s',
  (key) => {
    expect(submissionKeyOf(formWith(key))).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  },
)
