import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** Where old mail ends. Each gives how many rows it deleted, at most `limit`. */
export function createMailRetentionRepository(db: Queryable) {
  return {
    /** Messages written before an instant whose end is known. Index: mail_messages_created. */
    async deleteMessages(before: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from mail_messages where id in (
          select id from mail_messages
          where created_at < ${before} and state not in ('queued', 'sending')
          order by created_at limit ${limit}
        )`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },

    /** Bulk e-mails of before an instant that have no message any more. Index: mail_batches_created. */
    async deleteBatches(before: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from mail_batches where id in (
          select id from mail_batches b
          where created_at < ${before} and not exists (select from mail_messages where batch_id = b.id)
          order by created_at limit ${limit}
        )`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },

    /** Returned messages of before an instant. Few: the table is read. */
    async deleteBounces(before: Date, limit: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from mail_bounces where id in (
          select id from mail_bounces where received_at < ${before} limit ${limit}
        )`.execute(db)
      return Number(numAffectedRows ?? 0n)
    },
  }
}
