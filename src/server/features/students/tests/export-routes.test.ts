import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import readWorkbook from 'read-excel-file/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { studentFieldNames, studentFields } from '#shared/students/student-fields.ts'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  // Morning of 20 November in Manila: first semester, June to December.
  server = await startTestServer({ now: new Date('2026-11-20T02:00:00Z') })
  cookie = await server.signIn()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('students').execute()
})

const get = (path: string, headers: Record<string, string> = { Cookie: cookie }) =>
  fetch(`${server.url}/api${path}`, { headers })
const getJson = async (path: string) => (await get(path)).json()

describe('GET /students/export.xlsx', () => {
  async function rowsOf(response: Response) {
    const sheets = await readWorkbook(Buffer.from(await response.arrayBuffer()), { trim: false })
    return sheets[0]?.data ?? []
  }

  test('returns a workbook named after the day', async () => {
    const response = await get('/students/export.xlsx')
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    )
    expect(response.headers.get('Content-Disposition')).toBe(
      `attachment; filename="NSTP students 2026-11-20.xlsx"; filename*=UTF-8''NSTP%20students%202026-11-20.xlsx`,
    )
    expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    expect(response.headers.get('Content-Encoding')).toBeNull()
    expect(await rowsOf(response)).toHaveLength(1)
  })

  test('has every field of a record under its label, dates as dates and everything else as typed', async () => {
    const stored = await storeStudent(server.database, {
      lastName: '=HYPERLINK("http://x")',
      contactNumber: '+63 917',
      zipCode: '0123',
      skills: 'line one\nline two',
    })
    const [header = [], row = []] = await rowsOf(await get('/students/export.xlsx'))
    const cells = Object.fromEntries(header.map((label, index) => [String(label), row[index]]))
    expect(header).toHaveLength(new Set(header).size)
    for (const field of studentFieldNames) {
      const typed = field === 'dateOfBirth' ? new Date('2007-05-14T00:00:00Z') : stored[field]
      expect(cells[studentFields[field].label], field).toEqual(typed === '' ? null : typed)
    }
    expect(cells).toMatchObject({
      Reference: stored.reference,
      'Year Level': 1,
      Status: 'Registered',
      Archived: 'No',
      'Archived Date': null,
      'Consent Text Version': '2026-11',
    })
    // By the clock in Manila, eight hours ahead.
    const registered = cells['Registration Date']
    expect(registered instanceof Date && registered.toISOString().slice(0, 16)).toBe('2026-11-20T10:15')
  })

  test('has exactly the rows of the filters, in their order', async () => {
    const archivedDate = new Date('2026-11-19T00:00:00Z')
    await storeStudent(server.database, {
      lastName: 'B',
      nstpComponent: 'ROTC',
      archived: true,
      archivedDate,
    })
    await storeStudent(server.database, { lastName: 'C', nstpComponent: 'ROTC' })
    await storeStudent(server.database, { lastName: 'A', nstpComponent: 'ROTC' })
    await storeStudent(server.database, { lastName: 'D' })
    const rows = await rowsOf(await get('/students/export.xlsx?component=ROTC&archive=all&sort=name'))
    expect(rows.slice(1).map((row) => row[2])).toEqual(['A', 'B', 'C'])
    expect(rows[2]).toContain('Yes')
  })

  test('is recorded with its filters and count, not with the search text', async () => {
    const trail = createAuditTrail(server.database)
    await trail.clear()
    await storeStudent(server.database, { lastName: 'Reyes', nstpComponent: 'ROTC' })
    await rowsOf(await get('/students/export.xlsx?component=ROTC&search=reyes'))
    const entries = await trail.entries()
    expect(entries).toMatchObject([
      {
        action: 'students-exported',
        affected: 1,
        detail: { component: 'ROTC', archive: 'active', academicYear: 'all', searched: true },
      },
    ])
    expect(JSON.stringify(entries)).not.toMatch(/reyes/i)
  })

  test('refuses bad filters as the list does', async () => {
    expect((await getJson('/students/export.xlsx?archive=no')).code).toBe('invalid')
    expect((await getJson('/students/export.xlsx?page=2')).detail).toBe('Unknown filter: page.')
  })

  test('aborted downloads release their connection', async () => {
    const bulk = 'x'.repeat(2_000)
    const students = Array.from({ length: 3_000 }, () =>
      // Random text, so that the compressed file exceeds the connection's buffers.
      buildStoredStudent({
        workExperience: `${crypto.randomUUID().repeat(50)}`,
        hobbies: bulk.slice(0, 900),
      }),
    )
    for (let start = 0; start < students.length; start += 500) {
      await server.database.db
        .insertInto('students')
        .values(students.slice(start, start + 500))
        .execute()
    }
    for (let count = 0; count < 4; count++) {
      const controller = new AbortController()
      const response = await fetch(`${server.url}/api/students/export.xlsx`, {
        headers: { Cookie: cookie },
        signal: controller.signal,
      })
      expect(response.status).toBe(200)
      await response.body?.getReader().read()
      controller.abort()
      await expect.poll(openTransactions).toBe(0)
    }
    await fetch(`${server.url}/api/students/export.xlsx`, { method: 'HEAD', headers: { Cookie: cookie } })
    await expect.poll(openTransactions).toBe(0)
  })

  test('more than two at a time are queued', async () => {
    // Compressed, 12 MB: more than the buffers between server and client hold, so unread exports don't end.
    const students = Array.from({ length: 1_500 }, () =>
      buildStoredStudent({ workExperience: randomBytes(8_000).toString('base64') }),
    )
    for (let start = 0; start < students.length; start += 100) {
      await server.database.db
        .insertInto('students')
        .values(students.slice(start, start + 100))
        .execute()
    }
    const controller = new AbortController()
    const options = { headers: { Cookie: cookie }, signal: controller.signal }
    await Promise.all([1, 2].map(() => fetch(`${server.url}/api/students/export.xlsx`, options)))
    const third = await get('/students/export.xlsx')
    expect(third.status).toBe(429)
    expect(third.headers.get('Retry-After')).toBe('10')
    expect((await third.json()).detail).toBe(
      'Other exports are still being downloaded. Please try again in a moment.',
    )
    controller.abort()
    await expect.poll(async () => (await get('/students/export.xlsx')).status).toBe(200)
  })

  async function openTransactions(): Promise<number> {
    const result = await sql<{ count: number }>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
      server.database.db,
    )
    return result.rows[0]?.count ?? 0
  }
})
