import { LRUCache } from 'lru-cache'
import { validate as isUuid } from 'uuid'
import type { Notices } from '#server/database/notices.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { mustExist } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { FormatContent, FormattedContent } from '#server/lib/formatting.ts'
import { cutPage } from '#server/lib/paging.ts'
import { createTask } from '#server/lib/scheduler.ts'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import {
  type AnnouncementCategory,
  type AnnouncementState,
  announcementSentences,
  upcomingEvents,
} from '#shared/announcements/announcements.ts'
import { presentManaged, presentPublic, stateOf } from './present.ts'
import { type AnnouncementRow, createAnnouncementsRepository, type ListPosition } from './repository.ts'

export interface AnnouncementsQuery {
  category: AnnouncementCategory | null
  limit: number
  cursor: string
}

export interface AnnouncementAddress {
  id: string
  changedAt: Date
}

export type AnnouncementsService = ReturnType<typeof createAnnouncementsService>

interface AnnouncementsOptions extends Pick<AppContext, 'db' | 'clock'> {
  format: FormatContent
}

export function createAnnouncementsService({ db, clock, format }: AnnouncementsOptions) {
  const repository = createAnnouncementsRepository(db)
  const { missing } = announcementSentences

  return {
    async list({ cursor, category, limit }: AnnouncementsQuery) {
      const page = { category, now: clock(), after: parseCursor(cursor), limit: limit + 1 }
      return pageOf(await repository.listPublic(page), limit, {
        instantOf: ({ publishedAt, createdAt }) => publishedAt ?? createdAt,
        present: (row) => presentPublic(row, format),
      })
    },

    async listManaged({ cursor, category, limit }: AnnouncementsQuery, state: AnnouncementState | null) {
      const page = { category, now: clock(), after: parseCursor(cursor), limit: limit + 1 }
      return pageOf(await repository.listManaged(page, state), limit, {
        instantOf: ({ createdAt }) => createdAt,
        present: (row) => presentManaged(row, page.now, format),
      })
    },

    // Finds an announcement only while it is public.
    async read(id: string): Promise<Announcement> {
      const found = mustExist(await repository.find(id), missing)
      if (stateOf(found, clock()) !== 'published') throw new AppError('not_found', missing)
      return presentPublic(found, format)
    },

    readManaged: async (id: string): Promise<ManagedAnnouncement> =>
      presentManaged(mustExist(await repository.find(id), missing), clock(), format),

    preview: (content: string) => format(content).html,

    latest: async (limit: number): Promise<Announcement[]> =>
      (await repository.listLatest(clock(), limit)).map((row) => presentPublic(row, format)),

    upcoming: async (): Promise<Announcement[]> =>
      (await repository.listUpcoming(clock(), upcomingEvents)).map((row) => presentPublic(row, format)),

    countActive: () => repository.countPublic(clock()),

    nextChange: repository.nextChange,

    addresses: (limit: number): Promise<AnnouncementAddress[]> => repository.listAddresses(clock(), limit),
  }
}

function pageOf<T>(
  found: readonly AnnouncementRow[],
  limit: number,
  { instantOf, present }: { instantOf: (row: AnnouncementRow) => Date; present: (row: AnnouncementRow) => T },
) {
  const { rows, last } = cutPage(found, limit)
  const nextCursor = last ? `${last.pinned ? 1 : 0}.${instantOf(last).getTime()}.${last.id}` : null
  return { items: rows.map(present), nextCursor }
}

function parseCursor(cursor: string): ListPosition | null {
  if (cursor === '') return null
  const [, pinned, time, id] = /^([01])\.(\d{1,15})\.(.+)$/.exec(cursor) ?? []
  if (pinned === undefined || time === undefined || id === undefined || !isUuid(id)) {
    throw invalid('cursor', 'Please begin again at the newest announcements.')
  }
  return { pinned: pinned === '1', at: new Date(Number(time)), id }
}
const maxCharacters = 2_000_000

/** Cached: a long text takes milliseconds. */
export function cacheFormatted(format: FormatContent): FormatContent {
  const cache = new LRUCache<string, FormattedContent>({
    maxSize: maxCharacters,
    sizeCalculation: ({ html, text }, content) => content.length + html.length + text.length + 1,
    memoMethod: format,
  })
  return (content) => cache.memo(content)
}

const retryMs = 1_000

interface PublicationClockOptions extends Pick<AppContext, 'clock' | 'log' | 'closing'> {
  nextChange: (now: Date) => Promise<Date | null>
  notices: Pick<Notices, 'publish' | 'subscribe'>
}

export function createPublicationClock(options: PublicationClockOptions) {
  const { nextChange, notices, clock, log, closing } = options
  let next: Date | null = null
  let published: Date | null = null

  const task = createTask({
    name: 'reading the next publication',
    async run() {
      // Cached pages expire at this instant without a notice. Open pages need one, which takes as long as the database does.
      const now = clock()
      if (next !== null && next <= now && next !== published) {
        published = next
        notices.publish('announcements')
      }
      next = await nextChange(now)
      return next === null ? undefined : next.getTime() - now.getTime()
    },
    retryMs,
    topic: 'announcements',
    notices,
    log,
    closing,
  })

  return {
    // Runs before the port opens.
    start: task.start,

    // Public data read before this instant must not be served after it.
    nextChangeAt: (): Date | null => next,
  }
}
