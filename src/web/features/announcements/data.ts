import { createParser, parseAsStringLiteral } from 'nuqs/server'
import { mailingsAtOnce } from '#shared/announcements/announcement-mail.ts'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { announcementCategories, announcementStates } from '#shared/announcements/announcements.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { noSessionProblem } from '#web/lib/api-problem.ts'
import { endSession } from '#web/lib/session-end.ts'

/** @throws ApiProblem */
export async function readList({ category, state, show }: ListFilters, signal: AbortSignal) {
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
  const mailings = await readMailings(announcements, signal)
  return { filters: { category, state }, announcements, hasMore: cursor !== null, mailings }
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

/** @throws ApiProblem */
export async function readManaged(id: string, signal?: AbortSignal): Promise<ManagedAnnouncement> {
  const announcement = await callApi(
    api.announcements[':id'].$get({ param: { id } }, signal ? { init: { signal } } : {}),
  )
  if (isManaged(announcement)) return announcement
  // The API returns the public view if there is no session.
  const problem = noSessionProblem()
  endSession(problem)
  throw problem
}

function isManaged(announcement: Announcement | ManagedAnnouncement): announcement is ManagedAnnouncement {
  return 'version' in announcement
}

export const managedPageSize = 50
export const maxShown = 500

export const newAnnouncement = 'new'

const parseAsShown = createParser({
  parse(text) {
    const batches = Math.ceil(Number(text) / managedPageSize) || 1
    return Math.min(maxShown, Math.max(1, batches) * managedPageSize)
  },
  serialize: String,
})

export const managerAddress = createAddress(tabPath('announcements'), {
  category: parseAsStringLiteral(announcementCategories),
  state: parseAsStringLiteral(announcementStates),
  show: parseAsShown.withDefault(managedPageSize),
  open: parseAsId,
})

export type ManagerAddress = ReturnType<typeof managerAddress.read>
export type ListFilters = Omit<ManagerAddress, 'open'>
