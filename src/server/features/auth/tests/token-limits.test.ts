import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { apiTokenSentences } from '#shared/auth/api-tokens.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { signInAs } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const dayMs = 24 * 60 * 60 * 1000

let server: TestServer
const visitor = () => createAdminClient(server, '')

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  await server.database.db.deleteFrom('apiTokens').execute()
})

async function make(limits: object) {
  const admin = createAdminClient(server, await server.signIn())
  const made = await (await admin.call('POST', '/tokens', { name: 'Registrar', ...limits })).json()
  const headers = { Authorization: `Bearer ${made.token}` }
  const send = (to = 'juan@school.edu.ph') =>
    visitor().refusal('POST', '/send-email', { to, subject: 'Parade', message: 'At seven.' }, headers)
  return { made, send, headers }
}

// Past the limits: the tests' server has no mail account.
const passed = { status: 503 }

test('a token ends after a year, or sooner', async () => {
  const { made, send } = await make({})
  expect(made.expiresAt).toBe(new Date(today.getTime() + 365 * dayMs).toISOString())
  clock.now = new Date(today.getTime() + 365 * dayMs - 1)
  expect(await send()).toMatchObject(passed)
  clock.now = new Date(today.getTime() + 365 * dayMs)
  expect(await send()).toMatchObject({ status: 401, detail: apiTokenSentences.refused })
})

test('a token is limited to a domain', async () => {
  const { send, headers } = await make({ domain: 'School.edu.ph' })
  expect(await send()).toMatchObject(passed)
  for (const to of ['juan@gmail.com', 'juan@evil-school.edu.ph', 'juan@sub.school.edu.ph']) {
    expect(await send(to)).toMatchObject({
      status: 403,
      detail: apiTokenSentences.otherDomain('school.edu.ph'),
    })
  }
  const bulk = {
    recipients: [{ email: 'juan@school.edu.ph' }, { email: 'juan@gmail.com' }],
    subject: 'Parade',
    template: 'At seven.',
    useCustomTemplate: true,
  }
  expect(await visitor().refusal('POST', '/send-bulk-emails', bulk, headers)).toMatchObject({ status: 403 })
})

test('a token is limited to a number of messages a day, for concurrent requests too', async () => {
  const { send } = await make({ dailyLimit: 3 })
  const answers = await Promise.all(Array.from({ length: 8 }, () => send()))
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  clock.now = new Date(today.getTime() + dayMs)
  expect(await send()).toMatchObject(passed)
})

test.each([
  [{ days: 366 }, 'days', apiTokenSentences.days],
  [{ days: 0 }, 'days', apiTokenSentences.days],
  [{ domain: '@school.edu.ph' }, 'domain', apiTokenSentences.domain],
  [{ dailyLimit: 0.5 }, 'dailyLimit', apiTokenSentences.dailyLimit],
])('%j is refused', async (limits, path, message) => {
  const admin = createAdminClient(server, await server.signIn())
  expect(await admin.refusal('POST', '/tokens', { name: 'Registrar', ...limits })).toMatchObject({
    status: 422,
    errors: [{ path, message }],
  })
})

const giveTo = (createdById: string, id: string) =>
  server.database.db.updateTable('apiTokens').set({ createdById }).where('id', '=', id).execute()

test('a token ends with the account that it belongs to', async () => {
  const { made, send } = await make({})
  const { id } = await signInAs(server, { role: 'administrator', components: [] })
  await giveTo(id, made.id)
  expect(await send()).toMatchObject(passed)
  await server.database.db.updateTable('admins').set({ disabledAt: clock.now }).where('id', '=', id).execute()
  expect(await send()).toMatchObject({ status: 401, detail: apiTokenSentences.refused })
})

test('with the password the tokens that its owner created end, if that is wanted', async () => {
  const newPassword = 'my tricycle broke down in Marikina'
  const change = async (currentPassword: string, to: string, endApiTokens?: boolean) => {
    const admin = createAdminClient(server, await server.signIn(currentPassword))
    const body = { currentPassword, newPassword: to, endApiTokens }
    expect((await admin.call('PUT', '/session/password', body)).status).toBe(204)
  }
  const own = await make({})
  const others = await make({ name: 'Of another' })
  await giveTo((await signInAs(server, { role: 'administrator', components: [] })).id, others.made.id)
  await change(adminPassword, newPassword)
  expect(await own.send()).toMatchObject(passed)
  await change(newPassword, adminPassword, true)
  expect(await own.send()).toMatchObject({ status: 401 })
  expect(await others.send()).toMatchObject(passed)
  const ended = await createAuditTrail(server.database).of('api-token-revoked')
  expect(ended.map(({ subject }) => subject)).toEqual(['Registrar'])
})
