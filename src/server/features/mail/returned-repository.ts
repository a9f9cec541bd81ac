import { type Insertable, type SqlBool, sql } from 'kysely'
import type { MailBouncesTable, Queryable } from '#server/database/schema.ts'
import type { Place } from '#server/lib/paging.ts'
import type { MailKind } from '#shared/mail/mail.ts'
import type { ReadingPlace } from './mailbox-reader.ts'

export interface BounceRow {
  id: string
  recipient: string
  receivedAt: Date
  status: string
  diagnostic: string
  studentId: string | null
  studentName: string | null
  messageId: string | null
  subject: string | null
  kind: MailKind | null
}

/**
 * What is still to be seen to: nobody said that it is, and the student still has this address. One who got another one
 * needs no more.
 */
const isOpen = sql<SqlBool>`b.resolved_at is null and (s.id is null or lower(s.email) = lower(b.recipient))`

/** Where messages that came back are kept. */
export function createBouncesRepository(db: Queryable) {
  return {
    /**
     * Keeps one, unless it was taken in before. Earlier ones of the same address are over with it: an address is
     * listed once. Index: mail_bounces_mailbox_uid_key, mail_bounces_open.
     */
    async insert(bounce: Insertable<MailBouncesTable>): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('mailBounces')
        .values(bounce)
        .onConflict((conflict) => conflict.column('mailboxUid').doNothing())
        .executeTakeFirst()
      if (numInsertedOrUpdatedRows !== 1n) return false
      await db
        .updateTable('mailBounces')
        .set({ resolvedAt: bounce.receivedAt })
        .where('resolvedAt', 'is', null)
        .where('id', '!=', bounce.id)
        .where(sql<SqlBool>`lower(recipient) = lower(${bounce.recipient})`)
        .execute()
      return true
    },

    /** The open ones, newest first. Index: mail_bounces_open. */
    async listOpen(after: Place | null, limit: number): Promise<BounceRow[]> {
      const { rows } = await sql<BounceRow>`
        select b.id, b.recipient, b.received_at, b.status, b.diagnostic, b.student_id,
          s.last_name || ', ' || s.first_name as student_name, b.message_id, m.subject, m.kind
        from mail_bounces b
          left join students s on s.id = b.student_id
          left join mail_messages m on m.id = b.message_id
        where ${isOpen}
          and ${after ? sql<SqlBool>`(b.received_at, b.id) < (${after.at}::timestamptz, ${after.id}::uuid)` : sql<SqlBool>`true`}
        order by b.received_at desc, b.id desc
        limit ${limit}`.execute(db)
      return rows
    },

    /** How many are open. Index: mail_bounces_open. */
    async countOpen(): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count
        from mail_bounces b left join students s on s.id = b.student_id
        where ${isOpen}`.execute(db)
      return rows[0]?.count ?? 0
    },

    /** Says that one is seen to; gives its student. Undefined: it is not there. Index: mail_bounces_pkey. */
    async resolve(
      id: string,
      at: Date,
    ): Promise<{ studentId: string | null; isChanged: boolean } | undefined> {
      const held = await db
        .selectFrom('mailBounces')
        .select(['studentId', 'resolvedAt'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!held) return undefined
      const isChanged = held.resolvedAt === null
      if (isChanged)
        await db.updateTable('mailBounces').set({ resolvedAt: at }).where('id', '=', id).execute()
      return { studentId: held.studentId, isChanged }
    },
  }
}

/** How long a process may take to read the mailbox, in seconds; after that it is taken for dead. */
const leaseSeconds = 120

/** How the mailbox stands. */
interface MailboxRow {
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
