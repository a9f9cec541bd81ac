import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { ReadingPlace } from './mailbox-reader.ts'

/** How long a process may take to read the mailbox, in seconds; after that it is taken for dead. */
const leaseSeconds = 120

/** How the mailbox stands. */
export interface MailboxRow {
  checkedAt: Date | null
  failure: string
  isChecking: boolean
}

/** How far the mailbox was read, and who reads it: one row. By the primary key. */
export function createMailboxRepository(db: Queryable) {
  return {
    async find(): Promise<MailboxRow | undefined> {
      return await db
        .selectFrom('mailMailbox')
        .select([
          'checkedAt',
          'failure',
          sql<boolean>`coalesce(claimed_until > now(), false)`.as('isChecking'),
        ])
        .executeTakeFirst()
    },

    /**
     * Takes the reading on: of several processes one gets it.
     *
     * @param dueMinutes only when the last reading is so old, or of another account; null for at once
     * @returns how far it was read, or undefined when somebody else is at it or it is not due
     */
    async claim(token: string, dueMinutes: number | null): Promise<ReadingPlace | undefined> {
      await db
        .insertInto('mailMailbox')
        .values({ onlyRow: true })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const isDue =
        dueMinutes === null
          ? sql<SqlBool>`true`
          : sql<SqlBool>`(checked_at is null or checked_at < now() - make_interval(mins => ${dueMinutes})
              or checked_at < (select updated_at from mail_account))`
      const row = await db
        .updateTable('mailMailbox')
        .set({
          claim: token,
          claimedUntil: sql<Date>`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`,
        })
        .where(sql<SqlBool>`(claimed_until is null or claimed_until < now())`)
        .where(isDue)
        .returning(['uidValidity', 'lastUid'])
        .executeTakeFirst()
      return row && { name: row.uidValidity, lastUid: Number(row.lastUid) }
    },

    /** Notes how far it was read. False: the reading was taken away. */
    async advance(token: string, { name, lastUid }: ReadingPlace): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('mailMailbox')
        .set({ uidValidity: name, lastUid })
        .where('claim', '=', token)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Leaves it to whoever comes next. */
    async release(token: string): Promise<void> {
      await db
        .updateTable('mailMailbox')
        .set({ claim: null, claimedUntil: null })
        .where('claim', '=', token)
        .execute()
    },

    /** @param failure '' for none */
    async finish(token: string, failure: string): Promise<void> {
      await db
        .updateTable('mailMailbox')
        .set({ claim: null, claimedUntil: null, checkedAt: sql<Date>`now()`, failure })
        .where('claim', '=', token)
        .execute()
    },
  }
}
