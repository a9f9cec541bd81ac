import { createHash } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { AnnouncementMailing } from '#shared/announcements/announcement-mail.ts'

/** What the mailing of an announcement is decided by. */
export interface MailableAnnouncement {
  id: string
  title: string
  content: string
  mailTo: string | null
  mailedAt: Date | null
  publishedAt: Date | null
  expireAt: Date | null
  updatedAt: Date
}

const columns = [
  'id',
  'title',
  'content',
  'mailTo',
  'mailedAt',
  'publishedAt',
  'expireAt',
  'updatedAt',
] as const

/** Announcements as they are mailed. */
export function createAnnouncementMailRepository(db: Queryable) {
  return {
    /**
     * One that is public and still to be mailed, held until the transaction ends. One that another process has in hand
     * is left to it. Index: announcements_to_mail.
     */
    async lockDue(now: Date): Promise<MailableAnnouncement | undefined> {
      return await db
        .selectFrom('announcements')
        .select(columns)
        .where('mailTo', 'is not', null)
        .where('mailedAt', 'is', null)
        .where('mailProblem', '=', '')
        .where('publishedAt', '<=', now)
        .where((is) => is.or([is('expireAt', 'is', null), is('expireAt', '>', now)]))
        .orderBy('publishedAt')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst()
    },

    /** Held until the transaction ends. Index: announcements_pkey. */
    async lock(id: string): Promise<MailableAnnouncement | undefined> {
      return await db
        .selectFrom('announcements')
        .select(columns)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },

    /** Index: announcements_pkey. */
    async noteMailed(id: string, mailedAt: Date): Promise<void> {
      await db.updateTable('announcements').set({ mailedAt, mailProblem: '' }).where('id', '=', id).execute()
    },

    /** Index: announcements_pkey. */
    async noteProblem(id: string, mailProblem: string): Promise<void> {
      await db.updateTable('announcements').set({ mailProblem }).where('id', '=', id).execute()
    },

    /** What a restored backup has still to mail may have been mailed since it was made. Index: announcements_to_mail. */
    async noteRestored(mailProblem: string): Promise<void> {
      await db
        .updateTable('announcements')
        .set({ mailProblem })
        .where('mailTo', 'is not', null)
        .where('mailedAt', 'is', null)
        .where('publishedAt', '<=', sql<Date>`now()`)
        .execute()
    },

    /** How far the mailing of some announcements is. Batches are few; index: mail_messages_batch. */
    async mailings(announcementIds: readonly string[]): Promise<AnnouncementMailing[]> {
      const { rows } = await sql<AnnouncementMailing>`
        select b.announcement_id, b.id as batch_id, b.recipient_count, b.opted_out_count,
          (select count(*)::int from mail_messages m where m.batch_id = b.id and m.state = 'sent') as sent_count
        from mail_batches b
        where b.kind = 'announcement' and ${sql<SqlBool>`b.announcement_id = any(${[...announcementIds]}::uuid[])`}`.execute(
        db,
      )
      return rows
    },
  }
}

/** Hashes of one statement: PostgreSQL takes 65,535 values. */
const hashesAtOnce = 10_000

/** Who wants no announcements by mail: only the hashes of their addresses, found by mail_opt_outs_pkey. */
export function createOptOutRepository(db: Queryable) {
  return {
    /** Those of the addresses that are left out, as they were given. */
    async leftOut(addresses: readonly string[]): Promise<Set<string>> {
      const out = new Set<string>()
      for (let first = 0; first < addresses.length; first += hashesAtOnce) {
        const some = addresses
          .slice(first, first + hashesAtOnce)
          .map((address) => ({ address, hash: hashOf(address) }))
        const rows = await db
          .selectFrom('mailOptOuts')
          .select('addressHash')
          .where(
            'addressHash',
            'in',
            some.map(({ hash }) => hash),
          )
          .execute()
        const found = new Set(rows.map(({ addressHash }) => addressHash.toString('hex')))
        for (const { address, hash } of some) if (found.has(hash.toString('hex'))) out.add(address)
      }
      return out
    },

    /** Returns whether that changed anything. */
    async add(address: string, optedOutAt: Date): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('mailOptOuts')
        .values({ addressHash: hashOf(address), optedOutAt })
        .onConflict((conflict) => conflict.column('addressHash').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },

    /** Returns whether that changed anything. */
    async remove(address: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mailOptOuts')
        .where('addressHash', '=', hashOf(address))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

function hashOf(address: string): Buffer {
  return createHash('sha256').update(address.toLowerCase()).digest()
}
