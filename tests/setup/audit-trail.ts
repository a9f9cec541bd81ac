import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { AuditAction } from '#shared/audit/audit.ts'

export type AuditTrail = ReturnType<typeof createAuditTrail>

export function createAuditTrail({ db }: Pick<AppDatabase, 'db'>) {
  // Without reads, and without what is written some seconds later.
  const entries = () =>
    db
      .selectFrom('auditEvents')
      .selectAll()
      .where('action', 'not in', [
        'signed-in',
        'sign-in-refused',
        'access-refused',
        'students-listed',
        'mail-listed',
        'audit-listed',
      ])
      .orderBy('id')
      .execute()

  return {
    entries,
    of: (action: AuditAction) =>
      db.selectFrom('auditEvents').selectAll().where('action', '=', action).orderBy('id').execute(),
    actions: async () => (await entries()).map(({ action }) => action),
    values: () => db.selectFrom('auditValues').selectAll().orderBy('eventId').execute(),
    students: async () =>
      (await db.selectFrom('auditStudents').select('studentId').orderBy('studentId').execute()).map(
        ({ studentId }) => studentId,
      ),
    async clear() {
      await db.transaction().execute(async (tx) => {
        await sql`select set_config('nstp.retention', 'on', true)`.execute(tx)
        await sql`truncate audit_events, audit_chain cascade`.execute(tx)
      })
    },
  }
}
