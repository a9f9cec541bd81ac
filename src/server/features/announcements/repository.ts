import {
  type ExpressionBuilder,
  type Insertable,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely'
import type { AnnouncementsTable, Queryable, Tables } from '#server/database/schema.ts'
import type { AnnouncementCategory, AnnouncementState } from '#shared/announcements/announcements.ts'

const announcementColumns = [
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

export function createAnnouncementListRepository(db: Queryable) {
  return {
    // Index: announcements_public.
    async listPublic({ now, category, after, limit }: PageOptions): Promise<AnnouncementRow[]> {
      let query = db
        .selectFrom('announcements')
        .select(announcementColumns)
        .where((is) => inState(is, 'published', now))
      if (category) query = query.where('category', '=', category)
      if (after) {
        query = query.where(
          sql<SqlBool>`(pinned, published_at, id) < (${after.pinned}, ${after.at}, ${after.id})`,
        )
      }
      return await query
        .orderBy('pinned', 'desc')
        .orderBy('publishedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    // Index: announcements_publish.
    async listLatest(now: Date, limit: number): Promise<AnnouncementRow[]> {
      return await db
        .selectFrom('announcements')
        .select(announcementColumns)
        .where((is) => inState(is, 'published', now))
        .orderBy('publishedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    async listManaged({
      now,
      category,
      after,
      limit,
      state,
    }: PageOptions & { state: AnnouncementState | null }): Promise<AnnouncementRow[]> {
      let query = db.selectFrom('announcements').select(announcementColumns)
      if (state) query = query.where((is) => inState(is, state, now))
      if (category) query = query.where('category', '=', category)
      if (after) query = query.where(sql<SqlBool>`(created_at, id) < (${after.at}, ${after.id})`)
      return await query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).execute()
    },

    // Index: announcements_publish.
    async countPublic(now: Date): Promise<number> {
      const { count } = await db
        .selectFrom('announcements')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where((is) => inState(is, 'published', now))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    // Index: announcements_publish.
    async listAddresses(now: Date, limit: number): Promise<{ id: string; changedAt: Date }[]> {
      return await db
        .selectFrom('announcements')
        .select(['id', sql<Date>`greatest(updated_at, published_at)`.as('changedAt')])
        .where((is) => inState(is, 'published', now))
        .orderBy('publishedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },

    // Index: announcements_publish, announcements_expire.
    async nextChange(now: Date): Promise<Date | null> {
      const { rows } = await sql<{ at: Date | null }>`
        select least(
          (select min(published_at) from announcements where published_at > ${now}),
          (select min(expire_at) from announcements where expire_at > ${now})
        ) as at`.execute(db)
      return rows[0]?.at ?? null
    },
  }
}

function inState(is: Announcements, state: AnnouncementState, now: Date) {
  const isBefore = is('publishedAt', '<=', now)
  const isExpired = is('expireAt', '<=', now)
  switch (state) {
    case 'published':
      return is.and([isBefore, is.or([is('expireAt', 'is', null), is('expireAt', '>', now)])])
    case 'scheduled':
      return is('publishedAt', '>', now)
    case 'expired':
      return is.and([isBefore, isExpired])
    case 'draft':
      return is('publishedAt', 'is', null)
  }
}
