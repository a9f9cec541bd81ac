import { announcementsPath, publicCategories } from '#shared/announcements/announcements.ts'

// Cards loaded at once, and the most on one page.
export const pieceSize = 12
const mostShown = 48

type PublicCategory = (typeof publicCategories)[number]

export interface AnnouncementsAddress {
  category: PublicCategory | null
  show: number
  cursor: string
}

/** Invalid parameters are ignored, so that an old link still opens the list. */
export function readAnnouncementsAddress(params: URLSearchParams): AnnouncementsAddress {
  const pieces = Math.ceil(Number(params.get('show')) / pieceSize) || 1
  return {
    category: publicCategories.find((category) => category === params.get('category')) ?? null,
    show: Math.min(mostShown, Math.max(1, pieces) * pieceSize),
    cursor: params.get('cursor') ?? '',
  }
}

export function announcementsAddress({ category, show, cursor }: Partial<AnnouncementsAddress>): string {
  const params = new URLSearchParams()
  if (category) params.set('category', category)
  if (show !== undefined && show > pieceSize) params.set('show', String(show))
  if (cursor) params.set('cursor', cursor)
  const search = params.toString()
  return search === '' ? announcementsPath : `${announcementsPath}?${search}`
}

/** A full page goes on to one that begins where it ends. */
export function addressOfMore(address: AnnouncementsAddress, nextCursor: string): string {
  return address.show < mostShown
    ? announcementsAddress({ ...address, show: address.show + pieceSize })
    : announcementsAddress({ category: address.category, cursor: nextCursor })
}

export function listQueryOf({ category, show, cursor }: AnnouncementsAddress) {
  return { limit: String(show), ...(category ? { category } : {}), ...(cursor ? { cursor } : {}) }
}
