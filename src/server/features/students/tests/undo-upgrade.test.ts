import { sql } from 'kysely'
import pino from 'pino'
import { v7 as createId } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listMigrations, migrate } from '#server/database/migrate.ts'
import { createAudit, createTrailRepository } from '#server/features/audit/repository.ts'
import { checkTrail } from '#server/features/audit/service.ts'
import type { AuditEntry } from '#server/lib/audit.ts'
import { buildStoredStudent, storeStudentOfThen } from '#tests/factories/stored-student.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { createAuthOn } from '#tests/setup/auth.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer } from '#tests/setup/test-server.ts'

const log = pino({ level: 'silent' })
const minuteMs = 60_000

let database: TestDatabase
const actor = { adminId: '', name: adminEmail, clientAddress: '', userAgent: '', requestId: '' }

beforeAll(async () => {
  database = await createTestDatabase()
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  const before = listMigrations().filter(({ name }) => name < '0025')
  await migrate({ connection: database.connection, log, migrations: before })
  actor.adminId = createId()
  const passwordHash = await createAuthOn(database).passwords.hash(adminPassword)
  // With the columns of then.
  await sql`insert into admins (id, email, display_name, password_hash)
    values (${actor.adminId}, ${adminEmail}, 'Administrator', ${passwordHash})`.execute(database.db)
})
afterAll(() => database.close())

const note = (minutes: number, entry: AuditEntry) =>
  database.transact((tx) =>
    createAudit({ clock: () => new Date(Date.now() - minutes * minuteMs) }).record(tx, entry),
  )
const rowOf = (id: string) =>
  database.db.selectFrom('students').selectAll().where('id', '=', id).executeTakeFirst()

/** As 0.1.0 left it, which kept both records in the trail. */
async function storeMerge(
  keptId: string,
  minutes: number,
  dropped = buildStoredStudent({ lastName: 'Dropped' }),
) {
  const target = await rowOf(keptId)
  const after = { ...target, version: (target?.version ?? 0) + 1, course: dropped.course }
  const { course, version } = after
  await database.db.updateTable('students').set({ course, version }).where('id', '=', keptId).execute()
  await note(minutes, {
    action: 'students-merged',
    actor,
    studentId: keptId,
    studentIds: [keptId, dropped.id],
    subject: target?.reference ?? '',
    fields: ['course'],
    values: {
      before: {
        target: { ...target, restriction: null },
        dropped: { ...dropped, archived: false, archivedDate: null, status: 'Registered', version: 1 },
        mail: [],
      },
      after: { target: after },
    },
  })
  return dropped
}

async function storeBulkChange(studentId: string, minutes: number): Promise<string> {
  const bulkChange = createId()
  await database.db
    .updateTable('students')
    .set({ course: 'SOTE', version: 2 })
    .where('id', '=', studentId)
    .execute()
  await note(minutes, {
    action: 'student-edited',
    actor,
    studentId,
    fields: ['course'],
    values: { before: { course: 'SOBM' }, after: { course: 'SOTE' } },
    detail: { bulkChange, version: 2 },
  })
  return bulkChange
}

async function storeRejection(isUndone: boolean): Promise<string> {
  const rejection = createId()
  const id = createId()
  await sql`
    insert into rejected_students select ${id}, ${rejection}, now(), to_jsonb(students) || jsonb_build_object('id',
      ${id}::text, 'reference', ${id}::text), '{}' from students limit 1`.execute(database.db)
  const entry = { actor, studentIds: [id], detail: { rejection } }
  await note(5, { action: 'registrations-rejected', ...entry })
  if (isUndone) await note(4, { action: 'rejection-undone', ...entry })
  return rejection
}

test('an upgrade moves what can still be undone out of the audit trail, whose chain stays intact', async () => {
  const store = async () => (await storeStudentOfThen(database, { course: 'SOBM' })).id
  const [changed, changedLongAgo, kept, keptLongAgo] = [
    await store(),
    await store(),
    await store(),
    await store(),
  ]
  const recent = await storeBulkChange(changed, 2)
  const old = await storeBulkChange(changedLongAgo, 11)
  const dropped = await storeMerge(kept, 2, buildStoredStudent({ lastName: 'Dropped', course: 'SOHM' }))
  const first = await storeMerge(keptLongAgo, 60, buildStoredStudent({ course: 'SOHM' }))
  const last = await storeMerge(keptLongAgo, 50, buildStoredStudent({ course: 'SOICT' }))
  const studentIds = [first.id, createId()]
  await note(70, { action: 'students-merged', actor, studentId: first.id, studentIds })
  // And of one that was undone.
  await storeMerge(keptLongAgo, 40, await storeStudentOfThen(database))
  const [offered] = [await storeRejection(false), await storeRejection(true)]
  await note(90, {
    action: 'backup-made',
    actor,
    detail: { finished: true, sealed: true, students: 4 },
  })
  await note(90, {
    action: 'backup-made',
    actor,
    detail: { finished: false, sealed: false, bytes: 1 },
  })
  const newest = await createTrailRepository(database.db).head()

  await migrate({ connection: database.connection, log })
  const { position, head, fault } = await checkTrail(database.db)
  expect({ position, hash: head, fault }).toEqual({ ...newest, fault: undefined })
  const values = JSON.stringify(await database.db.selectFrom('auditValues').selectAll().execute())
  expect(values).not.toContain('Dropped')
  expect(values).toContain('SOHM')

  const server = await startTestServer({ database })
  onTestFinished(() => server.close())
  const admin = createAdminClient(server, await server.signIn())
  const call = async (method: 'GET' | 'POST', path: string) => (await admin.call(method, path)).json()
  expect(await call('POST', `/students/changes/${recent}/undo`)).toEqual({ count: 1, skipped: 0, moved: 0 })
  expect(await rowOf(changed)).toMatchObject({ course: 'SOBM', version: 3 })
  expect(await admin.refusal('POST', `/students/changes/${old}/undo`)).toMatchObject({ status: 404 })
  expect((await admin.call('POST', `/students/${dropped.id}/restore`)).status).toBe(204)
  expect(await rowOf(dropped.id)).toMatchObject({ lastName: 'Dropped', course: 'SOHM' })
  expect(await rowOf(kept)).toMatchObject({ course: 'SOBM', mergedIds: [] })
  expect(await admin.refusal('POST', `/students/${last.id}/restore`)).toMatchObject({ status: 404 })
  expect((await call('GET', '/students/rejections')).items).toMatchObject([
    { id: offered, actor: adminEmail, count: 1 },
  ])
  expect((await admin.call('POST', `/students/rejections/${offered}/undo`)).status).toBe(200)
  expect(await call('GET', '/backup')).toMatchObject({ last: { isSealed: true } })
  // The record, those merged into it and into one of them; not that of the undone merge.
  expect((await rowOf(keptLongAgo))?.mergedIds).toHaveLength(3)
  expect((await admin.call('DELETE', `/students/${keptLongAgo}`)).status).toBe(204)
  expect(await database.db.selectFrom('erasures').selectAll().execute()).toHaveLength(4)
})
