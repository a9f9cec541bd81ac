import { type Selectable, sql } from 'kysely'
import { allOf } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { AnnouncementMailing } from '#shared/mail/mail-response.ts'

const columns = [
  'id',
  'title',
  'content',
  'mailTo',
  'mailedAt',
  'publishedAt',
  'expireAt',
  'eventAt',
  'place',
  'updatedAt',
] as const

export type MailableAnnouncement = Pick<Selectable<Tables['announcements']>, (typeof columns)[number]>

export function createAnnouncementMailRepository(db: Queryable) {
  const { all } = queriesOf(db)
  const announcements = db.selectFrom('announcements').select(columns).where('deletedAt', 'is', null)

  return {
    // Locks the row until the transaction ends, skips rows that another process has locked. Index: announcements_to_mail.
    lockDue: (now: Date) =>
      announcements
        .where('mailTo', 'is not', null)
        .where('mailedAt', 'is', null)
        .where('mailProblem', '=', '')
        .where('publishedAt', '<=', now)
        .where((is) => is.or([is('expireAt', 'is', null), is('expireAt', '>', now)]))
        .orderBy('publishedAt')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst(),

    // Locks the row until the transaction ends. Index: announcements_pkey.
    lock: (id: string) => announcements.where('id', '=', id).forUpdate().executeTakeFirst(),

    noteMailed: (id: string, mailedAt: Date) =>
      db.updateTable('announcements').set({ mailedAt, mailProblem: '' }).where('id', '=', id).execute(),

    noteProblem: (id: string, mailProblem: string) =>
      db.updateTable('announcements').set({ mailProblem }).where('id', '=', id).execute(),

    // A restored announcement may have been mailed after its backup was made. Index: announcements_to_mail.
    noteRestored: (mailProblem: string) =>
      db
        .updateTable('announcements')
        .set({ mailProblem })
        .where('mailTo', 'is not', null)
        .where('mailedAt', 'is', null)
        .where('publishedAt', '<=', sql<Date>`now()`)
        .execute(),

    /** @param createdById null for those of everybody */
    mailings: (announcementIds: readonly string[], createdById: string | null) => all<AnnouncementMailing>`
        select b.announcement_id, b.id as batch_id, b.recipient_count, b.opted_out_count,
          (select count(*)::int from mail_messages m where m.batch_id = b.id and m.state = 'sent') as sent_count
        from mail_batches b
        where ${allOf(
          sql`b.kind = 'announcement' and b.announcement_id = any(${[...announcementIds]}::uuid[])`,
          createdById === null ? undefined : sql`b.created_by_id = ${createdById}`,
        )}`,
  }
}
