import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { dayMs, minuteMs, type Quotas } from './quota.ts'

/** What counts against the quotas at the moment. */
export interface Spent {
  /** Under way: they count in both. */
  sending: number
  inMinute: number
  inDay: number
}

/** What was sent within the last minute and day, by all processes. */
export function createQuotaRepository(db: Queryable) {
  return {
    /** Counts, each no further than its quota. */
    async count(now: Date, { perDay, perMinute }: Quotas): Promise<Spent> {
      // mail_messages_claimed, mail_messages_ended
      const { rows } = await sql<Spent>`select
        (select count(*) from mail_messages where state = 'sending')::int as sending,
        (select count(*) from (${endedWithin(now, minuteMs)} limit ${perMinute}) own)::int as in_minute,
        (select count(*) from (${endedWithin(now, dayMs)} limit ${perDay}) own)::int as in_day`.execute(db)
      const spent = rows[0]
      if (!spent) throw new Error('A select without a table has one row.')
      return spent
    },

    /**
     * When a place becomes free again.
     *
     * @param places how many there are
     * @returns null when one is free, or none can become free that way
     */
    async freeAt(now: Date, windowMs: number, places: number): Promise<Date | null> {
      if (places < 1) return null
      // mail_messages_ended
      const { rows } = await sql<{ endedAt: Date }>`
        ${endedWithin(now, windowMs)} order by ended_at desc offset ${places - 1} limit 1`.execute(db)
      return rows[0] ? new Date(rows[0].endedAt.getTime() + windowMs) : null
    },

    /** When each was sent that counts within a span of time before now, oldest first. */
    async times(now: Date, spanMs: number): Promise<Date[]> {
      // mail_messages_ended
      const { rows } = await sql<{ endedAt: Date }>`
        ${endedWithin(now, spanMs)} order by ended_at`.execute(db)
      return rows.map(({ endedAt }) => endedAt)
    },
  }
}

/** A clock that was set back a little has sent in the future; what one sent that was far ahead must not hold the mail up. */
function endedWithin(now: Date, spanMs: number) {
  const [since, until] = [new Date(now.getTime() - spanMs), new Date(now.getTime() + spanMs)]
  return sql`select ended_at from mail_messages
    where ended_at > ${since} and ended_at <= ${until} and state in ('sent', 'unknown')`
}
