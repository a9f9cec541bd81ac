import { validate as isUuid } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { FormatContent } from '#server/lib/formatting.ts'
import { cutPage } from '#server/lib/paging.ts'
import {
  type Announcement,
  type AnnouncementCategory,
  type AnnouncementState,
  announcementSentences,
  type ManagedAnnouncement,
} from '#shared/announcements/announcements.ts'
import { presentManaged, presentPublic, stateOf } from './present.ts'
import {
  type AnnouncementRow,
  createAnnouncementListRepository,
  createAnnouncementsRepository,
  type ListPosition,
} from './repository.ts'

interface AnnouncementsServiceOptions {
  db: Queryable
  clock: Clock
  format: FormatContent
}

export interface AnnouncementsQuery {
  category: AnnouncementCategory | null
  limit: number
  cursor: string
}

export interface AnnouncementAddress {
  id: string
  changedAt: Date
}

export interface AnnouncementPage<T> {
  items: T[]
  nextCursor: string | null
}

export type AnnouncementsService = ReturnType<typeof createAnnouncementsService>

export function createAnnouncementsService({ db, clock, format }: AnnouncementsServiceOptions) {
  const announcements = createAnnouncementsRepository(db)
  const lists = createAnnouncementListRepository(db)

  async function find(id: string): Promise<AnnouncementRow> {
    const found = isUuid(id) ? await announcements.find(id) : undefined
    if (!found) throw missing()
    return found
  }

  return {
    /** @throws AppError `invalid` for a cursor that is none of ours */
    async list({ category, limit, cursor }: AnnouncementsQuery): Promise<AnnouncementPage<Announcement>> {
      const after = cursor === '' ? null : parseCursor(cursor)
      const rows = await lists.listPublic({ now: clock(), category, after, limit: limit + 1 })
      return pageOf(
        rows,
        limit,
        ({ publishedAt, createdAt }) => publishedAt ?? createdAt,
        (row) => presentPublic(row, format),
      )
    },

    async listManaged({
      category,
      limit,
      cursor,
      state,
    }: AnnouncementsQuery & { state: AnnouncementState | null }): Promise<
      AnnouncementPage<ManagedAnnouncement>
    > {
      const now = clock()
      const after = cursor === '' ? null : parseCursor(cursor)
      const rows = await lists.listManaged({ now, category, after, limit: limit + 1, state })
      return pageOf(
        rows,
        limit,
        ({ createdAt }) => createdAt,
        (row) => presentManaged(row, now, format),
      )
    },

    /** @throws AppError `not_found` unless it is public now */
    async read(id: string): Promise<Announcement> {
      const found = await find(id)
      if (stateOf(found, clock()) !== 'published') throw missing()
      return presentPublic(found, format)
    },

    /** @throws AppError `not_found` */
    async readManaged(id: string): Promise<ManagedAnnouncement> {
      return presentManaged(await find(id), clock(), format)
    },

    preview: (content: string) => format(content).html,

    async latest(limit: number): Promise<Announcement[]> {
      const rows = await lists.listLatest(clock(), limit)
      return rows.map((row) => presentPublic(row, format))
    },

    countActive: () => lists.countPublic(clock()),

    nextChange: lists.nextChange,

    addresses: (limit: number): Promise<AnnouncementAddress[]> => lists.listAddresses(clock(), limit),
  }
}

function missing(): AppError {
  return new AppError('not_found', { detail: announcementSentences.missing })
}

function pageOf<T>(
  rows: readonly AnnouncementRow[],
  limit: number,
  instantOf: (row: AnnouncementRow) => Date,
  present: (row: AnnouncementRow) => T,
): AnnouncementPage<T> {
  const { rows: pageRows, last } = cutPage(rows, limit)
  return {
    items: pageRows.map(present),
    nextCursor: last ? cursorOf({ pinned: last.pinned, at: instantOf(last), id: last.id }) : null,
  }
}

function cursorOf({ pinned, at, id }: ListPosition): string {
  return `${pinned ? 1 : 0}.${at.getTime()}.${id}`
}

/** @throws AppError `invalid` for a text that is none of ours */
function parseCursor(cursor: string): ListPosition {
  const [, pinned, time, id] = /^([01])\.(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (pinned === undefined || time === undefined || id === undefined || !isUuid(id)) {
    const message = 'Please begin again at the newest announcements.'
    throw new AppError('invalid', { detail: message, errors: [{ path: 'cursor', message }] })
  }
  return { pinned: pinned === '1', at: new Date(Number(time)), id }
}
