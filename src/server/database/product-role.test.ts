import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAudit, createTrailRepository } from '#server/features/audit/repository.ts'
import { ownActor } from '#server/lib/actor.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { productRole } from './embedded/cluster.ts'
import { migrate } from './migrate.ts'
import { type AppDatabase, createDatabase } from './pool.ts'
import { addSearchWords } from './student-counts/maintenance.ts'

const log = pino({ level: 'silent' })
const actor = ownActor('system')
const audit = createAudit({ clock: () => new Date() })

let owner: TestDatabase
let product: AppDatabase
beforeAll(async () => {
  owner = await createTestDatabase()
  await migrate({ connection: owner.connection, log, productRole })
  product = createDatabase({ connection: { ...owner.connection, user: productRole }, log })
})
afterAll(async () => {
  await product.close()
  await owner.close()
})

describe("the product's role may add to the trail and read it, and nothing else", () => {
  test('it adds entries, which are linked, and deletes a record with its values', async () => {
    const student = await storeStudent(product)
    const values = { before: { email: 'a@b.example' }, after: {} }
    await audit.record(product.db, { action: 'student-edited', actor, studentId: student.id, values })
    await product.db.deleteFrom('students').where('id', '=', student.id).execute()
    expect(await product.db.selectFrom('auditValues').selectAll().execute()).toEqual([])
    const trail = createTrailRepository(product.db)
    expect(await trail.verify()).toMatchObject({ links: 1, broken: 0, unlinked: 0 })
    expect(await trail.deleteBefore(new Date('9000-01-01'), 100)).toBe(0)
  })

  test('it adds the words of new records to the index of the search', async () => {
    const waiting = "select gin_clean_pending_list('student_search_words')::int as pages"
    await storeStudent(product)
    expect((await owner.pool.query(waiting)).rows).toEqual([{ pages: 1 }])
    await storeStudent(product)
    await addSearchWords(product.db)
    expect((await owner.pool.query(waiting)).rows).toEqual([{ pages: 0 }])
  })

  test.each([
    "update audit_events set actor = ''",
    'delete from audit_events',
    'truncate audit_events cascade',
    "select set_config('nstp.retention', 'on', false); delete from audit_events",
    'alter table audit_events disable trigger user',
    'drop trigger audit_events_chained on audit_events',
    'drop table audit_chain',
    "update audit_values set after = '{}'",
    'delete from audit_students',
    "update enrolment_changes set reason = ''",
    'delete from enrolment_changes',
    `insert into audit_events (id, at, action, actor, client_address, user_agent, request_id, subject, fields, affected,
      detail) values (gen_random_uuid(), now(), 'audit-exception', '', '', '', '', '', '{}', 1, '{"position": 99}')`,
    "insert into audit_chain values (9, gen_random_uuid(), now(), '', '')",
    'delete from audit_chain',
    "delete from schema_migrations where name > ''",
    'create table own (id integer)',
  ])('%s is refused', async (statement) => {
    await expect(product.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
  })
})
