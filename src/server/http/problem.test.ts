import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
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

async function failureOf(method: string, path: string) {
  vi.spyOn(server.database.pool, 'query').mockImplementation(() => {
    throw new Error('broken')
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
])('%s fails with the message of the specification', async (path, message) => {
  expect(await failureOf('POST', path)).toMatchObject({ success: false, message, detail: message })
})

test('every other call fails with the general message', async () => {
  const detail = 'Something went wrong on our side. Please try again in a minute.'
  expect(await failureOf('POST', '/api/update-email-config')).toMatchObject({
    success: false,
    message: detail,
  })
  const problem = await failureOf('GET', '/api/students')
  expect(problem).toMatchObject({ detail })
  expect(problem).not.toHaveProperty('success')
})

test('an e-mail call that is refused before it runs has the form of the specification', async () => {
  expect(await createAdminClient(server, '').refusal('POST', '/send-email', {})).toMatchObject({
    status: 401,
  })
  const response = await fetch(`${server.url}/api/send-email`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' },
  })
  expect(await response.json()).toMatchObject({ code: 'permission_denied', success: false })
})
