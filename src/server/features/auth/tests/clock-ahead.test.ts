import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { storeBatch } from '#tests/factories/stored-batch.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { importsOf } from '#tests/setup/imports.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const clock = { now: new Date() }
const today = new Date('2026-08-03T08:00:00+08:00')
const twoYearsAhead = new Date('2028-08-02T08:00:00+08:00')
const dayMs = 24 * 60 * 60 * 1000
const wrongPassword = 'a wrong pass phrase'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer(clock)
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.now = today
  for (const table of ['signInFailures', 'sessions', 'secondFactors'] as const) {
    await server.database.db.deleteFrom(table).execute()
  }
})

interface Call {
  body?: unknown
  as?: string
}

function call(method: string, path: string, { body, as }: Call = {}) {
  return fetch(`${server.url}/api/session${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(as ? { Cookie: as } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const signIn = (password = adminPassword, code?: string) =>
  call('POST', '', { body: { email: adminEmail, password, code } })

const isSignedIn = async (cookie: string) => {
  const { user } = await (await call('GET', '', { as: cookie })).json()
  return user !== null
}

test('a session opened while the clock was ahead is invalid once it is corrected', async () => {
  clock.now = twoYearsAhead
  const ahead = await server.signIn()
  expect(await isSignedIn(ahead)).toBe(true)

  clock.now = today
  expect(await isSignedIn(ahead)).toBe(false)
  const own = await server.signIn()
  const { items } = await (await call('GET', '/devices', { as: own })).json()
  expect(items).toHaveLength(1)
})

test('so is one that was used while the clock was ahead', async () => {
  const cookie = await server.signIn()
  clock.now = new Date(today.getTime() + 7 * 60 * 60 * 1000)
  expect(await isSignedIn(cookie)).toBe(true)
  clock.now = today
  expect(await isSignedIn(cookie)).toBe(false)
})

test('clocks of processes may be minutes apart', async () => {
  clock.now = new Date(today.getTime() + 4 * 60 * 1000)
  const cookie = await server.signIn()
  clock.now = today
  expect(await isSignedIn(cookie)).toBe(true)
})

test('a pause begun while the clock was ahead ends once it is corrected, and failures count from zero', async () => {
  clock.now = twoYearsAhead
  for (let i = 0; i < 5; i++) expect((await signIn(wrongPassword)).status).toBe(401)
  expect((await signIn()).status).toBe(429)

  clock.now = today
  for (let i = 0; i < 5; i++) expect((await signIn(wrongPassword)).status).toBe(401)
  const paused = await signIn()
  expect([paused.status, paused.headers.get('Retry-After')]).toEqual([429, '30'])
})

test('a device that became known while the clock was ahead is not known once it is corrected', async () => {
  clock.now = twoYearsAhead
  const ahead = await server.signIn()
  clock.now = today
  for (let i = 0; i < 5; i++) await signIn(wrongPassword)
  const tried = { body: { email: adminEmail, password: adminPassword }, as: ahead }
  expect((await call('POST', '', tried)).status).toBe(429)
})

const expiring = ['auditEvents', 'sessions', 'mailMessages', 'announcements', 'imports', 'files'] as const

test('nothing expires while the clock is far from the last clean-up, until its date is confirmed', async () => {
  const { db } = server.database
  const stored = async () => {
    const count = async (table: (typeof expiring)[number]) =>
      [table, (await db.selectFrom(table).select(sql`1`.as('one')).execute()).length] as const
    return Object.fromEntries(await Promise.all(expiring.map(count)))
  }
  const stopped = async (as: string) => {
    const answer = await fetch(`${server.url}/api/retention`, { headers: { Cookie: as } })
    return (await answer.json()).stopped
  }
  const own = await server.signIn()
  await server.sweep()
  expect(await stopped(own)).toBeNull()
  await storeBatch(server.database, [{ createdAt: today, endedAt: today }], { createdAt: today })
  await storeAnnouncements(server.database, [{ deletedAt: today }])
  await importsOf(server, own).upload(toCsv([buildSheetRow()]))
  const file = { id: 'a'.repeat(64), mediaType: 'image/webp', bytes: Buffer.of(1), createdAt: today }
  await db.insertInto('files').values(file).execute()
  const before = await stored()
  expect(before).toMatchObject({ sessions: 1, mailMessages: 1, announcements: 1, imports: 1, files: 1 })

  for (const days of [31, 37 * 30, -31]) {
    clock.now = new Date(today.getTime() + days * dayMs)
    await server.sweep()
    expect(await stored()).toEqual(before)
  }
  // As it comes back, so does what there was.
  clock.now = today
  expect(await isSignedIn(own)).toBe(true)
  await server.sweep()
  expect(await stored()).toEqual(before)

  // The machine was off for so long: its office says so.
  clock.now = new Date(today.getTime() + 60 * dayMs)
  const later = await server.signIn()
  expect(await stopped(later)).toEqual({
    cleanedUpAt: today.toISOString(),
    today: clock.now.toISOString(),
  })
  const confirmed = await fetch(`${server.url}/api/retention/date`, {
    method: 'POST',
    headers: { Cookie: later },
  })
  expect(confirmed.status).toBe(204)
  expect(await stopped(later)).toBeNull()
  await server.sweep()
  // What has ended by then, and one session of now.
  expect(await stored()).toMatchObject({ sessions: 1, announcements: 0, imports: 0, files: 0 })
})

test('a known browser survives a start with the clock 37 months ahead: its owner signs in, and it is known once it is corrected', async () => {
  const known = await server.signIn()
  const nameFor = async (as: string) => (await (await call('GET', '', { as })).json()).adminEmail
  await server.sweep()
  clock.now = new Date(today.getTime() + 37 * 31 * dayMs)
  const ahead = await startTestServer({ now: clock.now, database: server.database })
  await ahead.sweep()
  const asked = await fetch(`${ahead.url}/api/session`, { headers: { Cookie: known } })
  expect(await asked.json()).toEqual({ user: null, adminEmail: '' })
  expect(await ahead.signIn()).toContain('nstp-device')
  await ahead.close()

  clock.now = today
  expect(await nameFor(known)).toBe(adminEmail)
  for (let i = 0; i < 5; i++) await signIn(wrongPassword)
  const tried = { body: { email: adminEmail, password: adminPassword } }
  expect((await call('POST', '', tried)).status).toBe(429)
  expect((await call('POST', '', { ...tried, as: known })).status).toBe(200)
})

test('a code used while the clock was ahead blocks none once it is corrected', async () => {
  clock.now = twoYearsAhead
  const cookie = await server.signIn()
  const begun = await call('POST', '/two-factor/set-up', { body: { password: adminPassword }, as: cookie })
  const { secret }: { secret: string } = await begun.json()
  const codeAt = (seconds = 0) =>
    new TOTP({ secret }).generate({ timestamp: clock.now.getTime() + seconds * 1000 })
  expect((await call('POST', '/two-factor', { body: { code: codeAt() }, as: cookie })).status).toBe(200)
  expect((await signIn(adminPassword, codeAt(30))).status).toBe(200)

  clock.now = today
  const code = codeAt()
  expect((await signIn(adminPassword, code)).status).toBe(200)
  expect((await signIn(adminPassword, code)).status).toBe(401)
})
