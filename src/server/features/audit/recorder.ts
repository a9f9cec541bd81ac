import { v7 as createId } from 'uuid'
import type { Clock } from '#server/clock.ts'
import type { Queryable } from '#server/database/schema.ts'
import { type AuditEntry, createAuditRecorder } from './repository.ts'

/** A page that shows a record reads it again with every change: one look is one entry, in milliseconds. */
const oneLookMs = 10 * 60_000

/** How features tell the audit trail what they do. */
export interface Audit {
  /**
   * Writes an entry.
   *
   * @param db the transaction of what the entry tells, so that both stand or neither; the database itself where
   *   nothing is changed
   */
  record: (db: Queryable, entry: AuditEntry) => Promise<void>
  /** The same for looking at something: several looks at one student within ten minutes are one entry. */
  recordLook: (db: Queryable, entry: AuditEntry & { studentId: string }) => Promise<void>
}

/** The writing side of the audit trail. */
export function createAudit({ clock }: { clock: Clock }): Audit {
  return {
    async record(db, entry) {
      await createAuditRecorder(db).insert({ ...entry, id: createId(), at: clock() })
    },
    async recordLook(db, entry) {
      const at = clock()
      const since = new Date(at.getTime() - oneLookMs)
      await createAuditRecorder(db).insertUnlessSince({ ...entry, id: createId(), at }, since)
    },
  }
}
