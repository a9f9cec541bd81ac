import { announcementsPath, publicCategories } from '#shared/announcements/announcements.ts'

/** How many cards come at once, and how many can stand on one page. */
export const pieceSize = 12
const mostShown = 48

type PublicCategory = (typeof publicCategories)[number]

/** The state of the public view as its address holds it. */
export interface AnnouncementsAddress {
  category: PublicCategory | null
  /** How many cards are shown: whole pieces. */
  show: number
  /** Where they begin; '' for the newest. */
  cursor: string
}

/** Reads the view's state. What an address says wrongly counts as not said: an old link still opens the list. */
export function readAnnouncementsAddress(params: URLSearchParams): AnnouncementsAddress {
  const pieces = Math.ceil(Number(params.get('show')) / pieceSize) || 1
  return {
    category: publicCategories.find((category) => category === params.get('category')) ?? null,
    show: Math.min(mostShown, Math.max(1, pieces) * pieceSize),
    cursor: params.get('cursor') ?? '',
  }
}

/** Writes the view's state as an address, defaults left out. */
export function announcementsAddress({ category, show, cursor }: Partial<AnnouncementsAddress>): string {
  const params = new URLSearchParams()
  if (category) params.set('category', category)
  if (show !== undefined && show > pieceSize) params.set('show', String(show))
  if (cursor) params.set('cursor', cursor)
  const search = params.toString()
  return search === '' ? announcementsPath : `${announcementsPath}?${search}`
}

/**
 * The address with another piece shown below. A page that is full goes on to one that begins where it ends.
 *
 * @param nextCursor where the next piece begins
 */
export function addressOfMore(address: AnnouncementsAddress, nextCursor: string): string {
  return address.show < mostShown
    ? announcementsAddress({ ...address, show: address.show + pieceSize })
    : announcementsAddress({ category: address.category, cursor: nextCursor })
}

/** What the API is asked for. */
export function listQueryOf({ category, show, cursor }: AnnouncementsAddress) {
  return { limit: String(show), ...(category ? { category } : {}), ...(cursor ? { cursor } : {}) }
}
