import { validate as isUuid } from 'uuid'
import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { FormatContent } from '#server/lib/formatting.ts'
import { cutPiece } from '#server/lib/paging.ts'
import {
  type Announcement,
  type AnnouncementCategory,
  type AnnouncementState,
  announcementSentences,
  type ManagedAnnouncement,
} from '#shared/announcements/announcements.ts'
import { createAnnouncementListRepository, type ListPosition } from './list-repository.ts'
import { presentManaged, presentPublic, stateOf } from './present.ts'
import { type AnnouncementRow, createAnnouncementsRepository } from './repository.ts'

interface AnnouncementsServiceOptions {
  db: Queryable
  clock: Clock
  format: FormatContent
}

export interface AnnouncementsQuery {
  /** Null for all. */
  category: AnnouncementCategory | null
  limit: number
  /** A piece's `nextCursor`, or ''. */
  cursor: string
}

/** Where a public announcement is read, and when it last became different for the public. */
export interface AnnouncementAddress {
  id: string
  changedAt: Date
}

/** A piece of a list. */
export interface Piece<T> {
  items: T[]
  /** Where the next piece begins; null at the end. */
  nextCursor: string | null
}

export type AnnouncementsService = ReturnType<typeof createAnnouncementsService>

/** The reading side of announcements. */
export function createAnnouncementsService({ db, clock, format }: AnnouncementsServiceOptions) {
  const announcements = createAnnouncementsRepository(db)
  const lists = createAnnouncementListRepository(db)

  async function find(id: string): Promise<AnnouncementRow> {
    const found = isUuid(id) ? await announcements.find(id) : undefined
    if (!found) throw missing()
    return found
  }

  return {
    /**
     * What is public now, pinned ones first, then the newest.
     *
     * @throws AppError `invalid` for a cursor that is none of ours
     */
    async list({ category, limit, cursor }: AnnouncementsQuery): Promise<Piece<Announcement>> {
      const after = cursor === '' ? null : parseCursor(cursor)
      const rows = await lists.listPublic({ now: clock(), category, after, limit: limit + 1 })
      return pieceOf(
        rows,
        limit,
        ({ publishedAt, createdAt }) => publishedAt ?? createdAt,
        (row) => presentPublic(row, format),
      )
    },

    /** What the coordinator works on, the newest first. Throws as `list` does. */
    async listManaged({
      category,
      limit,
      cursor,
      state,
    }: AnnouncementsQuery & { state: AnnouncementState | null }): Promise<Piece<ManagedAnnouncement>> {
      const now = clock()
      const after = cursor === '' ? null : parseCursor(cursor)
      const rows = await lists.listManaged({ now, category, after, limit: limit + 1, state })
      return pieceOf(
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

    /** A content as safe HTML, before it is published. */
    preview: (content: string) => format(content).html,

    /** What was published last, pinned or not. */
    async latest(limit: number): Promise<Announcement[]> {
      const rows = await lists.listLatest(clock(), limit)
      return rows.map((row) => presentPublic(row, format))
    },

    /** How many are public now. */
    countActive: () => lists.countPublic(clock()),

    /** The next instant after this one at which one appears or goes by itself; null when nothing is planned. */
    nextChange: lists.nextChange,

    /** Every announcement that is public now, the newest first. */
    addresses: (limit: number): Promise<AnnouncementAddress[]> => lists.listAddresses(clock(), limit),
  }
}

function missing(): AppError {
  return new AppError('not_found', { detail: announcementSentences.missing })
}

/** @param instantOf what the list is ordered by */
function pieceOf<T>(
  rows: readonly AnnouncementRow[],
  limit: number,
  instantOf: (row: AnnouncementRow) => Date,
  present: (row: AnnouncementRow) => T,
): Piece<T> {
  const { shown, last } = cutPiece(rows, limit)
  return {
    items: shown.map(present),
    nextCursor: last ? cursorOf({ pinned: last.pinned, at: instantOf(last), id: last.id }) : null,
  }
}

/** Where the next piece of a list begins, as text. */
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
