import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { toAppError } from './errors.ts'
import { type AppDatabase, createDatabase } from './pool.ts'

describe('the database', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    await sql`create table counters (name text primary key, value integer not null)`.execute(database.db)
  })

  afterAll(async () => {
    await database.close()
  })

  test('returns calendar dates as texts and counts as numbers', async () => {
    const { rows } = await sql<{ day: string; total: number }>`
      select date '2008-02-29' as day, count(*)::int as total from counters`.execute(database.db)
    expect(rows).toEqual([{ day: '2008-02-29', total: 0 }])
  })

  test('finds ñ by substring in any case and Unicode form, through the trigram index', async () => {
    const { rows } = await sql<{ found: boolean; trigrams: string[] }>`
      select 'PEÑA' ilike '%eña%' as found, show_trgm('peña') as trigrams`.execute(database.db)
    expect(rows[0]?.found).toBe(true)
    // Were ñ no letter to the extension, the word would fall apart into 'pe' and 'a'.
    expect(rows[0]?.trigrams).toHaveLength(5)

    await storeStudent(database, { lastName: 'PEN\u0303AFLORIDA' })
    const found = await database.transact(async (tx) => {
      // On a table this small the planner would prefer any other plan to this index.
      await sql`set local enable_seqscan = off`.execute(tx)
      const query = sql<Record<string, string>>`
        select sort_name from student_search where search_text like '%' || searchable('Peñaflorida') || '%'`
      const plan = await sql<Record<string, string>>`explain ${query}`.execute(tx)
      const { rows } = await query.execute(tx)
      return { plan: plan.rows.map((row) => Object.values(row)[0]).join(' '), rows }
    })
    expect(found.plan).toContain('student_search_words')
    expect(found.rows).toHaveLength(1)
  })

  test('makes of plain text for the search what it makes of text with accents', async () => {
    const plain = String.fromCharCode(...Array.from({ length: 127 }, (_, index) => index + 1))
    const { rows } = await sql<{ plain: string; accented: string }>`
      select searchable(${plain}) as plain, searchable(${`${plain}ñ`}) as accented`.execute(database.db)
    expect(rows[0]?.plain).toBe('\n0123456789abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz')
    expect(rows[0]?.accented).toBe(`${rows[0]?.plain}n`)
  })

  test('fails a statement that exceeds the time limit as unavailable, and stays usable', async () => {
    const error = await sql`select pg_sleep(20)`.execute(database.db).catch((reason: unknown) => reason)
    expect(toAppError(error)?.code).toBe('unavailable')
    await expect(database.check()).resolves.toBeUndefined()
  })

  test('keeps only a few connections without use', async () => {
    const { pool } = database
    await Promise.all(Array.from({ length: 12 }, () => pool.query('select pg_sleep(0.1)')))
    expect(pool.totalCount).toBeGreaterThan(8)
    await expect.poll(() => pool.totalCount, { timeout: 10_000 }).toBe(4)
  })

  test('passes a constraint violation on to its repository', async () => {
    const insert = () => sql`insert into counters values ('twice', 0)`.execute(database.db)
    await insert()
    const error = await insert().catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: '23505' })
    expect(toAppError(error)).toBeUndefined()
  })

  test('retries conflicting transactions until all succeed', async () => {
    await sql`insert into counters values ('serial', 0)`.execute(database.db)
    const increment = () =>
      database.transact(
        async (tx) => {
          const { rows } = await sql<{ value: number }>`
            select value from counters where name = 'serial'`.execute(tx)
          await sql`update counters set value = ${(rows[0]?.value ?? 0) + 1} where name = 'serial'`.execute(
            tx,
          )
        },
        { isolation: 'serializable' },
      )
    await Promise.all(Array.from({ length: 8 }, increment))
    const { rows } = await sql`select value from counters where name = 'serial'`.execute(database.db)
    expect(rows).toEqual([{ value: 8 }])
  })

  test('fails with maxretry after 25 retries', async () => {
    await sql`insert into counters values ('contested', 0)`.execute(database.db)
    let attempts = 0
    const attempt = database.transact(
      async (tx) => {
        attempts++
        await sql`select value from counters where name = 'contested'`.execute(tx)
        // Another transaction always changes the row in between, so this one can never be serialized.
        await sql`update counters set value = value + 1 where name = 'contested'`.execute(database.db)
        await sql`update counters set value = value + 1 where name = 'contested'`.execute(tx)
      },
      { isolation: 'serializable' },
    )
    await expect(attempt).rejects.toEqual(expect.objectContaining({ code: 'maxretry' }))
    await expect(attempt).rejects.toBeInstanceOf(AppError)
    expect(attempts).toBe(26)
  })

  test('streams more rows than fit in memory', async () => {
    let rows = 0
    const query = database.longDb
      .selectFrom(sql<{ n: number }>`generate_series(1, 5000)`.as<'series'>('series'))
      .selectAll()
    for await (const _row of query.stream(500)) rows++
    expect(rows).toBe(5000)
  })

  describe('a prepared statement', () => {
    const text = 'select $1::int as n'
    const name = sha256(text).toString('base64url')
    let pooled: AppDatabase
    // One query at a time: the pool has a single connection.
    const prepared = async () => (await pooled.pool.query('select name from pg_prepared_statements')).rows

    beforeEach(() => {
      pooled = createDatabase({ connection: database.connection, log: pino({ level: 'silent' }) })
    })
    afterEach(() => pooled.close())

    test('stays with its connection', async () => {
      expect(await pooled.queryPrepared(text, [1])).toEqual([{ n: 1 }])
      expect(await pooled.queryPrepared(text, [2])).toEqual([{ n: 2 }])
      expect(await prepared()).toEqual([{ name }])
    })

    test.each([
      ['is missing', [1], 'deallocate all'],
      ["is another client's", [], `prepare "${name}" as select 0 as n`],
    ])('behind a pooler, where it %s, is sent unnamed from then on', async (_what, before, meanwhile) => {
      for (const value of before) await pooled.queryPrepared(text, [value])
      await pooled.pool.query(meanwhile)
      expect(await pooled.queryPrepared(text, [2])).toEqual([{ n: 2 }])
      await pooled.pool.query('deallocate all')
      expect(await pooled.queryPrepared(text, [3])).toEqual([{ n: 3 }])
      expect(await prepared()).toEqual([])
    })
  })
})
