import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { passwordMessages } from '#shared/auth/account.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { refusalsOfGuarded } from '#tests/setup/guarded-routes.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const dayMs = 24 * 60 * 60 * 1000
const own = 'a phrase of the owner alone'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer(Object.assign(clock, { hasFirstPassword: true }))
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  await server.database.db.updateTable('admins').set({ passwordChangedAt: today }).execute()
})

test('the login names the account until the first sign-in, and then only to known browsers', async () => {
  const fresh = await startTestServer({ hasFirstPassword: true })
  const emailFor = async (cookie = '') =>
    (await (await fetch(`${fresh.url}/api/session`, { headers: { cookie } })).json()).adminEmail
  expect(await emailFor()).toBe(adminEmail)
  const signedIn = await fetch(`${fresh.url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: adminEmail, password: adminPassword }),
  })
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  expect(await emailFor()).toBe('')
  expect(await emailFor(cookies.find((cookie) => /device/.test(cookie ?? '')))).toBe(adminEmail)
  await fresh.database.db.deleteFrom('knownDevices').execute()
  await fresh.administrators.resetPassword()
  expect(await emailFor()).toBe('')
  await fresh.close()
})

const refused = { status: 403, code: 'permission_denied', detail: passwordMessages.first }

test('the first password opens nothing but its own change', async () => {
  const cookie = await server.signIn()
  const { call } = createAdminClient(server, cookie)
  const { user } = await (await call('GET', '/session')).json()
  expect(user).toMatchObject({ mustSetUp: 'password' })

  const answers = await refusalsOfGuarded(server, cookie, (path) => path === '/session/password')
  expect(answers.length).toBeGreaterThan(90)
  for (const [operation, answer] of answers) expect([operation, answer]).toEqual([operation, refused])

  // It was typed on the screen before, so it isn't asked for again; ten minutes later it is.
  const errorsOf = async (json: object) =>
    (await (await call('PUT', '/session/password', json)).json()).errors
  expect(await errorsOf({ newPassword: adminPassword })).toEqual([
    { path: 'newPassword', message: passwordMessages.same },
  ])
  clock.now = new Date(today.getTime() + 11 * 60_000)
  const missing = [{ path: 'currentPassword', message: passwordMessages.currentRequired }]
  expect(await errorsOf({ newPassword: own })).toEqual(missing)
  const again = createAdminClient(server, await server.signIn())
  const changed = await again.call('PUT', '/session/password', { newPassword: own })
  expect(changed.status).toBe(204)
  const renewed = createAdminClient(server, changed.headers.getSetCookie()[0]?.split(';')[0] ?? '')
  expect((await renewed.call('GET', '/settings')).status).toBe(200)
  expect((await (await renewed.call('GET', '/session')).json()).user).not.toHaveProperty('mustSetUp')
  const later = await renewed.call('PUT', '/session/password', { newPassword: `${own} again` })
  expect((await later.json()).errors).toEqual(missing)
})

test('the first password ends after seven days, or when the clock was ahead; a password of one’s own does not', async () => {
  const { administrators } = server
  const { password } = await administrators.resetPassword()
  clock.now = new Date(today.getTime() + 7 * dayMs - 1)
  await signInOverHttp(server.url, password)
  for (const days of [7, -1]) {
    clock.now = new Date(today.getTime() + days * dayMs)
    await expect(signInOverHttp(server.url, password)).rejects.toThrow(passwordMessages.firstEnded)
  }
  clock.now = today
  const { call } = createAdminClient(server, await signInOverHttp(server.url, password))
  await call('PUT', '/session/password', { currentPassword: password, newPassword: own })
  clock.now = new Date(today.getTime() + 700 * dayMs)
  await signInOverHttp(server.url, own)
})
