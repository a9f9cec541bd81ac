import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { seedDemo } from './fill-with-demo.ts'

const now = new Date('2026-11-20T04:00:00Z')

interface Totals {
  all: number
  years: number
  future: number
  week: number
  month: number
  archived: number
  lts: number
  emails: number
  tooYoung: number
}

describe('the demo', () => {
  let database: TestDatabase
  let totals: Totals

  beforeAll(async () => {
    database = await createTestDatabase()
    await seedDemo({ database, now })
    const { rows } = await database.pool.query<Totals>(
      `select count(*)::int as all,
         count(distinct academic_year)::int as years,
         count(*) filter (where registration_date > $1)::int as future,
         count(*) filter (where registration_date > $1::timestamptz - interval '7 days')::int as week,
         count(*) filter (where registration_date > $1::timestamptz - interval '30 days')::int as month,
         count(*) filter (where archived)::int as archived,
         count(*) filter (where nstp_component = 'LTS')::int as lts,
         count(distinct lower(email))::int as emails,
         count(*) filter (where registration_date < date_of_birth + interval '16 years')::int as "tooYoung"
       from students`,
      [now],
    )
    if (rows[0]) totals = rows[0]
  })

  afterAll(() => database.close())

  test('has 2,000 students of three academic years, each old enough when enlisting', () => {
    expect(totals).toMatchObject({ all: 2_000, years: 3, future: 0, emails: 2_000, tooYoung: 0 })
  })

  test('has registrations in the last week and month', () => {
    expect(totals.week).toBeGreaterThan(5)
    expect(totals.month).toBeGreaterThan(totals.week)
    expect(totals.month).toBeLessThan(300)
  })

  test('has archived records and a few of the literacy component', () => {
    expect(totals.archived).toBeGreaterThan(200)
    expect(totals.archived).toBeLessThan(1_000)
    expect(totals.lts).toBeGreaterThan(0)
    expect(totals.lts).toBeLessThan(40)
  })

  test('is refused when there are students', async () => {
    await expect(seedDemo({ database, count: 1, now })).rejects.toThrow(
      'The database already has students, so no demo content was added.',
    )
  })
})

test.each(['2023-06-01', '2024-01-01', '2025-05-31', '2027-06-10', '2031-03-01'])(
  'the demo can be seeded on %s',
  async (day) => {
    const database = await createTestDatabase()
    try {
      await seedDemo({ database, count: 50, now: new Date(`${day}T00:00:00Z`) })
      const { rows } = await database.pool.query('select count(*)::int as count from students')
      expect(rows).toEqual([{ count: 50 }])
    } finally {
      await database.close()
    }
  },
)
