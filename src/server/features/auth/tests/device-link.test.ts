import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date('2026-08-03T08:00:00+08:00') }
const minuteMs = 60_000

let server: TestServer

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())

const open = (link: string) =>
  fetch(`${server.url}/api/session/device`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ link }),
  })
const signIn = (cookie = '', password = adminPassword) =>
  fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: cookie },
    body: JSON.stringify({ email: adminEmail, password }),
  })
const addressFor = async (cookie: string) => {
  const answer = await fetch(`${server.url}/api/session`, { headers: { Cookie: cookie } })
  return (await answer.json()).adminEmail
}

test('the owner gets in from a new browser while others guess, and only there the address is named', async () => {
  for (let i = 0; i < 5; i++) await signIn('', 'a wrong pass phrase')
  expect((await signIn()).status).toBe(429)

  const { email, token } = await server.administrators.allowDevice()
  expect(email).toBe(adminEmail)
  const opened = await open(token)
  expect(opened.status).toBe(204)
  const device = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  expect(device).not.toContain(token)
  expect(await addressFor(device)).toBe(adminEmail)
  expect(await addressFor(`nstp-device=${token}`)).toBe('')
  expect((await signIn(device)).status).toBe(200)
  expect((await signIn()).status).toBe(429)
})

test('reading its address uses no link up', async () => {
  const { token } = await server.administrators.allowDevice()
  const read = await fetch(`${server.url}/api/session/device?link=${token}`)
  expect([read.status, read.headers.getSetCookie()]).toEqual([405, []])
  expect((await open(token)).status).toBe(204)
})

test('a link works once, within an hour', async () => {
  const { token } = await server.administrators.allowDevice()
  const answers = await Promise.all([open(token), open(token), open(token)])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])

  const late = await server.administrators.allowDevice()
  clock.now = new Date(clock.now.getTime() + 60 * minuteMs)
  expect((await open(late.token)).status).toBe(404)
  expect((await open('x'.repeat(43))).status).toBe(404)
  expect((await open('nothing')).status).toBe(404)
})
