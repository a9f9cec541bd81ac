import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DashboardCounts } from '#shared/statistics/statistics-response.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const now = new Date('2026-11-21T08:00:00+08:00')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer({ now })
  cookie = await server.signIn()
})
afterAll(() => server.close())

async function read(): Promise<DashboardCounts> {
  return await (await createAdminClient(server, cookie).call('GET', '/dashboard')).json()
}

test('is refused without a session', async () => {
  expect(await createAdminClient(server, '').refusal('GET', '/dashboard')).toMatchObject({
    status: 401,
    detail: 'Authentication required. Please login as admin.',
  })
})

// Before all tests that store something.
test('is all zeros in an empty program', async () => {
  const { enlistments, quotas, ...counts } = await read()
  expect(new Set(Object.values(counts))).toEqual(new Set([0]))
  expect(enlistments).toEqual({ count: 0, latest: [] })
  expect(quotas).toEqual([])
})

test('counts the announcements that are public now: neither drafts nor scheduled ones', async () => {
  const admin = announcementsOf(server, cookie)
  await admin.added({ title: 'One' })
  await admin.added({ title: 'Two' })
  await admin.added({ title: 'Draft', draft: 'true' })
  await admin.added({ title: 'Later', publishAt: '2026-12-01T08:00' })
  expect((await read()).activeAnnouncements).toBe(2)
})

describe('who enlisted in the last 7 days', () => {
  const store = (overrides: Parameters<typeof storeStudent>[1]) => storeStudent(server.database, overrides)

  test('are the active ones that the list of the period shows, imported or not', async () => {
    const importId = createId()
    await server.database.db
      .insertInto('imports')
      .values({
        id: importId,
        fileName: 'First semester.csv',
        createdAt: now,
        createdBy: 'admin',
        state: 'imported',
        rowCount: 1,
        headers: [],
        guessedDateOrder: 'day-first',
      })
      .execute()
    await store({ registrationDate: hoursAgo(5), importId })
    await store({ registrationDate: now, archived: true, archivedDate: now })
    await store({ registrationDate: hoursAgo(7 * 24 + 1) })
    const { id } = await store({ registrationDate: hoursAgo(4), lastName: 'Peña', firstName: 'Ana' })
    const { count, latest } = (await read()).enlistments
    expect(latest[0]).toEqual({ id, name: 'Peña, Ana', at: hoursAgo(4).toISOString() })
    const list = await createAdminClient(server, cookie).call('GET', '/students?period=last-7-days')
    expect(count).toBe(2)
    expect(await list.json()).toMatchObject({ total: count })
  })

  test('has the total count and a limited list of names', async () => {
    for (const hours of [2, 3, 1]) {
      await store({ registrationDate: hoursAgo(hours), lastName: `Cruz ${hours}`, firstName: 'Ana' })
    }
    const { count, latest } = (await read()).enlistments
    expect(count).toBe(5)
    expect(latest.map(({ name }) => name)).toEqual(['Cruz 1, Ana', 'Cruz 2, Ana', 'Cruz 3, Ana'])
  })
})

test('counts active students by component and by how recent they are', async () => {
  await server.database.db.deleteFrom('students').execute()
  const store = (nstpComponent: string, registrationDate: Date, more = {}) =>
    storeStudent(server.database, { nstpComponent, registrationDate, ...more })
  const ago = (days: number, ms = 0) => new Date(hoursAgo(24 * days).getTime() - ms)
  await store('ROTC', ago(7))
  await store('CWTS', ago(7, 1))
  await store('CWTS', ago(30))
  await store('LTS', ago(30, 1))
  await store('LTS', now, { archived: true, archivedDate: now })
  expect(await read()).toMatchObject({
    totalStudents: 4,
    rotcStudents: 1,
    cwtsStudents: 2,
    ltsStudents: 1,
    recentRegistrations: 3,
    lastSevenDays: 1,
    archivedStudents: 1,
    enlistments: { count: 1 },
  })
})
