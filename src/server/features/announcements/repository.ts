import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AnnouncementsTable, Queryable } from '#server/database/schema.ts'

export const announcementColumns = [
  'id',
  'version',
  'title',
  'content',
  'category',
  'pinned',
  'publishedAt',
  'expireAt',
  'image',
  'attachment',
  'mailTo',
  'mailedAt',
  'mailProblem',
  'createdAt',
  'updatedAt',
] as const

export type AnnouncementRow = Pick<Selectable<AnnouncementsTable>, (typeof announcementColumns)[number]>

/** Index: announcements_pkey. */
export function createAnnouncementsRepository(db: Queryable) {
  return {
    async find(id: string): Promise<AnnouncementRow | undefined> {
      return await db
        .selectFrom('announcements')
        .select(announcementColumns)
        .where('id', '=', id)
        .executeTakeFirst()
    },

    // Locks the row until the transaction ends.
    async lock(id: string): Promise<AnnouncementRow | undefined> {
      return await db
        .selectFrom('announcements')
        .select(announcementColumns)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },

    async insert(announcement: Insertable<AnnouncementsTable>): Promise<AnnouncementRow> {
      return await db
        .insertInto('announcements')
        .values(announcement)
        .returning(announcementColumns)
        .executeTakeFirstOrThrow()
    },

    async update(id: string, change: Updateable<AnnouncementsTable>): Promise<AnnouncementRow> {
      return await db
        .updateTable('announcements')
        .set(change)
        .where('id', '=', id)
        .returning(announcementColumns)
        .executeTakeFirstOrThrow()
    },

    async delete(id: string): Promise<void> {
      await db.deleteFrom('announcements').where('id', '=', id).execute()
    },
  }
}
