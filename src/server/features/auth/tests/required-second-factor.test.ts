import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeMessages } from '#shared/auth/account.ts'
import { apiTokenSentences } from '#shared/auth/api-tokens.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { refusalsOfGuarded } from '#tests/setup/guarded-routes.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const dayMs = 24 * 60 * 60 * 1000
const refused = { status: 403, code: 'permission_denied', detail: codeMessages.due }

let server: TestServer

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  for (const table of ['signInFailures', 'sessions', 'secondFactors', 'apiTokens'] as const) {
    await server.database.db.deleteFrom(table).execute()
  }
  await server.database.db.updateTable('admins').set({ secondFactorDue: null }).execute()
  await server.database.db.updateTable('settings').set({ changed: {} }).execute()
})

const atDay = (days: number) => {
  clock.now = new Date(today.getTime() + days * dayMs)
}
const due = (days: number) => new Date(today.getTime() + days * dayMs).toISOString()

async function enter(cookie?: string) {
  const admin = createAdminClient(server, cookie ?? (await server.signIn()))
  return {
    ...admin,
    user: async () => (await (await admin.call('GET', '/session')).json()).user,
    async require(of: 'nobody' | 'everyone') {
      const version = (await admin.call('GET', '/settings')).headers.get('ETag') ?? ''
      const changed = await admin.call(
        'PATCH',
        '/settings',
        { twoFactorRequired: of },
        { 'If-Match': version },
      )
      expect(changed.status).toBe(200)
    },
    /** @returns a code of the app, by the clock */
    async turnOn() {
      const begun = await admin.call('POST', '/session/two-factor/set-up', { password: adminPassword })
      const totp = new TOTP({ secret: (await begun.json()).secret })
      const code = () => totp.generate({ timestamp: clock.now.getTime() })
      expect((await admin.call('POST', '/session/two-factor', { code: code() })).status).toBe(200)
      return code
    },
  }
}

test('after a week an account without a second factor opens nothing but its set-up', async () => {
  const owner = await enter()
  expect(await owner.user()).not.toHaveProperty('secondFactorDue')
  await owner.require('everyone')
  expect(await owner.user()).toMatchObject({ secondFactorDue: due(7) })
  atDay(6.9)
  const cookie = await server.signIn()
  const late = await enter(cookie)
  expect((await late.call('GET', '/settings')).status).toBe(200)
  expect(await late.user()).not.toHaveProperty('mustSetUp')

  atDay(7)
  expect(await late.user()).toMatchObject({ mustSetUp: 'second factor', secondFactorDue: due(7) })
  const answers = await refusalsOfGuarded(server, cookie, (path) => path.startsWith('/session'))
  expect(answers.length).toBeGreaterThan(80)
  for (const [operation, answer] of answers) expect([operation, answer]).toEqual([operation, refused])

  // A sign-in by password alone opens no more.
  const again = await server.signIn()
  expect(await createAdminClient(server, again).refusal('GET', '/students')).toEqual(refused)

  for (const path of ['/session/devices', '/session/two-factor']) {
    expect((await late.call('GET', path)).status).toBe(200)
  }
  await late.turnOn()
  expect((await late.call('GET', '/students')).status).toBe(200)
  expect(await late.user()).not.toHaveProperty('secondFactorDue')
  expect(await late.user()).not.toHaveProperty('mustSetUp')
})

test('the answer to a sign-in says what must be set up', async () => {
  await (await enter()).require('everyone')
  atDay(7)
  const answer = await fetch(`${server.url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'coordinator@school.example', password: adminPassword }),
  })
  expect((await answer.json()).user).toMatchObject({ mustSetUp: 'second factor', secondFactorDue: due(7) })
})

test('the date stays while the setting does, and goes with it', async () => {
  const owner = await enter()
  await owner.require('everyone')
  clock.now = new Date(today.getTime() + 60_000)
  await owner.require('everyone')
  expect(await owner.user()).toMatchObject({ secondFactorDue: due(7) })
  await owner.require('nobody')
  expect(await owner.user()).not.toHaveProperty('secondFactorDue')
  atDay(8)
  expect((await (await enter()).call('GET', '/settings')).status).toBe(200)
})

test('a date that a clock set that ran ahead is over', async () => {
  atDay(700)
  await (await enter()).require('everyone')
  clock.now = today
  expect(await (await enter()).refusal('GET', '/students')).toEqual(refused)
})

test('a second factor that is required stays on, and no code is used up', async () => {
  const owner = await enter()
  const code = await owner.turnOn()
  await owner.require('everyone')
  clock.now = new Date(today.getTime() + 60_000)
  const proof = { password: adminPassword, code: code() }
  expect(await owner.refusal('POST', '/session/two-factor/off', proof)).toEqual({
    status: 409,
    code: 'conflict',
    detail: codeMessages.staysOn,
  })
  expect(await (await owner.call('GET', '/session/two-factor')).json()).toMatchObject({
    isOn: true,
    isRequired: true,
  })
  await owner.require('nobody')
  expect((await owner.call('POST', '/session/two-factor/off', proof)).status).toBe(204)
})

test('an API token follows its account', async () => {
  const owner = await enter()
  const { token } = await (await owner.call('POST', '/tokens', { name: 'Registrar' })).json()
  await owner.require('everyone')
  const send = () =>
    createAdminClient(server, '').refusal(
      'POST',
      '/send-email',
      { to: 'juan@school.edu.ph', subject: 'Parade', message: 'At seven.' },
      { Authorization: `Bearer ${token}` },
    )
  // Past the guard: the tests' server has no mail account.
  expect(await send()).toMatchObject({ status: 503 })
  atDay(7)
  expect(await send()).toMatchObject({ status: 403, detail: apiTokenSentences.held })
  await (await enter()).turnOn()
  expect(await send()).toMatchObject({ status: 503 })
})

test('a reset on the command line begins a new week, where one is required', async () => {
  const { administrators } = server
  const owner = await enter()
  await owner.turnOn()
  await owner.require('everyone')
  atDay(30)
  const { password } = await administrators.resetPassword({ withoutSecondFactor: true })
  const cookie = await signInOverHttp(server.url, password)
  expect(await (await enter(cookie)).user()).toMatchObject({
    mustSetUp: 'password',
    secondFactorDue: due(37),
  })
  await server.database.db.updateTable('admins').set({ secondFactorDue: null }).execute()
  await administrators.resetPassword({ withoutSecondFactor: true })
  const rows = await server.database.db.selectFrom('admins').select('secondFactorDue').execute()
  expect(rows).toEqual([{ secondFactorDue: null }])
})
