import { type Insertable, type SqlBool, sql } from 'kysely'
import type { MailBouncesTable, Queryable } from '#server/database/schema.ts'
import type { Place } from '#server/place-cursor.ts'
import type { MailKind } from '#shared/mail.ts'

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
