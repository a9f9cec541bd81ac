import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addChanges, rebuildCounts } from '#server/database/student-counts/maintenance.ts'
import { createRandom } from '#server/demo/random.ts'
import { officeItself } from '#server/lib/access.ts'
import { type StudentSort, studentSorts } from '#shared/students/students.ts'
import { buildStoredStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { isSelected, type StudentSelection, sortOrder } from './filter-and-order-repository.ts'
import { createPageReader, type PageWindow } from './page-repository.ts'

const zone = 'Asia/Manila'
const random = createRandom(7)
let database: TestDatabase
let readPage: ReturnType<typeof pageReader>

function pageReader(nearby?: number) {
  const read = createPageReader(database, zone, nearby)
  return async (selection: StudentSelection, window: PageWindow) => {
    const { total, items: rows } = await read(selection, window)
    return { total, rows }
  }
}

const hour = 3_600_000
const firstInstant = Date.UTC(2026, 4, 20)

beforeAll(async () => {
  database = await createTestDatabase()
  // Few, so that all ways to find a page are used.
  readPage = pageReader(100)
  await database.transact((tx) => rebuildCounts(tx, zone), { isolation: 'repeatable read' })
  // A third stays among the changes: pages must be right before they are added up, too.
  await storeStudents(400)
  await database.transact(addChanges)
  await storeStudents(200)
})
afterAll(() => database.close())

async function storeStudents(count: number) {
  const rows = Array.from({ length: count }, () => {
    const isArchived = random.chance(0.3)
    return buildStoredStudent({
      lastName: random.pick(['Abad', 'Bautista', 'Dela Cruz', 'Dela Rosa', 'Mendoza', 'Ñunez', 'Zuñiga']),
      firstName: random.pick(['Ana', 'Ben', 'Carla']),
      nstpComponent: random.weigh([
        ['ROTC', 5],
        ['CWTS', 10],
        ['LTS', 1],
      ]),
      academicYear: random.pick(['2025-2026', '2026-2027']),
      course: random.pick(['SOICT', 'SOBM']),
      archived: isArchived,
      archivedDate: isArchived ? new Date(firstInstant) : null,
      // Ten weeks, several at the same instant.
      registrationDate: new Date(firstInstant + random.integer(0, 70) * random.integer(1, 24) * hour),
    })
  })
  await database.db.insertInto('students').values(rows).execute()
}

function select(overrides: Partial<StudentSelection>): StudentSelection {
  return {
    search: '',
    component: 'all',
    archive: 'all',
    academicYear: 'all',
    course: 'all',
    sex: 'all',
    yearLevel: 'all',
    missing: 'none',
    network: 'all',
    sort: '-registrationDate',
    registered: null,
    access: officeItself,
    ...overrides,
  }
}

async function walk(selection: StudentSelection, limit: number, offset: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from students where ${isSelected(selection)}
    order by ${sortOrder(selection.sort)} limit ${limit} offset ${offset}`.execute(database.db)
  return rows.map(({ id }) => id)
}

async function count(selection: StudentSelection): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from students where ${isSelected(selection)}`.execute(database.db)
  return rows[0]?.total ?? 0
}

const inManila = (day: string) => new Date(`${day}T00:00:00+08:00`)
const ranges = {
  'all time': null,
  'whole months': { from: inManila('2026-06-01'), until: inManila('2026-07-01') },
  'months without an end': { from: inManila('2026-07-01'), until: null },
  'the last hours': { from: new Date(firstInstant + 900 * hour), until: null },
  'within a day': { from: new Date(firstInstant + 30 * hour), until: new Date(firstInstant + 33 * hour) },
  'before anybody': { from: inManila('2020-01-01'), until: inManila('2021-01-01') },
}

describe.each(Object.entries(ranges))('pages of %s', (_name, registered) => {
  test.each(studentSorts)('by %s equal those of a full scan', async (sort: StudentSort) => {
    for (let round = 0; round < 12; round++) {
      const selection = select({
        sort,
        registered,
        component: random.pick(['all', 'ROTC', 'LTS']),
        archive: random.pick(['all', 'active', 'archived'] as const),
        academicYear: random.pick(['all', '2026-2027', '1999-2000']),
        search: random.chance(0.1) ? 'cruz' : '',
      })
      const total = await count(selection)
      const limit = random.pick([1, 7, 50, 200])
      // Any page: the first, one in the middle, the last, one beyond.
      const offset = limit * random.integer(0, Math.ceil(total / limit) + 1)
      const page = await readPage(selection, { limit, offset })
      expect(page.total).toBe(total)
      expect(page.rows.map(({ id }) => id)).toEqual(await walk(selection, limit, offset))
    }
  })
})

test('each record is on one page, in either direction', async () => {
  for (const sort of ['-registrationDate', 'name', '-academicYear'] as const) {
    const ids: string[] = []
    for (let offset = 0; ; offset += 50) {
      const { rows } = await readPage(select({ sort }), { limit: 50, offset })
      if (rows.length === 0) break
      ids.push(...rows.map(({ id }) => id))
    }
    expect(new Set(ids).size).toBe(600)
    expect(ids).toHaveLength(600)
  }
})

test('any page by date reads a small part of the index', async ({ skip }) => {
  const { rows: known } = await sql`select 1 from pg_proc where proname = 'pg_stat_force_next_flush'`.execute(
    database.db,
  )
  if (known.length === 0) skip('PostgreSQL 14 counts what was read too late')
  // Enough for the planner to prefer the index.
  // In parts: one statement may take at most 5 s.
  for (let first = 1; first < 20_000; first += 4_000) {
    await sql`
      insert into students (id, reference, consent_version, consented_at, registration_date, last_name, first_name,
        address, date_of_birth, place_of_birth, sex, civil_status, contact_number, email, citizenship, course,
        year_level, academic_year, emergency_contact_name, emergency_contact_number, nstp_component)
      select gen_random_uuid(), 'R' || i, '1', now(), timestamptz '2025-01-01' + i * interval '20 minutes',
        chr(97 + i % 26) || chr(97 + i % 23), 'Ana', '-', '2006-01-01', '-', 'Male', 'Single', '1', 'a@b.example',
        'Filipino', 'SOICT', 1, '2025-2026', '-', '1', 'ROTC'
      from generate_series(${first}::int, ${first + 3_999}::int) as i`.execute(database.db)
  }
  await database.transact((tx) => rebuildCounts(tx, zone), { isolation: 'repeatable read' })
  await sql`vacuum (analyze) students`.execute(database.db)
  const readSoFar = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(database.db)
    const { rows } = await sql<{ read: number }>`
      select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'students'`.execute(
      database.db,
    )
    return rows[0]?.read ?? 0
  }
  async function cost(read: () => Promise<unknown>) {
    const before = await readSoFar()
    await read()
    return (await readSoFar()) - before
  }
  expect(await cost(() => walk(select({ sort: 'name' }), 50, 10_000))).toBeGreaterThan(10_000)
  const read = pageReader()
  for (const sort of ['-registrationDate', 'registrationDate'] as const) {
    expect(await cost(() => read(select({ sort }), { limit: 50, offset: 10_000 }))).toBeLessThan(1_000)
  }
  // None of the oldest 20,000 passes.
  const later = select({ sort: 'registrationDate', academicYear: '2026-2027' })
  expect(await cost(() => read(later, { limit: 50, offset: 0 }))).toBeLessThan(1_000)
})

test.each(['-registrationDate', 'name'] as const)('pages by %s keep a plan for any values', async (sort) => {
  // No other test has planned its statements.
  const own = await createTestDatabase()
  const read = createPageReader(own, zone)
  // PostgreSQL plans the first five for their values.
  for (let offset = 0; offset < 6; offset++) await read(select({ sort }), { limit: 50, offset })
  const { rows } = await sql<{ kept: number }>`
    select sum(generic_plans)::int as kept from pg_prepared_statements`.execute(own.db)
  await own.close()
  expect(rows).toEqual([{ kept: 1 }])
})
