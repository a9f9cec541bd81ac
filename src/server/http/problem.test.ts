import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { problemSentences } from '#shared/problem.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())
afterEach(() => vi.restoreAllMocks())

async function failureOf(method: string, path: string, error: Error = new Error('broken')) {
  vi.spyOn(server.database.pool, 'query').mockImplementation(() => {
    throw error
  })
  const response = await fetch(server.url + path, { method, headers: { Cookie: cookie } })
  return await response.json()
}

test.each([
  ['/api/send-email', 'Failed to send email'],
  ['/api/send-bulk-emails', 'Failed to send bulk emails'],
  ['/api/mail/test', 'Failed to send email'],
  ['/api/mail/test/bulk', 'Failed to send email'],
  ['/emailService/send-welcome-email', 'Failed to send welcome email'],
])('%s fails with its message', async (path, message) => {
  expect(await failureOf('POST', path)).toMatchObject({ success: false, message, detail: message })
})

test('every other call fails with the general message', async () => {
  const detail = 'Something went wrong on our side. Please try again in a minute.'
  // Nothing else: no trace, no message of the fault.
  const problem = {
    title: 'Internal error',
    status: 500,
    detail,
    code: 'internal',
    requestId: expect.any(String),
  }
  expect(await failureOf('POST', '/api/update-email-config')).toEqual({
    ...problem,
    success: false,
    message: detail,
  })
  expect(await failureOf('GET', '/api/students')).toEqual(problem)
  const ended = Object.assign(new Error('terminating connection to nstp_portal'), { code: '57P01' })
  expect(await failureOf('GET', '/api/students', ended)).toEqual({
    title: 'Not available',
    status: 503,
    detail: problemSentences.unavailable,
    code: 'unavailable',
    requestId: expect.any(String),
  })
  vi.spyOn(server.database.pool, 'connect').mockImplementation(() => {
    throw new Error('broken')
  })
  const page = await fetch(`${server.url}/announcements/feed.xml`, { headers: { Accept: 'text/html' } })
  expect([page.status, page.headers.get('Content-Type')]).toEqual([500, 'text/html; charset=UTF-8'])
  const [, main = ''] = /<main>(.*)<\/main>/s.exec(await page.text()) ?? []
  expect(
    main
      .replace(/<[^>]+>/g, '')
      .trim()
      .split('\n'),
  ).toEqual([
    'Internal error',
    detail,
    'Go back in your browser to keep what you typed, or go to the home page.',
  ])
})

test('an e-mail call that is refused before it runs has `success` and `message`', async () => {
  expect(await createAdminClient(server, '').refusal('POST', '/send-email', {})).toMatchObject({
    status: 401,
  })
  const response = await fetch(`${server.url}/api/send-email`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' },
  })
  expect(await response.json()).toMatchObject({ code: 'permission_denied', success: false })
})
