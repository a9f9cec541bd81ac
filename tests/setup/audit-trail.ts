import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { AuditAction } from '#shared/audit/audit.ts'

export type AuditTrail = ReturnType<typeof createAuditTrail>

/** What the audit trail says in a test's database, oldest first. */
export function createAuditTrail({ db }: Pick<AppDatabase, 'db'>) {
  const entries = () =>
    db
      .selectFrom('auditEvents')
      .selectAll()
      .where('action', 'not in', ['signed-in', 'sign-in-refused'])
      .orderBy('id')
      .execute()

  return {
    entries,
    /** The entries of one action. */
    of: (action: AuditAction) =>
      db.selectFrom('auditEvents').selectAll().where('action', '=', action).orderBy('id').execute(),
    actions: async () => (await entries()).map(({ action }) => action),
    values: () => db.selectFrom('auditValues').selectAll().orderBy('eventId').execute(),
    /** The records of the entries that are about many. */
    students: async () =>
      (await db.selectFrom('auditStudents').select('studentId').orderBy('studentId').execute()).map(
        ({ studentId }) => studentId,
      ),
    /** Starts afresh; the triggers that keep the trail from being altered let TRUNCATE through. */
    async forget() {
      await sql`truncate audit_events cascade`.execute(db)
    },
  }
}
