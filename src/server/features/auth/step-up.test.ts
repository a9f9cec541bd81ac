import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeMessages, passwordMessages } from '#shared/auth/account.ts'
import { problemSentences } from '#shared/problem.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const minuteMs = 60_000

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  await server.database.db.deleteFrom('signInFailures').execute()
  admin = createAdminClient(server, await server.signIn())
})

const after = (minutes: number) => {
  clock.now = new Date(today.getTime() + minutes * minuteMs)
}

const refused = { status: 403, code: 'proof_needed', detail: problemSentences.proof_needed }
const id = '0198f4b2-0000-7000-8000-000000000000'

test.each([
  ['a backup', 'POST', '/backup', {}],
  ['a new token', 'POST', '/tokens', { name: 'Enrollment' }],
  ['the end of a token', 'DELETE', `/tokens/${id}`, undefined],
  ['the mail account', 'POST', '/update-email-config', {}],
  ['its removal', 'DELETE', '/mail/account', undefined],
  ['the deletion of expired records', 'POST', '/retention/deletions', { count: 1 }],
  ['an export of the list', 'GET', '/students/export.xlsx', undefined],
  ['an export of a selection', 'POST', '/students/export.xlsx', { ids: [id] }],
])('%s needs a password that is not older than ten minutes', async (_name, method, path, body) => {
  after(10)
  expect(await admin.refusal(method, path, body)).toEqual(refused)
  after(9.9)
  expect((await admin.call(method, path, body)).status).not.toBe(403)
  // The clock ran ahead at the sign-in.
  after(-6)
  expect((await admin.call(method, path, body)).status).toBe(401)
})

test('so do the retention and the rule about two-factor sign-in, but no other setting', async () => {
  const version = (await admin.call('GET', '/settings')).headers.get('ETag') ?? ''
  after(10)
  const headers = { 'If-Match': version }
  for (const change of [
    { recordRetentionYears: 99 },
    { auditRetentionMonths: 99 },
    { twoFactorRequired: true },
  ]) {
    expect(await admin.refusal('PATCH', '/settings', change, headers)).toEqual(refused)
  }
  expect((await admin.call('PATCH', '/settings', { officeLine: 'NSTP Office' }, headers)).status).not.toBe(
    403,
  )
})

test('giving the password again opens it for ten minutes, in this session only', async () => {
  const other = createAdminClient(server, await server.signIn())
  after(30)
  const wrong = await admin.refusal('POST', '/session/proof', { password: 'a wrong pass phrase' })
  expect(wrong).toMatchObject({ status: 422, detail: passwordMessages.currentWrong })
  expect(await admin.refusal('DELETE', '/mail/account')).toEqual(refused)

  expect((await admin.call('POST', '/session/proof', { password: adminPassword })).status).toBe(204)
  expect((await admin.call('DELETE', '/mail/account')).status).toBe(204)
  expect(await other.refusal('DELETE', '/mail/account')).toEqual(refused)
  after(40)
  expect(await admin.refusal('DELETE', '/mail/account')).toEqual(refused)
})

test('with two-factor sign-in a code is needed too, and guesses are counted', async () => {
  const { items } = await (await admin.call('GET', '/session/devices')).json()
  expect(items.length).toBeGreaterThan(0)
  const row = await server.database.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
  await server.database.db
    .insertInto('secondFactors')
    .values({ adminId: row.id, secret: Buffer.of(), confirmedAt: today })
    .execute()
  const proof = (code?: string) => admin.refusal('POST', '/session/proof', { password: adminPassword, code })
  expect(await proof()).toMatchObject({ status: 422, detail: codeMessages.required })
  for (let i = 0; i < 4; i++) {
    expect(await proof('aaaa-bbbb-cccc-dddd')).toMatchObject({ detail: codeMessages.wrongRecovery })
  }
  expect(await proof('aaaa-bbbb-cccc-dddd')).toMatchObject({ status: 429 })
  await server.database.db.deleteFrom('secondFactors').execute()
})

test('a set-up ends after fifteen minutes, after ten wrong codes, and when the clock was ahead', async () => {
  const ended = { status: 409, detail: codeMessages.notBegun }
  const begin = async () => {
    const answer = await admin.call('POST', '/session/two-factor/set-up', { password: adminPassword })
    const { secret }: { secret: string } = await answer.json()
    return new TOTP({ secret })
  }
  const confirm = async (code: string) => {
    await server.database.db.deleteFrom('signInFailures').execute()
    return await admin.refusal('POST', '/session/two-factor', { code })
  }
  const codeOf = (app: TOTP) => app.generate({ timestamp: clock.now.getTime() })

  const late = await begin()
  after(15)
  expect(await confirm(codeOf(late))).toMatchObject(ended)
  // Seen at a later time, the session itself is over.
  const early = await begin()
  after(9)
  admin = createAdminClient(server, await server.signIn())
  expect(await confirm(codeOf(early))).toMatchObject(ended)
  const guessed = await begin()
  for (let i = 0; i < 10; i++) {
    expect(await confirm('000000')).toMatchObject({ status: 422, detail: codeMessages.wrongAtSetUp })
  }
  expect(await confirm(codeOf(guessed))).toMatchObject(ended)
})
