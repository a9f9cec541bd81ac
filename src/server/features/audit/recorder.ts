import { v7 as createId } from 'uuid'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import { createAuditRecorder } from './repository.ts'

/** A page that shows a record reads it again with every change: one look is one entry, in milliseconds. */
const oneLookMs = 10 * 60_000

/** The writing side of the audit trail. */
export function createAudit({ clock }: { clock: Clock }): Audit {
  return {
    async record(db, entry) {
      await createAuditRecorder(db).insert({ ...entry, id: createId(), at: clock() })
    },
    async recordEach(db, entries) {
      const at = clock()
      await createAuditRecorder(db).insertEach(entries.map((entry) => ({ ...entry, id: createId(), at })))
    },
    async recordLook(db, entry) {
      const at = clock()
      const since = new Date(at.getTime() - oneLookMs)
      await createAuditRecorder(db).insertUnlessSince({ ...entry, id: createId(), at }, since)
    },
  }
}
