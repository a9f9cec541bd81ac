import pg from 'pg'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigurationError } from '#server/env.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { listMigrations, type Migration, migrate, migrationLock } from './migrate.ts'

const log = pino({ level: 'silent' })
const created: Migration = { name: '9001-parcels', sql: 'create table parcels (id integer primary key);' }
const changed: Migration = { name: '9002-parcel-names', sql: 'alter table parcels add name text;' }

describe('migrations', () => {
  let database: TestDatabase
  let migrations: Migration[]

  beforeEach(async () => {
    database = await createTestDatabase()
    migrations = [...listMigrations(), created, changed]
  })
  afterEach(() => database.close())

  const run = (list = migrations) => migrate({ connection: database.connection, log, migrations: list })

  async function query(text: string) {
    const client = new pg.Client(database.connection)
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  test('of the product are numbered without gaps or duplicates', () => {
    const numbers = listMigrations().map(({ name }) => Number(name.slice(0, 4)))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  test('are applied once, in order', async () => {
    await run()
    await run()
    expect(await query('select id, name from parcels')).toEqual([])
    expect(await query('select name from schema_migrations order by name desc limit 2')).toEqual([
      { name: changed.name },
      { name: created.name },
    ])
  })

  test.each([
    ['a new portal', '{}', undefined],
    ['one that is used, with nothing set', '{"schoolName": "Tanza"}', { state: 'open', opensAt: '' }],
    [
      'one with an opening',
      '{"enlistment": {"opensAt": "2026-06-01T08:00", "closesAt": ""}}',
      { state: 'dates', opensAt: '2026-06-01T08:00' },
    ],
    [
      'one in maintenance mode',
      '{"maintenance": {"enabled": true, "sentence": "Wait."}}',
      { state: 'closed', message: 'Wait.' },
    ],
  ])('join the settings of enlistment: %s', async (_case, before, after) => {
    await query('drop schema public cascade')
    await query('create schema public')
    await run(listMigrations().filter(({ name }) => name < '0023'))
    await query(`update settings set changed = '${before}'`)
    await run(listMigrations())
    const [settings] = await query('select changed from settings')
    expect(settings).not.toHaveProperty('changed.maintenance')
    if (after) expect(settings).toMatchObject({ changed: { enlistment: after } })
    else expect(settings).toEqual({ changed: {} })
  })

  test('leave a new portal open, and store what one that is in use offers', async () => {
    await query('drop schema public cascade')
    await query('create schema public')
    await run(listMigrations().filter(({ name }) => name < '0044'))
    const opening = listMigrations().filter(({ name }) => name < '0045')
    await run(opening)
    expect(await query('select changed from settings')).toEqual([{ changed: {} }])

    await query("delete from schema_migrations where name >= '0044'")
    await query(`insert into admins (id, email, display_name, password_hash)
      values (gen_random_uuid(), 'office@school.example', 'Administrator', '')`)
    await query(`update settings set changed = '{"courses": ["BSIT"]}'`)
    await run(opening)
    expect(await query('select changed from settings')).toEqual([
      {
        changed: {
          enlistment: { ...defaultSettings.enlistment, state: 'closed' },
          academicYears: ['2023-2024', '2024-2025', '2025-2026', '2026-2027', '2027-2028'],
          courses: ['BSIT'],
        },
      },
    ])
  })

  test.each([
    ['true', { twoFactorRequired: 'everyone' }, true],
    ['false', { twoFactorRequired: 'nobody' }, false],
    ['unset', {}, false],
  ])('give a week where two-factor sign-in is required: %s', async (before, after, isDue) => {
    await query('drop schema public cascade')
    await query('create schema public')
    await run(listMigrations().filter(({ name }) => name < '0026'))
    const stored = before === 'unset' ? '{}' : `{"twoFactorRequired": ${before}}`
    await query(`update settings set changed = '${stored}'`)
    await query(`insert into admins (id, email, display_name, password_hash)
      values (gen_random_uuid(), 'office@school.example', 'Administrator', '')`)
    await run(listMigrations().filter(({ name }) => name < '0044'))
    expect(await query('select changed from settings')).toEqual([{ changed: after }])
    const [admin] = await query(
      "select second_factor_due between now() + interval '6 days' and now() + interval '7 days' as due from admins",
    )
    expect(admin).toEqual({ due: isDue || null })
  })

  test('give each API token to the account whose address it has, and drop those of nobody', async () => {
    await query('drop schema public cascade')
    await query('create schema public')
    await run(listMigrations().filter(({ name }) => name < '0032'))
    await query(`insert into admins (id, email, display_name, password_hash)
      values ('0198f4b2-0000-7000-8000-000000000001', 'Office@school.example', 'Administrator', '')`)
    await query(`insert into api_tokens (id, name, token_hash, prefix, created_at, created_by)
      select gen_random_uuid(), maker, sha256(maker::bytea), '', now(), maker
      from unnest(array['office@school.example', 'gone@school.example']) maker`)
    await run(listMigrations())
    expect(await query('select name, created_by_id from api_tokens')).toEqual([
      { name: 'office@school.example', created_by_id: '0198f4b2-0000-7000-8000-000000000001' },
    ])
  })

  test('of a version before 0.1.0 are refused with the version that updates them', async () => {
    await query("insert into schema_migrations (name, checksum) values ('0001-students', 'any')")
    const attempt = run()
    await expect(attempt).rejects.toBeInstanceOf(ConfigurationError)
    await expect(attempt).rejects.toThrow(
      'The database was written by a version before 0.1.0. Start NSTP Portal 0.2.0 on it once, which updates it, then start this version.',
    )
  })

  test('run one process at a time', async () => {
    await Promise.all([run(), run(), run(), run()])
    expect(await query("select count(*)::int as n from schema_migrations where name like '9%'")).toEqual([
      { n: 2 },
    ])
  })

  test('that wait too long for another process fail with a message', async () => {
    const lockHolder = new pg.Client(database.connection)
    await lockHolder.connect()
    try {
      await lockHolder.query('select pg_advisory_lock($1)', [migrationLock])
      const lines: string[] = []
      const waiting = migrate({
        connection: database.connection,
        log,
        migrations,
        lockMs: 200,
        print: (line) => lines.push(line),
      })
      await expect(waiting).rejects.toThrow(ConfigurationError)
      expect(lines).toEqual(['Waiting for another process that updates the tables of this database…'])
    } finally {
      await lockHolder.end()
    }
  })

  test('that fail are rolled back, and continue once corrected', async () => {
    const broken = { ...changed, sql: 'alter table parcels add name text; select 1 / 0;' }
    await expect(run([...listMigrations(), created, broken])).rejects.toThrow(
      'The migration 9002-parcel-names failed: division by zero',
    )
    expect(await query("select 1 from information_schema.columns where table_name = 'parcels'")).toHaveLength(
      1,
    )
    await run()
    expect(await query('select name from parcels')).toEqual([])
  })

  test('that were edited after they were applied are refused', async () => {
    await run()
    const edited = { ...created, sql: `${created.sql} -- changed` }
    const attempt = run([...listMigrations(), edited, changed])
    await expect(attempt).rejects.toBeInstanceOf(ConfigurationError)
    await expect(attempt).rejects.toThrow(
      'The migration 9001-parcels was changed after this database applied it.',
    )
  })

  test('with other line ends have the same checksum', async () => {
    const twoLines = { ...created, sql: 'create table parcels\n(id integer primary key);' }
    await run([...listMigrations(), twoLines])
    await run([...listMigrations(), { ...twoLines, sql: twoLines.sql.replaceAll('\n', '\r\n') }])
  })

  test('of a newer version stop an older one', async () => {
    await run()
    await expect(run(listMigrations())).rejects.toThrow(
      'The database was written by a newer version of NSTP Portal (it has the migration 9001-parcels).',
    )
  })
})
