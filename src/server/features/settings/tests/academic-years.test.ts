import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer

afterEach(() => server.close())

async function startOn(day: string) {
  const options = { now: new Date(`${day}T02:00:00Z`) }
  server = await startTestServer(options)
  // The tests' office has set its years; a new one has not.
  await sql`update settings set changed = changed - 'academicYears'`.execute(server.database.db)
  let admin = createAdminClient(server, await server.signIn())
  const read = async () => (await admin.call('GET', '/settings')).json()
  return {
    read,
    async change(values: object) {
      const { version } = await read()
      return (await admin.call('PATCH', '/settings', values, { 'If-Match': `"${version}"` })).status
    },
    /** The product runs on; an hour later its clean-up comes. */
    async passTo(later: string) {
      options.now = new Date(`${later}T02:00:00Z`)
      await server.sweep()
      admin = createAdminClient(server, await server.signIn())
    },
    async offered(): Promise<string[]> {
      const offer = await (await fetch(`${server.url}/api/registrations/offer`)).json()
      return offer.academicYears
    },
  }
}

test.each([
  ['2026-11-28', ['2024-2025', '2025-2026', '2026-2027', '2027-2028', '2028-2029']],
  ['2027-05-31', ['2024-2025', '2025-2026', '2026-2027', '2027-2028', '2028-2029']],
  ['2027-08-01', ['2025-2026', '2026-2027', '2027-2028', '2028-2029', '2029-2030']],
  ['2028-08-11', ['2026-2027', '2027-2028', '2028-2029', '2029-2030', '2030-2031']],
  ['2031-01-01', ['2028-2029', '2029-2030', '2030-2031', '2031-2032', '2032-2033']],
])('on %s a product that runs since November 2026 offers the years around that day', async (day, years) => {
  const { passTo, offered } = await startOn('2026-11-28')
  await passTo(day)
  expect(await offered()).toEqual(years)
})

test('the years that the office has set stay', async () => {
  const { change, passTo, offered } = await startOn('2026-11-28')
  expect(await change({ academicYears: ['2026-2027', '2027-2028'] })).toBe(200)
  await passTo('2028-08-11')
  expect(await offered()).toEqual(['2026-2027', '2027-2028'])
})

test('a chosen year stays among them, so that other settings can be saved', async () => {
  const { read, change, passTo } = await startOn('2026-11-28')
  await change({ currentAcademicYear: '2026-2027' })
  await passTo('2031-01-01')
  expect((await read()).academicYears).toEqual([
    '2026-2027',
    ...['2028-2029', '2029-2030', '2030-2031', '2031-2032', '2032-2033'],
  ])
  expect(await change({ schoolName: 'Baliuag College' })).toBe(200)
})
