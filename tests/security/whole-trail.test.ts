// @module-tag rest
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkTrail } from '#server/features/audit/service.ts'
import { auditActionNames } from '#shared/audit/audit.ts'
import { roles } from '#shared/people/permissions.ts'
import { createApiWalk } from '#tests/setup/api-walk/api-walk.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { setOffice } from '#tests/setup/papers.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

// They write no entry: a stream without an end, a receipt, a picture, and what needs a mailbox to read.
const leftOut = ['GET /events', 'GET /files/{name}', 'GET /registrations/receipt', 'POST /mail/bounces/check']

// Written by a restore, the hourly clean-up and a migration.
const byNoCall = ['audit-exception', 'audit-expired', 'backup-restored']

let server: TestServer
let sink: MailSink
beforeAll(async () => {
  sink = await startMailSink()
  server = await startTestServer()
  const walk = await createApiWalk(server, sink)
  await setOffice(walk.office)
  for (const [index, role] of roles.entries()) await walk.walkAs(role, `${2021 + index}-${2022 + index}`)
  expect(walk.routes.filter((route) => !walk.done.has(route)).sort()).toEqual(leftOut)
}, 300_000)
afterAll(async () => {
  await server.close()
  await sink.close()
})

test('the trail is intact after every operation of the API as each role, with every action that a call can write', async () => {
  const entries = await server.database.db.selectFrom('auditEvents').select('action').distinct().execute()
  const written = new Set<string>(entries.map(({ action }) => action))
  expect(auditActionNames.filter((action) => !written.has(action)).sort()).toEqual(byNoCall)
  expect(await checkTrail(server.database.db)).toMatchObject({ fault: undefined, withoutStudents: 0 })
})

test.each(['students-exported', 'students-printed'] as const)(
  'one student fewer behind an entry of several is found: %s',
  async (action) => {
    const { db } = server.database
    const { rows } = await sql<{ position: number }>`
      select position::int as position from audit_events e join audit_chain on event_id = e.id
      where action = ${action} and affected > 1 and exists (select from audit_students s where s.event_id = e.id)
      order by position limit 1`.execute(db)
    const [{ position } = { position: 0 }] = rows
    const tx = await db.startTransaction().execute()
    await sql`set local nstp.retention = 'on'`.execute(tx)
    await sql`delete from audit_students where (event_id, student_id) in (select event_id, student_id
      from audit_students join audit_chain using (event_id) where position = ${position} limit 1)`.execute(tx)
    const { fault } = await checkTrail(tx)
    await tx.rollback().execute()
    expect(fault).toContain(`entry ${position} is not as it was written`)
  },
)
