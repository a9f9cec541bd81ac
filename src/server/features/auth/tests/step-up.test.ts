import { TOTP } from 'otpauth'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeMessages, passwordMessages } from '#shared/auth/account.ts'
import { deskRoles, type Role } from '#shared/people/permissions.ts'
import { problemSentences } from '#shared/problem.ts'
import { buildSheetRows, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { createStaffClient } from '#tests/setup/people.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const minuteMs = 60_000

let server: TestServer
let admin: ReturnType<typeof createAdminClient>
let cookie: string

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  await server.database.db.deleteFrom('signInFailures').execute()
  cookie = await server.signIn()
  admin = createAdminClient(server, cookie)
})

const atMinute = (minutes: number) => {
  clock.now = new Date(today.getTime() + minutes * minuteMs)
}

const refused = { status: 403, code: 'proof_needed', detail: problemSentences.proof_needed }
const id = '0198f4b2-0000-7000-8000-000000000000'

test.each([
  ['a backup', 'POST', '/backup', {}],
  ['the nightly backup', 'PUT', '/backup/nightly', { folder: '' }],
  ['one that is made now', 'POST', '/backup/nightly', undefined],
  ['a new token', 'POST', '/tokens', { name: 'Enrollment' }],
  ['the end of a token', 'DELETE', `/tokens/${id}`, undefined],
  ['the mail account', 'POST', '/update-email-config', {}],
  ['its removal', 'DELETE', '/mail/account', undefined],
  ['the deletion of expired records', 'POST', '/retention/deletions', { count: 1 }],
  ["the confirmation of the server's date", 'POST', '/retention/date', undefined],
  ['a new person', 'POST', '/people', {}],
  ["the change of a person's account", 'PATCH', `/people/${id}`, {}],
  ["a person's new password", 'POST', `/people/${id}/password`, undefined],
  ['their sign-out', 'POST', `/people/${id}/sign-out`, undefined],
  ['the reset of their second factor', 'POST', `/people/${id}/second-factor-reset`, undefined],
])('%s needs a password that is not older than ten minutes', async (_name, method, path, body) => {
  atMinute(10)
  expect(await admin.refusal(method, path, body)).toEqual(refused)
  atMinute(9.9)
  expect((await admin.call(method, path, body)).status).not.toBe(403)
  // The clock ran ahead at the sign-in.
  atMinute(-6)
  expect((await admin.call(method, path, body)).status).toBe(401)
})

test('so do the retention, two-factor sign-in and the address of links, but no other setting', async () => {
  const version = (await admin.call('GET', '/settings')).headers.get('ETag') ?? ''
  atMinute(10)
  const headers = { 'If-Match': version }
  for (const change of [
    { recordRetentionYears: 99 },
    { auditRetentionMonths: 99 },
    { twoFactorRequired: 'everyone' },
    { publicAddress: 'https://nstp.example' },
  ]) {
    expect(await admin.refusal('PATCH', '/settings', change, headers)).toEqual(refused)
  }
  expect((await admin.call('PATCH', '/settings', { officeLine: 'NSTP Office' }, headers)).status).not.toBe(
    403,
  )
})

test('giving the password again opens it for ten minutes, in this session only', async () => {
  const other = createAdminClient(server, await server.signIn())
  atMinute(30)
  const wrong = await admin.refusal('POST', '/session/proof', { password: 'a wrong pass phrase' })
  expect(wrong).toMatchObject({ status: 422, detail: passwordMessages.currentWrong })
  expect(await admin.refusal('DELETE', '/mail/account')).toEqual(refused)

  expect((await admin.call('POST', '/session/proof', { password: adminPassword })).status).toBe(204)
  expect((await admin.call('DELETE', '/mail/account')).status).toBe(204)
  expect(await other.refusal('DELETE', '/mail/account')).toEqual(refused)
  atMinute(40)
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
  atMinute(15)
  expect(await confirm(codeOf(late))).toMatchObject(ended)
  // Seen at a later time, the session itself is over.
  const early = await begin()
  atMinute(9)
  admin = createAdminClient(server, await server.signIn())
  expect(await confirm(codeOf(early))).toMatchObject(ended)
  const guessed = await begin()
  for (let i = 0; i < 10; i++) {
    expect(await confirm('000000')).toMatchObject({ status: 422, detail: codeMessages.wrongAtSetUp })
  }
  expect(await confirm(codeOf(guessed))).toMatchObject(ended)
})

describe('whole records without a password of the last ten minutes', () => {
  const sheets = async (ids: readonly string[]) =>
    (await admin.call('POST', '/students/sheets', { ids })).status
  const storeMany = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await storeStudent(server.database)).id))

  test('are 300 an hour in a session, however many calls read them', async () => {
    const ids = await storeMany(63)
    const used = (recordsRead: number) =>
      server.database.db.updateTable('sessions').set({ recordsSince: clock.now, recordsRead }).execute()
    expect(await sheets(ids)).toBe(200)
    atMinute(10)
    await used(280)
    expect(await admin.refusal('POST', '/students/sheets', { ids: ids.slice(0, 21) })).toEqual(refused)
    // What was refused doesn't count.
    const parts = Array.from({ length: 6 }, (_, part) => ids.slice(part * 5, part * 5 + 5))
    const answers = await Promise.all(parts.map(sheets))
    expect(answers.toSorted()).toEqual([200, 200, 200, 200, 403, 403])
    expect(await sheets(ids.slice(30, 31))).toBe(403)
    expect((await admin.call('GET', `/students/${ids[30]}`)).status).toBe(403)

    expect((await admin.call('POST', '/session/proof', { password: adminPassword })).status).toBe(204)
    expect(await sheets(ids)).toBe(200)
    // The password began the count again.
    atMinute(20)
    expect(await sheets(ids.slice(30, 51))).toBe(200)
    await used(300)
    expect(await sheets(ids.slice(51, 52))).toBe(403)
    atMinute(80)
    expect(await sheets(ids.slice(51, 52))).toBe(200)
  })
})

describe('the removal of more than 100 records an hour needs such a password', () => {
  test('by rejections, however many calls remove them', async () => {
    const ids = Array.from({ length: 101 }, () => createId())
    const remove = async (some: readonly string[]) =>
      (await admin.refusal('POST', '/students/rejections', { ids: some })).status
    // None of them exists: what is admitted is a conflict.
    atMinute(9)
    expect(await remove(ids)).toBe(409)
    atMinute(10)
    expect(await admin.refusal('POST', '/students/rejections', { ids })).toEqual(refused)
    expect(await remove(ids.slice(0, 60))).toBe(409)
    expect(await remove(ids.slice(60))).toBe(403)
    expect(await remove(ids.slice(61))).toBe(409)
    expect(await remove(ids.slice(100))).toBe(403)
    atMinute(70)
    expect(await remove(ids.slice(1))).toBe(409)
  })

  test('and removals leave room for sheets: 99 of 100, and three of 300', async () => {
    const sheet = async () => {
      const { id } = await storeStudent(server.database)
      return (await admin.call('POST', '/students/sheets', { ids: [id] })).status
    }
    const ids = Array.from({ length: 99 }, () => createId())
    atMinute(10)
    expect((await admin.refusal('POST', '/students/rejections', { ids })).status).toBe(409)
    for (let read = 0; read < 3; read++) expect(await sheet()).toBe(200)
    expect(await sheet()).toBe(403)
  })

  test('by the undo of an import', async () => {
    const imports = importsOf(server, cookie)
    const run = async (rows: number) => {
      const uploaded = await imports.upload(toCsv(buildSheetRows(rows)))
      await imports.check(uploaded)
      expect(await imports.run(uploaded.id)).toMatchObject({ state: 'imported', importedCount: rows })
      return uploaded.id
    }
    const undo = async (importId: string) =>
      (await admin.call('POST', `/imports/${importId}/undo`, { evenChanged: false })).status
    const many = await run(101)
    atMinute(10)
    expect(await undo(many)).toBe(403)
    expect((await imports.read(many)).state).toBe('imported')
    atMinute(9)
    expect(await undo(many)).toBe(200)
    const few = await run(100)
    atMinute(10)
    expect(await undo(few)).toBe(200)
  })
})

describe('opened records', () => {
  const open = async (who: Pick<typeof admin, 'call'>, studentId: string) =>
    (await who.call('GET', `/students/${studentId}`)).status

  async function signInAsRole(role: Role) {
    const { call } = await createStaffClient(server, { role, components: [] })
    return { call, prove: () => call('POST', '/session/proof', { password: adminPassword }) }
  }

  test.each(deskRoles)('from the 100th in an hour, %s needs such a password', async (role) => {
    const students = await Promise.all(Array.from({ length: 101 }, () => storeStudent(server.database)))
    const [one, ...others] = students.map((student) => student.id)
    if (one === undefined) throw new Error('no student')
    const who = await signInAsRole(role)
    atMinute(30)
    // A screen that shows a record reads it again at each change.
    for (let read = 0; read < 5; read++) expect(await open(who, one)).toBe(200)
    const answers = await Promise.all(others.slice(0, 98).map((studentId) => open(who, studentId)))
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await open(who, others[98] ?? '')).toBe(403)
    expect(await open(who, one)).toBe(200)
    expect((await who.prove()).status).toBe(204)
    expect(await open(who, others[98] ?? '')).toBe(200)
    atMinute(89)
    expect(await open(who, others[99] ?? '')).toBe(200)
  })
})
