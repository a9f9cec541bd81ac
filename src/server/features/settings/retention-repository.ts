import { sql } from 'kysely'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'

// More days than these between two clean-ups count as a wrong clock. A machine that was off for so long is rarer.
const mostApart = 30

/** Index: students_archived. */
export function createRetentionRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    /** @returns whether expired data may be deleted at this date */
    async noteCleanUp(now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into clean_ups (at) values (${now})
        on conflict (only_row) do update set at = excluded.at
        where clean_ups.at between excluded.at - make_interval(days => ${mostApart})
          and excluded.at + make_interval(days => ${mostApart})`.execute(db)
      return numAffectedRows === 1n
    },

    async confirmCleanUp(now: Date): Promise<void> {
      await db.updateTable('cleanUps').set({ at: now }).execute()
    },

    /** @returns the last clean-up; null while its date fits */
    async findStoppedCleanUp(now: Date): Promise<Date | null> {
      const rows = await all<{ at: Date }>`
        select at from clean_ups
        where at not between ${now}::timestamptz - make_interval(days => ${mostApart})
          and ${now}::timestamptz + make_interval(days => ${mostApart})`
      return rows[0]?.at ?? null
    },

    countArchivedBefore: (before: Date): Promise<number> =>
      countIn(db, sql`students where archived and archived_date < ${before}`),

    async lockArchivedBefore(before: Date): Promise<string[]> {
      const rows = await all<{ id: string }>`
        select id from students where archived and archived_date < ${before} order by id for update`
      return rows.map(({ id }) => id)
    },
  }
}
