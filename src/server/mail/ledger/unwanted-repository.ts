import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

export type UnwantedRepository = ReturnType<typeof createUnwantedRepository>

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

    /**
     * Cancels what goes to many and waits for somebody who opted out: it was being written or sent at that moment. Indexes:
     * mail_messages_queue, mail_opt_outs_pkey.
     */
    async cancelOptedOut(now: Date, failure: string): Promise<number> {
      const { numUpdatedRows } = await db
        .updateTable('mailMessages')
        .set({ state: 'cancelled', endedAt: now, failure })
        .where('state', '=', 'queued')
        .where('kind', 'in', ['bulk', 'announcement'])
        .where(
          sql<SqlBool>`exists (
            select from mail_opt_outs where address_hash = sha256(convert_to(lower(recipient), 'UTF8')))`,
        )
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    /** Cancels what came back into the queue of a batch that was cancelled meanwhile. Index: mail_messages_batch. */
    async cancelOfCancelled(now: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        update mail_messages own set state = 'cancelled', ended_at = ${now}
        from mail_batches batch
        where batch.id = own.batch_id and batch.state = 'cancelled' and own.state = 'queued'`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}
