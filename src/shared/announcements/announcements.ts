// Product 4.1 and 18.3.
export const publicCategories = ['General', 'ROTC', 'CWTS', 'Important', 'Event'] as const
// LTS only for the manager (decision 014).
export const announcementCategories = ['General', 'ROTC', 'CWTS', 'LTS', 'Important', 'Event'] as const
export type AnnouncementCategory = (typeof announcementCategories)[number]

/** Anything else is stored as General. */
export function categoryOf(text: unknown): AnnouncementCategory {
  return announcementCategories.find((category) => category === text) ?? 'General'
}

export const announcementLimits = { title: 200, content: 20_000, place: 200 } as const

// In characters, approximate (product 4.2).
export const excerptLength = 120
export const homeAnnouncements = 3

export const announcementStates = ['published', 'scheduled', 'draft', 'expired'] as const
export type AnnouncementState = (typeof announcementStates)[number]

export const announcementSentences = {
  titleRequired: 'Title is required',
  contentRequired: 'Content is required',
  missing: 'Announcement not found',
  onlyAdminsAdd: 'Only admins can add announcements',
  onlyAdminsEdit: 'Only admins can edit announcements',
  onlyAdminsDelete: 'Only admins can delete announcements',
} as const

export const upcomingEvents = 3

export const announcementsPath = '/announcements'

export const feedPath = `${announcementsPath}/feed.xml`

export function announcementPath(id: string): string {
  return `${announcementsPath}/${id}`
}

/** The event as an iCalendar file. */
export function calendarPath(id: string): string {
  return `${announcementPath(id)}/event.ics`
}
