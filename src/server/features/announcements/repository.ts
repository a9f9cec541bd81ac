import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { AnnouncementsTable, Queryable, Tables } from '#server/database/schema.ts'
import type { AnnouncementCategory, AnnouncementState } from '#shared/announcements/announcements.ts'

export type AnnouncementRow = Selectable<AnnouncementsTable>

export interface ListPosition {
  pinned: boolean
  at: Date
  id: string
}

interface PageOptions {
  now: Date
  category: AnnouncementCategory | null
  after: ListPosition | null
  limit: number
}

type Announcements = ExpressionBuilder<Tables, 'announcements'>

/** Found by announcements_pkey; published ones by announcements_publish. */
export function createAnnouncementsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  const announcements = db.selectFrom('announcements').where('deletedAt', 'is', null)
  const publishedAt = (now: Date) =>
    announcements
      .where((is) => inState(is, 'published', now))
      .orderBy('publishedAt', 'desc')
      .orderBy('id', 'desc')

  return {
    find: (id: string): Promise<AnnouncementRow | undefined> =>
      announcements.selectAll().where('id', '=', id).executeTakeFirst(),

    // Locks the row until the transaction ends.
    async lock(id: string): Promise<AnnouncementRow | undefined> {
      return await announcements.selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    },

    // Locks the row until the transaction ends.
    lockDeleted: (id: string, since: Date): Promise<AnnouncementRow | undefined> =>
      db
        .selectFrom('announcements')
        .selectAll()
        .where('id', '=', id)
        .where('deletedAt', '>', since)
        .forUpdate()
        .executeTakeFirst(),

    insert: (announcement: Insertable<AnnouncementsTable>): Promise<AnnouncementRow> =>
      db.insertInto('announcements').values(announcement).returningAll().executeTakeFirstOrThrow(),

    update: (id: string, change: Updateable<AnnouncementsTable>): Promise<AnnouncementRow> =>
      db
        .updateTable('announcements')
        .set({ ...change, version: sql`version + 1` })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow(),

    // Reads all: there are few.
    erase: (deletedBefore: Date): Promise<AnnouncementRow[]> =>
      db.deleteFrom('announcements').where('deletedAt', '<=', deletedBefore).returningAll().execute(),

    // Index: announcements_public.
    async listPublic({ now, category, after, limit }: PageOptions): Promise<AnnouncementRow[]> {
      let query = publishedAt(now).selectAll().clearOrderBy()
      if (category) query = query.where('category', '=', category)
      if (after) {
        query = query.where(
          sql<SqlBool>`(pinned, published_at, id) < (${after.pinned}, ${after.at}, ${after.id})`,
        )
      }
      const inOrder = query.orderBy('pinned', 'desc').orderBy('publishedAt', 'desc').orderBy('id', 'desc')
      return await inOrder.limit(limit).execute()
    },

    listLatest: (now: Date, limit: number): Promise<AnnouncementRow[]> =>
      publishedAt(now).selectAll().limit(limit).execute(),

    // Index: announcements_event.
    listUpcoming: (now: Date, limit: number): Promise<AnnouncementRow[]> =>
      publishedAt(now)
        .selectAll()
        .clearOrderBy()
        .where('eventAt', '>', now)
        .orderBy('eventAt')
        .orderBy('id')
        .limit(limit)
        .execute(),

    async listManaged({ now, category, after, limit }: PageOptions, state: AnnouncementState | null) {
      let query = announcements.selectAll()
      if (state) query = query.where((is) => inState(is, state, now))
      if (category) query = query.where('category', '=', category)
      if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.at}, ${after.id})`)
      return await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },

    async countPublic(now: Date): Promise<number> {
      const count = sql<number>`count(*)::int`.as('count')
      return (await publishedAt(now).clearOrderBy().select(count).executeTakeFirstOrThrow()).count
    },

    async listAddresses(now: Date, limit: number): Promise<{ id: string; changedAt: Date }[]> {
      const changedAt = sql<Date>`greatest(updated_at, published_at)`.as('changedAt')
      return await publishedAt(now).select(['id', changedAt]).limit(limit).execute()
    },

    // Index: announcements_publish, announcements_expire, announcements_event.
    async nextChange(now: Date): Promise<Date | null> {
      const rows = await all<{ at: Date | null }>`
        select least(
          (select min(published_at) from announcements where published_at > ${now}),
          (select min(expire_at) from announcements where expire_at > ${now}),
          (select min(event_at) from announcements where event_at > ${now})
        ) as at`
      return rows[0]?.at ?? null
    },
  }
}

function inState(is: Announcements, state: AnnouncementState, now: Date) {
  const isBefore = is('publishedAt', '<=', now)
  switch (state) {
    case 'published':
      return is.and([isBefore, is.or([is('expireAt', 'is', null), is('expireAt', '>', now)])])
    case 'scheduled':
      return is('publishedAt', '>', now)
    case 'expired':
      return is.and([isBefore, is('expireAt', '<=', now)])
    case 'draft':
      return is('publishedAt', 'is', null)
  }
}
