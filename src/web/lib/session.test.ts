import { expect, test } from 'vitest'
import { hasCookie } from './session.ts'

test.each([
  [undefined, false],
  ['theme=dark', false],
  ['nstp-session=', false],
  ['other-nstp-session=abc', false],
  ['nstp-device=abc', false],
  ['nstp-session=abc', true],
  ['theme=dark; nstp-session=abc', true],
  ['theme=dark;__Host-nstp-session=abc', true],
])('the cookies %j are worth asking for a session: %s', (cookie, expected) => {
  const headers = cookie === undefined ? {} : { Cookie: cookie }
  expect(hasCookie(new Request('https://school.example/', { headers }), 'nstp-session')).toBe(expected)
})
