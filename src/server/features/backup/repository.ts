import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

export function createLastBackupRepository(db: Queryable) {
  return {
    // Index: audit_events_action.
    async findLast(): Promise<{ at: Date; isSealed: boolean } | undefined> {
      const result = await sql<{ at: Date; isSealed: boolean }>`
        select at, detail->>'sealed' = 'true' as is_sealed from audit_events
        where action = 'backup-made' and detail->>'finished' = 'true'
        order by at desc, id desc limit 1`.execute(db)
      return result.rows[0]
    },
  }
}
