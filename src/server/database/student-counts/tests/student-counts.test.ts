import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRandom, type Random } from '#server/demo/random.ts'
import { accessOf } from '#server/lib/access.ts'
import { buildStoredStudent, emptyStudents, storeStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { totalOf } from '../count-sql.ts'
import { countedRange } from '../counted-range.ts'
import { addChanges, needRebuild, rebuildCounts, removeZeroes } from '../maintenance.ts'

const zone = 'Asia/Manila'
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())
beforeEach(async () => {
  await emptyStudents(database)
  await rebuild()
})

const addUp = () => database.transact(addChanges)
const rebuild = (timeZone = zone) =>
  database.transact((tx) => rebuildCounts(tx, timeZone), { isolation: 'repeatable read' })

interface Cell {
  cell: string
  n: number
}

async function storedCounts(): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    with dated as (
      select *, (registration_date at time zone ${zone}::text)::date as day from student_count_changes
    )
    select concat_ws('|', grain, facet, bucket, value, nstp_component, archived, academic_year) as cell,
      sum(n)::int as n
    from (
      select grain, facet, bucket, value, nstp_component, archived, academic_year, n from student_counts
      union all
      ${cellsOf('dated')}
    ) as cells group by 1 having sum(n) <> 0 order by 1`.execute(database.db)
  return rows
}

async function freshCounts(): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    with dated as (
      select *, 1 as n, (registration_date at time zone ${zone}::text)::date as day from students
    )
    select concat_ws('|', grain, facet, bucket, value, nstp_component, archived, academic_year) as cell,
      sum(n)::int as n
    from (${cellsOf('dated')}) as cells group by 1 order by 1`.execute(database.db)
  return rows
}

function cellsOf(table: string) {
  return sql`
    select grain, facet, bucket, value, nstp_component, archived, academic_year, n
    from ${sql.table(table)}, lateral (values
      ('day', day), ('month', date_trunc('month', day)::date), ('all', '-infinity'::date)
    ) as grains (grain, bucket), lateral (values
      ('total', ''),
      ('sex', case lower(sex) when 'male' then 'male' when 'female' then 'female' else 'other' end),
      ('course', trim(course)),
      ('yearLevel', year_level::text)
    ) as facets (facet, value)`
}

async function changeSomething(random: Random) {
  const { db } = database
  const someIds = sql`select id from students order by md5(id::text || ${random.next()}) limit ${random.integer(1, 4)}`
  await random.pick([
    async () => {
      await storeStudent(database, randomValues(random))
    },
    async () => {
      const rows = Array.from({ length: random.integer(1, 6) }, () =>
        buildStoredStudent(randomValues(random)),
      )
      await db.insertInto('students').values(rows).execute()
    },
    async () => {
      const values = randomValues(random)
      await sql`
        update students set course = ${values.course}, sex = ${values.sex}, last_name = ${values.lastName},
          nstp_component = ${values.nstpComponent}, academic_year = ${values.academicYear}
        where id in (${someIds})`.execute(db)
    },
    async () => {
      await sql`update students set address = 'elsewhere' where id in (${someIds})`.execute(db)
    },
    async () => {
      await sql`
        update students set archived = not archived, archived_date = case when archived then null else now() end
        where id in (${someIds})`.execute(db)
    },
    async () => {
      await sql`delete from students where id in (${someIds})`.execute(db)
    },
    async () => {
      // As a merge: one record is deleted and the other updated in one transaction.
      await database.transact(async (tx) => {
        await sql`delete from students where id in (${someIds})`.execute(tx)
        await sql`update students set registration_date = registration_date - interval '40 days'
          where id in (${someIds})`.execute(tx)
      })
    },
    async () => {
      await database
        .transact(async (tx) => {
          await sql`delete from students where id in (${someIds})`.execute(tx)
          throw new Error('taken back')
        })
        .catch(() => undefined)
    },
  ])()
}

function randomValues(random: Random) {
  return {
    course: random.pick(['SOICT', 'SOBM', '', ' SOBM ', 'A course of the settings']),
    sex: random.pick(['Male', 'female', 'MALE', 'X', '']),
    nstpComponent: random.pick(['ROTC', 'CWTS', 'LTS']),
    academicYear: random.pick(['2025-2026', '2026-2027']),
    yearLevel: random.integer(1, 5),
    lastName: random.pick(['Abad', 'Dela Cruz', 'Peña', 'Zuñiga', '李']),
    // Around the ends of days, months and a year in Manila.
    registrationDate: new Date(Date.UTC(2025, 11, 30) + random.integer(0, 40 * 24) * 3_600_000),
  }
}

describe('the counts', () => {
  test.each([1, 2, 3, 4])('equal a fresh count after random changes and updates (%i)', async (seed) => {
    const random = createRandom(seed)
    for (let step = 0; step < 60; step++) {
      await changeSomething(random)
      if (random.chance(0.25)) await addUp()
      if (random.chance(0.05)) await removeZeroes(database.db)
      if (random.chance(0.05)) await rebuild()
    }
    expect(await storedCounts()).toEqual(await freshCounts())
    await addUp()
    expect(await storedCounts()).toEqual(await freshCounts())
    const pending = await sql`select from student_count_changes`.execute(database.db)
    expect(pending.rows).toHaveLength(0)
  })

  test('equal those of a rebuild', async () => {
    const random = createRandom(9)
    for (let step = 0; step < 40; step++) await changeSomething(random)
    await addUp()
    await removeZeroes(database.db)
    const stored = () =>
      sql`select * from student_counts order by grain, facet, bucket, value, nstp_component, archived, academic_year`
        .execute(database.db)
        .then(({ rows }) => rows)
    const before = await stored()
    await rebuild()
    expect(await stored()).toEqual(before)
  })

  test('are empty when all students are removed at once', async () => {
    await storeStudent(database)
    await addUp()
    await storeStudent(database)
    await emptyStudents(database)
    expect(await storedCounts()).toEqual([])
  })

  test('are rebuilt for another time zone', async () => {
    // 1 January in Manila, still the old year in New York.
    await storeStudent(database, { registrationDate: new Date('2025-12-31T20:00:00Z') })
    await addUp()
    const yearOf = async () => {
      const { rows } = await sql<{ bucket: string }>`
        select bucket from student_counts where grain = 'day' and facet = 'total'`.execute(database.db)
      return rows.map(({ bucket }) => bucket)
    }
    expect(await yearOf()).toEqual(['2026-01-01'])
    expect(await needRebuild(database.db, zone)).toBe(false)
    expect(await needRebuild(database.db, 'America/New_York')).toBe(true)
    await rebuild('America/New_York')
    expect(await yearOf()).toEqual(['2025-12-31'])
    expect(await needRebuild(database.db, 'America/New_York')).toBe(false)
  })
})

describe('a total', () => {
  test('equals a count of the records for any filters and any range', async () => {
    const random = createRandom(5)
    for (let step = 0; step < 40; step++) {
      await changeSomething(random)
      if (random.chance(0.2)) await addUp()
    }
    const from = Date.UTC(2025, 11, 20)
    for (let round = 0; round < 150; round++) {
      const components = random.pick([[], ['ROTC'], ['CWTS', 'LTS']] as const)
      const filters = {
        component: random.pick(['all', 'ROTC', 'LTS']),
        archive: random.pick(['all', 'active', 'archived'] as const),
        academicYear: random.pick(['all', '2026-2027']),
        access: accessOf({ role: 'coordinator', components: [...components] }),
      }
      const start = new Date(from + random.integer(0, 50 * 24) * 3_600_000)
      const until = random.chance(0.3) ? null : new Date(start.getTime() + random.integer(0, 900) * 3_600_000)
      const range = random.chance(0.1) ? null : { from: start, until }
      const { rows } = await sql<{ kept: number; fresh: number }>`
        select ${totalOf(filters, countedRange(range, zone))} as kept, count(*)::int as fresh from students
        where ${filters.component} in ('all', nstp_component)
          and (${components.length === 0} or nstp_component = any(${[...components]}::text[]))
          and ${filters.academicYear} in ('all', academic_year)
          and ${filters.archive} in ('all', case when archived then 'archived' else 'active' end)
          and registration_date >= ${range?.from ?? new Date(0)}
          and registration_date < ${range?.until ?? new Date(8e15)}`.execute(database.db)
      expect(rows[0]?.kept).toBe(rows[0]?.fresh)
    }
  })
})

describe('at the same time', () => {
  test('registrations wait neither for each other nor for a count update', async () => {
    await storeStudent(database)
    // An update of another process and a registration, both not committed yet.
    const transaction = await database.db.startTransaction().execute()
    await sql`update student_count_state set turns = turns + 1`.execute(transaction)
    await sql`delete from student_count_changes`.execute(transaction)
    await sql`insert into student_counts
      select 'all', 'total', '-infinity', '', 'CWTS', false, '2026-2027', 1`.execute(transaction)
    const registration = await database.db.startTransaction().execute()
    await registration.insertInto('students').values(buildStoredStudent()).execute()
    try {
      await database.transact(async (tx) => {
        // Waiting for any lock would be an error here.
        await sql`set local lock_timeout = '1ms'`.execute(tx)
        const rows = Array.from({ length: 5 }, () => buildStoredStudent())
        await tx.insertInto('students').values(rows).execute()
        await sql`update students set course = 'SOTE' where id = ${rows[0]?.id}`.execute(tx)
        await sql`delete from students where id = ${rows[1]?.id}`.execute(tx)
      })
      // Nor does our own run wait: it leaves the changes to the process with the lock.
      expect(await addUp()).toBe(0)
    } finally {
      await registration.commit().execute()
      await transaction.rollback().execute()
    }
    expect(await addUp()).toBeGreaterThan(0)
    expect(await storedCounts()).toEqual(await freshCounts())
  })

  test('concurrent registrations, updates and a rebuild lose no count', async () => {
    let isDone = false
    const workers = [0, 1].map(async () => {
      while (!isDone) {
        await addUp()
        await sleep(1)
      }
    })
    const registering = Array.from({ length: 8 }, async (_, client) => {
      for (let index = 0; index < 15; index++) {
        await storeStudent(database, {
          nstpComponent: client % 2 === 0 ? 'ROTC' : 'CWTS',
          course: `C${index % 3}`,
        })
      }
    })
    await rebuild()
    await Promise.all(registering)
    isDone = true
    await Promise.all(workers)
    expect(await storedCounts()).toEqual(await freshCounts())
    expect(await freshCounts()).not.toEqual([])
  })
})
