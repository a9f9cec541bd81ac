import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accessOf, officeItself } from '#server/lib/access.ts'
import type { Role } from '#shared/people/permissions.ts'
import { defaultStudentFilters, type StudentSort, studentListFields } from '#shared/students/students.ts'
import { buildStoredStudent, storeStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import type { StudentSelection } from './filter-and-order-repository.ts'
import { createStudentsRepository, type StudentsRepository } from './repository.ts'

let database: TestDatabase
let repository: StudentsRepository

beforeAll(async () => {
  database = await createTestDatabase()
  repository = createStudentsRepository(database, 'Asia/Manila')
})
afterAll(() => database.close())
beforeEach(async () => {
  await database.db.deleteFrom('students').execute()
})

const all = { limit: 50, offset: 0 }

function select(overrides: Partial<StudentSelection> = {}): StudentSelection {
  const { period: _period, ...filters } = defaultStudentFilters
  return { ...filters, access: officeItself, registered: null, ...overrides }
}

async function list(overrides: Partial<StudentSelection> = {}, page = all) {
  return (await repository.list(select(overrides), page)).items
}

async function lastNames(overrides: Partial<StudentSelection> = {}, page = all): Promise<string[]> {
  return (await list(overrides, page)).map(({ lastName }) => lastName)
}

test('many records at once have the fields of the role alone', async () => {
  const { id } = await storeStudent(database, {
    religion: 'Iglesia ni Cristo',
    lastName: 'Cruz',
    address: 'Tangos',
  })
  const findAs = (role: Role) => repository.findMany([id], accessOf({ role, components: [] }))
  expect(await findAs('registrar')).toMatchObject([{ lastName: 'Cruz', address: '', religion: '' }])
  expect(await findAs('assistant')).toMatchObject([{ lastName: 'Cruz', address: 'Tangos', religion: '' }])
  expect(await findAs('coordinator')).toMatchObject([{ religion: 'Iglesia ni Cristo' }])
})

describe('filters', () => {
  beforeEach(async () => {
    const archivedDate = new Date('2026-11-21T00:00:00Z')
    await storeStudent(database, { lastName: 'Active', nstpComponent: 'ROTC', academicYear: '2025-2026' })
    await storeStudent(database, {
      lastName: 'Archived',
      nstpComponent: 'ROTC',
      archived: true,
      archivedDate,
    })
    await storeStudent(database, { lastName: 'Literate', nstpComponent: 'LTS' })
  })

  test('archive status: active by default, archived, or all', async () => {
    expect(await lastNames()).toEqual(['Literate', 'Active'])
    expect(await lastNames({ archive: 'archived' })).toEqual(['Archived'])
    expect(await lastNames({ archive: 'all' })).toEqual(['Literate', 'Archived', 'Active'])
  })

  test('component and academic year are combined', async () => {
    expect(await lastNames({ component: 'LTS' })).toEqual(['Literate'])
    expect(await lastNames({ academicYear: '2025-2026' })).toEqual(['Active'])
    expect(await lastNames({ component: 'LTS', academicYear: '2025-2026' })).toEqual([])
    expect(await lastNames({ component: 'ROTC', archive: 'all', search: 'arch' })).toEqual(['Archived'])
  })

  test('a period includes its first instant and excludes its end', async () => {
    await database.db.deleteFrom('students').execute()
    for (const instant of ['2026-07-31T15:59:59.999Z', '2026-07-31T16:00:00Z', '2026-12-31T16:00:00Z']) {
      await storeStudent(database, { lastName: instant, registrationDate: new Date(instant) })
    }
    const from = new Date('2026-07-31T16:00:00Z')
    const until = new Date('2026-12-31T16:00:00Z')
    expect(await lastNames({ registered: { from, until } })).toEqual(['2026-07-31T16:00:00Z'])
    expect(await lastNames({ registered: { from, until: null } })).toEqual([
      '2026-12-31T16:00:00Z',
      '2026-07-31T16:00:00Z',
    ])
  })

  test('select-all selects active records only, in the order of the list', async () => {
    const rows = await database.db.selectFrom('students').select(['id', 'lastName']).execute()
    const ids = await repository.activeIds(select({ archive: 'all', sort: 'name' }), 100)
    expect(ids.map((id) => rows.find((row) => row.id === id)?.lastName)).toEqual(['Active', 'Literate'])
    expect(await repository.activeIds(select({ archive: 'all', sort: 'name' }), 1)).toEqual(ids.slice(0, 1))
  })
})

describe('order', () => {
  test('newest registration first by default, the later id first at the same instant', async () => {
    for (const lastName of ['One', 'Two', 'Three']) await storeStudent(database, { lastName })
    await storeStudent(database, { lastName: 'Newest', registrationDate: new Date('2026-11-21T00:00:00Z') })
    expect(await lastNames({ sort: '-registrationDate' })).toEqual(['Newest', 'Three', 'Two', 'One'])
    expect(await lastNames({ sort: 'registrationDate' })).toEqual(['One', 'Two', 'Three', 'Newest'])
  })

  test('names as in a class list: without case, ñ after n, shorter before longer', async () => {
    const expected = ['Cruz', 'Cruz Santos', 'dela Cruz', 'Nuevas', 'Nuñez', 'Ocampo']
    for (const lastName of [...expected].reverse()) await storeStudent(database, { lastName })
    expect(await lastNames({ sort: 'name' })).toEqual(expected)
    expect(await lastNames({ sort: '-name' })).toEqual([...expected].reverse())
  })

  test('by another column first, then by name', async () => {
    await storeStudent(database, { lastName: 'B', email: 'Zoe@x.ph' })
    await storeStudent(database, { lastName: 'C', email: 'anna@x.ph' })
    await storeStudent(database, { lastName: 'A', email: 'anna@x.ph' })
    expect(await lastNames({ sort: 'email' })).toEqual(['A', 'C', 'B'])
    expect(await lastNames({ sort: '-email' })).toEqual(['B', 'A', 'C'])
  })

  const sorts: StudentSort[] = [
    'studentId',
    'sex',
    '-course',
    'academicYear',
    '-contactNumber',
    'nstpComponent',
    '-status',
  ]
  test.each([...sorts, 'emergencyContact' as const])(
    'by %s, every record is on exactly one page',
    async (sort) => {
      for (let count = 0; count < 7; count++) await storeStudent(database)
      const pages = [0, 3, 6].map((offset) => list({ sort }, { limit: 3, offset }))
      const ids = (await Promise.all(pages)).flat().map(({ id }) => id)
      expect(new Set(ids).size).toBe(7)
    },
  )
})

describe('pages', () => {
  test('have the total on every page, also beyond the last', async () => {
    for (let count = 0; count < 3; count++) await storeStudent(database)
    expect(await repository.list(select(), { limit: 2, offset: 2 })).toMatchObject({
      total: 3,
      items: /^\[\{.*\}\]$/s,
    })
    expect(await repository.list(select(), { limit: 2, offset: 4 })).toEqual({ total: 3, items: [] })
    expect(await repository.list(select({ search: 'nobody' }), all)).toEqual({ total: 0, items: [] })
  })

  test('contain the fields of the list and no others', async () => {
    await storeStudent(database)
    expect(Object.keys((await list())[0] ?? {})).toEqual([...studentListFields, 'isDuplicate'])
  })
})

describe('a cursor over all records', () => {
  async function storeMany(count: number) {
    await database.db
      .insertInto('students')
      .values(
        Array.from({ length: count }, (_, index) => buildStoredStudent({ lastName: `Student ${index}` })),
      )
      .execute()
  }

  async function openTransactions(): Promise<number> {
    const result = await sql<{ count: number }>`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
      database.db,
    )
    return result.rows[0]?.count ?? 0
  }

  test('gives every record, whole, in the order of the list', async () => {
    await storeMany(1_100)
    const cursor = await repository.openAll(select({ sort: 'registrationDate', search: 'student' }))
    const names: string[] = []
    for await (const batch of cursor.batches) names.push(...batch.map(({ lastName }) => lastName))
    await cursor.close()
    expect(names).toEqual(Array.from({ length: 1_100 }, (_, index) => `Student ${index}`))
    expect(await openTransactions()).toBe(0)
  })

  test('shows what was there when it was opened', async () => {
    await storeMany(600)
    const cursor = await repository.openAll(select())
    let count = (await cursor.batches.next()).value?.length
    await storeStudent(database, { lastName: 'Later' })
    await database.db.deleteFrom('students').where('lastName', '=', 'Student 0').execute()
    for await (const batch of cursor.batches) count += batch.length
    await cursor.close()
    expect(count).toBe(600)
  })

  test('gives its connection back when it is closed early, even while a batch is on its way', async () => {
    await storeMany(600)
    for (let count = 0; count < 5; count++) {
      const cursor = await repository.openAll(select())
      const first = cursor.batches.next()
      await Promise.all([first, cursor.close(), cursor.close()])
    }
    expect(await openTransactions()).toBe(0)
  })

  test('fails, and releases its slot, when the connection is lost in the middle', async () => {
    await storeMany(1_100)
    const cursor = await repository.openAll(select())
    await cursor.batches.next()
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
      database.db,
    )
    await expect(cursor.batches.next()).rejects.toThrow()
    await cursor.close()
    const next = await repository.openAll(select())
    await next.close()
  })
})

test('names of the greatest length in any script fit the indexes', async () => {
  // The widest characters: three bytes each, nine once they are decomposed for sorting.
  const syllables = (seed: number) =>
    Array.from({ length: 100 }, (_, index) => String.fromCharCode(0xac01 + ((index * seed) % 11_000))).join(
      '',
    )
  await storeStudent(database, {
    lastName: syllables(7919),
    firstName: syllables(6101),
    middleName: syllables(3571),
  })
  expect(await lastNames({ search: syllables(7919).slice(3, 9) })).toHaveLength(1)
})
