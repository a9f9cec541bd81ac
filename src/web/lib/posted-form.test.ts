import { expect, test } from 'vitest'
import { readForm } from './posted-form.ts'

function post(body: string | URLSearchParams, contentType?: string): Request {
  const headers = contentType === undefined ? {} : { 'Content-Type': contentType }
  return new Request('http://portal.test/login', { method: 'POST', body, headers })
}

test('a posted form is read', async () => {
  const form = await readForm(post(new URLSearchParams({ email: 'a@school.test' })))
  expect(form.get('email')).toBe('a@school.test')
})

test.each([
  ['another type of content', '{}', 'application/json'],
  ['a body that is not what its type says', 'no parts here', 'multipart/form-data; boundary=x'],
  ['a type without its boundary', 'x', 'multipart/form-data'],
])('%s is refused as invalid, with a sentence for the error page', async (_case, body, contentType) => {
  await expect(readForm(post(body, contentType))).rejects.toMatchObject({
    init: { status: 400 },
    data: {
      code: 'invalid',
      detail: 'The form could not be read. Please go back and submit it again.',
    },
  })
})
