import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listMigrations } from '#server/database/migrate.ts'
import { ownActor } from '#server/lib/actor.ts'
import type { AuditAction } from '#shared/audit/audit.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer } from '#tests/setup/test-server.ts'
import { createAudit, createTrailRepository } from '../repository.ts'
import { checkTrail, logTrailHead } from '../service.ts'

const audit = createAudit({ clock: () => new Date('2020-11-20T02:00:00Z') })
const actor = ownActor('system')
const one = '0198a000-0000-7000-8000-000000000001'
const two = '0198a000-0000-7000-8000-000000000002'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.close())

const record = (subject = '') => audit.record(database.db, { action: 'signed-in', actor, subject })
const fault = async () => (await checkTrail(database.db)).fault

/** As a database administrator who switches the triggers off. */
async function tamper(statement: RawBuilder<unknown>): Promise<void> {
  const tables = ['audit_events', 'audit_students', 'audit_chain'].map((table) => sql.table(table))
  for (const table of tables) await sql`alter table ${table} disable trigger user`.execute(database.db)
  await statement.execute(database.db)
  for (const table of tables) await sql`alter table ${table} enable trigger user`.execute(database.db)
}

test('the log gets the number and hash of the last entry, so that removing the newest entries shows', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  await logTrailHead({ db: database.db, log })
  expect(lines).toEqual([])
  for (const subject of ['first', 'second']) await record(subject)
  await logTrailHead({ db: database.db, log })
  const { position, head } = await checkTrail(database.db)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'last entry of the audit trail', position, hash: head },
  ])
  expect(lines.join()).not.toContain('second')

  // Each hour, and at the end.
  const heads = () => lines.filter((line) => JSON.parse(line).msg === 'last entry of the audit trail').length
  const server = await startTestServer({ database, log })
  expect(heads()).toBe(1)
  await server.sweep()
  expect(heads()).toBe(2)
  await server.close()
  expect(heads()).toBe(3)
})

describe('the chain of the audit trail', () => {
  test('links each entry once, also of concurrent transactions', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        database.transact(async (tx) => {
          const subject = `print ${index}`
          await audit.record(tx, { action: 'students-printed', actor, studentIds: [one], subject })
          await audit.record(tx, { action: 'signed-out', actor })
        }),
      ),
    )
    const report = await checkTrail(database.db)
    expect(report).toMatchObject({ links: 80, position: 80, broken: 0, unlinked: 0, withoutStudents: 0 })
    expect(report.fault).toBeUndefined()
  })

  test('covers the students of an entry that is no part of a transaction', async () => {
    await audit.record(database.db, { action: 'students-exported', actor, studentIds: [one, two, one] })
    await audit.record(database.db, { action: 'students-merged', actor, values: { before: {}, after: {} } })
    expect(await checkTrail(database.db)).toMatchObject({ links: 2, broken: 0, withoutStudents: 0 })
    await tamper(sql`delete from audit_students where student_id = ${two}`)
    expect(await fault()).toContain('entry 1')
  })

  test('names each broken entry, of many the first twenty', async () => {
    for (const subject of ['a', 'b', 'c', 'd']) await record(subject)
    await tamper(sql`update audit_events set actor = 'somebody else' where subject in ('b', 'd')`)
    expect(await fault()).toBe('The audit trail was changed: entries 2, 4 are not as they were written.')
    for (let count = 0; count < 21; count++) await record('e')
    await tamper(sql`update audit_events set actor = 'somebody else' where subject = 'e'`)
    expect(await fault()).toMatch(/entries 2, 4, 5, .*, 22, and 3 more are/)
  })

  describe('with entries of release 0.2.0, linked before their students were written', () => {
    /** As release 0.2.0 did: two statements. */
    async function recordInTwo(action: AuditAction, studentIds: string[]): Promise<void> {
      const subject = studentIds.join()
      await audit.record(database.db, { action, actor, subject })
      await sql`insert into audit_students select id, unnest(${studentIds}::uuid[]) from audit_events
        where subject = ${subject}`.execute(database.db)
    }

    async function upgrade(): Promise<void> {
      const migration = listMigrations().find(({ name }) => name === '0043-audit-exception')
      await sql`drop function audit_digest_without_students`.execute(database.db)
      await database.transact((tx) => tx.executeQuery(CompiledQuery.raw(migration?.sql ?? '')))
    }

    test('checks those up to the upgrade without their students, and says how many', async () => {
      await audit.record(database.db, { action: 'students-printed', actor, studentIds: [two] })
      await recordInTwo('students-exported', [one, two])
      await recordInTwo('students-printed', [one])
      expect(await fault()).toContain('entries 2, 3')
      await upgrade()
      expect(await checkTrail(database.db)).toMatchObject({ links: 4, broken: 0, withoutStudents: 2 })
      // Nothing else of them may change, and neither may the students of others.
      await tamper(sql`update audit_events set affected = 7 where subject = ${one}`)
      expect(await fault()).toContain('entry 3')
      await tamper(sql`delete from audit_students where student_id = ${two}`)
      expect(await fault()).toContain('entries 1, 3')
    })

    test('finds one that was written after the upgrade, whatever is noted later', async () => {
      await recordInTwo('students-exported', [one])
      await upgrade()
      await recordInTwo('students-exported', [two])
      expect(await fault()).toContain('entry 3')
      await audit.record(database.db, { action: 'audit-exception', actor, detail: { position: 9 } })
      expect(await fault()).toContain('entry 3')
    })

    test('adds no entry where there are none', async () => {
      await audit.record(database.db, { action: 'students-exported', actor, studentIds: [one, two] })
      await upgrade()
      expect(await checkTrail(database.db)).toMatchObject({ links: 1, broken: 0, withoutStudents: 0 })
    })
  })

  test('is not locked by a transaction that is still at work', async () => {
    await database.transact(async (tx) => {
      await audit.record(tx, { action: 'students-imported', actor })
      await record()
    })
    expect(await fault()).toBeUndefined()
  })

  test.each([
    ['changed', sql`update audit_events set actor = 'somebody else' where subject = 'b'`, 'entry 2'],
    ['removed', sql`delete from audit_events where subject = 'b'`, 'entry 2'],
    ['moved in time', sql`update audit_events set at = at + interval '1 day' where subject = 'c'`, 'entry 3'],
    [
      'given another record',
      sql`insert into audit_students select id, id from audit_events`,
      'entries 1, 2, 3',
    ],
    ['removed with its link', sql`delete from audit_chain where position = 2`, 'entry 3'],
    ['removed with all before', sql`delete from audit_chain where position < 3`, 'entry 3'],
    ['linked anew', sql`update audit_chain set digest = hash where position = 1`, 'entry 1'],
    ['cut from those before', sql`update audit_chain set hash = digest where position = 2`, 'entries 2, 3'],
    [
      'linked at another time',
      sql`update audit_chain set at = at - interval '1 day' where position = 2`,
      'entry 2',
    ],
    [
      'inserted past it',
      sql`insert into audit_events select gen_random_uuid(), at, action, admin_id, actor, client_address, user_agent,
        request_id, student_id, subject, fields, affected, detail from audit_events limit 1`,
      '1 entries',
    ],
  ])('a changed, removed or inserted entry is found: %s', async (_, statement, place) => {
    for (const subject of ['a', 'b', 'c']) await record(subject)
    expect(await fault()).toBeUndefined()
    await tamper(statement)
    expect(await fault()).toContain(place)
  })

  test('goes on after old entries expired, and only after those', async () => {
    for (const subject of ['a', 'b', 'c']) await record(subject)
    const expire = (before: string) =>
      createTrailRepository(database.db).deleteBefore(new Date(before), 5_000)
    // The settings keep 36 months; the caller's date doesn't matter.
    expect(await expire('9000-01-01')).toBe(3)
    await audit.record(database.db, {
      action: 'audit-expired',
      actor,
      detail: { before: '2021-01-01T00:00:00Z' },
    })
    await createAudit({ clock: () => new Date() }).record(database.db, { action: 'signed-in', actor })
    expect(await fault()).toBeUndefined()
    // The entry that allowed it is missing.
    expect(await expire('9000-01-01')).toBe(1)
    expect(await fault()).toContain('entry 4')
  })
})
