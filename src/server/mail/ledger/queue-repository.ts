import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { MailCounts } from '#shared/mail.ts'

/** What waits to be sent. */
export interface Waiting {
  urgent: number
  bulk: number
  /** When the last of them may go at the earliest; null when nothing waits. */
  lastNotBefore: Date | null
}

/** Not while its batch is paused. */
const maySoonGo = sql`own.state = 'queued' and (own.batch_id is null
  or exists (select from mail_batches where id = own.batch_id and state = 'running'))`

/** What the queue holds. */
export function createQueueRepository(db: Queryable) {
  return {
    /** All that waits. */
    async waiting(): Promise<Waiting> {
      // mail_messages_queue
      const { rows } = await sql<Waiting>`
        select count(*) filter (where priority = 0)::int as urgent, count(*) filter (where priority = 1)::int as bulk,
          max(not_before) as last_not_before
        from mail_messages own where ${maySoonGo}`.execute(db)
      return rows[0] ?? nothing
    },

    /** What waits up to the last message of a batch; nothing when none of it waits. */
    async waitingUpTo(batchId: string): Promise<Waiting> {
      // mail_messages_batch, mail_messages_queue
      const { rows } = await sql<Waiting>`
        with last as (
          select not_before, id from mail_messages where batch_id = ${batchId} and state = 'queued'
          order by not_before desc, id desc limit 1
        )
        select count(own.id) filter (where own.priority = 0)::int as urgent,
          count(own.id) filter (where own.priority = 1)::int as bulk, last.not_before as last_not_before
        from last join mail_messages own on ${maySoonGo}
          and (own.priority = 0 or (own.not_before, own.id) <= (last.not_before, last.id))
        group by last.not_before`.execute(db)
      return rows[0] ?? nothing
    },

    /** How many messages stand where; of those that ended, only since then, but all whose end nobody knows. */
    async counts(endedSince: Date): Promise<MailCounts> {
      // mail_messages_queue, mail_messages_claimed, mail_messages_unknown, mail_messages_ended
      const { rows } = await sql<MailCounts>`select
          (select count(*) from mail_messages where state = 'queued')::int as queued,
          (select count(*) from mail_messages where state = 'sending')::int as sending,
          (select count(*) from mail_messages where state = 'unknown')::int as unknown,
          count(*) filter (where state = 'sent')::int as sent,
          count(*) filter (where state = 'failed')::int as failed,
          count(*) filter (where state = 'cancelled')::int as cancelled
        from mail_messages where ended_at > ${endedSince}`.execute(db)
      const counts = rows[0]
      if (!counts) throw new Error('An aggregate without groups has one row.')
      return counts
    },
  }
}

const nothing: Waiting = { urgent: 0, bulk: 0, lastNotBefore: null }
