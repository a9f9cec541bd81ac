import {
  type AnnouncementCategory,
  type AnnouncementState,
  announcementCategories,
  announcementStates,
} from '#shared/announcements.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

/** How many rows come at once. */
export const managedPiece = 50
export const mostShown = 500

/** The state of the coordinator's tab as the address holds it. */
export interface ManagerAddress {
  /** Null for all. */
  category: AnnouncementCategory | null
  state: AnnouncementState | null
  /** How many rows are shown at most: whole pieces. */
  show: number
  /** The form that is open: for a new announcement, or for the one with this id. */
  opened: string | null
}

/** What `opened` is for a new announcement. */
export const newAnnouncement = 'new'

/** Reads the tab's state. What an address says wrongly counts as not said. */
export function readManagerAddress(params: URLSearchParams): ManagerAddress {
  const pieces = Math.ceil(Number(params.get('show')) / managedPiece) || 1
  return {
    category: announcementCategories.find((category) => category === params.get('category')) ?? null,
    state: announcementStates.find((state) => state === params.get('state')) ?? null,
    show: Math.min(mostShown, Math.max(1, pieces) * managedPiece),
    opened: params.get('open') || null,
  }
}

/** Writes the tab's state as an address, defaults left out. */
export function managerAddress({ category, state, show, opened }: Partial<ManagerAddress>): string {
  return tabPath('announcements', {
    ...(category ? { category } : {}),
    ...(state ? { state } : {}),
    ...(show !== undefined && show > managedPiece ? { show: String(show) } : {}),
    ...(opened ? { open: opened } : {}),
  })
}
