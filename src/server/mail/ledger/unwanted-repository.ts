import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** Takes out of the queue what somebody does not want any more. */
export function createUnwantedRepository(db: Queryable) {
  return {
    /** Cancels what goes to many and waits for this address: a bulk e-mail may wait for days. Index: mail_messages_queue. */
    async cancelForMany(address: string, now: Date, failure: string): Promise<void> {
      await db
        .updateTable('mailMessages')
        .set({ state: 'cancelled', endedAt: now, failure })
        .where('state', '=', 'queued')
        .where('kind', 'in', ['bulk', 'announcement'])
        .where(sql<SqlBool>`lower(recipient) = lower(${address})`)
        .execute()
    },
  }
}
