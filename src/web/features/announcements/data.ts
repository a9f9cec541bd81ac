import { type AnnouncementMailing, mailingsAtOnce } from '#shared/announcements/announcement-mail.ts'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import {
  type AnnouncementCategory,
  type AnnouncementState,
  announcementCategories,
  announcementStates,
} from '#shared/announcements/announcements.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem, noSessionProblem } from '#web/lib/api-problem.ts'
import { endSession } from '#web/lib/session-end.ts'

export type OpenedResult = { announcement: ManagedAnnouncement } | { failure: string }

export interface AnnouncementsData {
  address: ManagerAddress
  announcements: readonly ManagedAnnouncement[]
  hasMore: boolean
  mailings: ReadonlyMap<string, AnnouncementMailing>
  opened: OpenedResult | null
}

/** @throws ApiProblem */
export async function loadAnnouncements(
  params: URLSearchParams,
  signal: AbortSignal,
): Promise<AnnouncementsData> {
  const address = readManagerAddress(params)
  const [list, opened] = await Promise.all([readList(address, signal), readOpened(address, signal)])
  return { address, ...list, opened }
}

async function readList({ category, state, show }: ManagerAddress, signal: AbortSignal) {
  const filters = { all: 'true', ...(category ? { category } : {}), ...(state ? { state } : {}) } as const
  const announcements: ManagedAnnouncement[] = []
  let cursor: string | null = ''
  while (cursor !== null && announcements.length < show) {
    const query = { ...filters, limit: String(managedPageSize), cursor }
    const page: { items: readonly (Announcement | ManagedAnnouncement)[]; nextCursor: string | null } =
      await callApi(api.announcements.$get({ query }, { init: { signal } }))
    announcements.push(...page.items.filter(isManaged))
    cursor = page.nextCursor
  }
  return { announcements, hasMore: cursor !== null, mailings: await readMailings(announcements, signal) }
}

async function readMailings(announcements: readonly ManagedAnnouncement[], signal: AbortSignal) {
  const mailed = announcements.filter(({ mailedAt }) => mailedAt !== null).map(({ id }) => id)
  const batches: string[][] = []
  for (let at = 0; at < mailed.length; at += mailingsAtOnce)
    batches.push(mailed.slice(at, at + mailingsAtOnce))
  const read = await Promise.all(
    batches.map((ids) =>
      callApi(api.mail.announcements.$get({ query: { ids: ids.join(',') } }, { init: { signal } })),
    ),
  )
  return new Map(read.flatMap(({ items }) => items).map((mailing) => [mailing.announcementId, mailing]))
}

async function readOpened({ opened }: ManagerAddress, signal: AbortSignal): Promise<OpenedResult | null> {
  if (opened === null || opened === newAnnouncement) return null
  try {
    return { announcement: await readManaged(opened, signal) }
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.problem.code !== 'not_found') throw error
    return { failure: error.message }
  }
}

/** @throws ApiProblem */
export async function readManaged(id: string, signal?: AbortSignal): Promise<ManagedAnnouncement> {
  const announcement = await callApi(
    api.announcements[':id'].$get({ param: { id } }, signal ? { init: { signal } } : {}),
  )
  if (isManaged(announcement)) return announcement
  // Without a session the API returns the public view.
  const problem = noSessionProblem()
  endSession(problem)
  throw problem
}

export function isManaged(
  announcement: Announcement | ManagedAnnouncement,
): announcement is ManagedAnnouncement {
  return 'version' in announcement
}

export const managedPageSize = 50
export const maxShown = 500

export interface ManagerAddress {
  category: AnnouncementCategory | null
  state: AnnouncementState | null
  show: number
  opened: string | null
}

export const newAnnouncement = 'new'

/** Invalid parameters are ignored. */
export function readManagerAddress(params: URLSearchParams): ManagerAddress {
  const batches = Math.ceil(Number(params.get('show')) / managedPageSize) || 1
  return {
    category: announcementCategories.find((category) => category === params.get('category')) ?? null,
    state: announcementStates.find((state) => state === params.get('state')) ?? null,
    show: Math.min(maxShown, Math.max(1, batches) * managedPageSize),
    opened: params.get('open') || null,
  }
}

export function managerAddress({ category, state, show, opened }: Partial<ManagerAddress>): string {
  return tabPath('announcements', {
    ...(category ? { category } : {}),
    ...(state ? { state } : {}),
    ...(show !== undefined && show > managedPageSize ? { show: String(show) } : {}),
    ...(opened ? { open: opened } : {}),
  })
}
