import type { Picture } from '#shared/files/picture.ts'
import type { MailTo } from './announcement-mail.ts'

/** On offer as filters of the public view (spec §2). */
export const publicCategories = ['General', 'ROTC', 'CWTS', 'Important', 'Event'] as const
/** The manager also knows LTS (spec §5). */
export const announcementCategories = ['General', 'ROTC', 'CWTS', 'LTS', 'Important', 'Event'] as const
export type AnnouncementCategory = (typeof announcementCategories)[number]

/** Anything else is stored as General (spec §5). */
export function categoryOf(text: unknown): AnnouncementCategory {
  return announcementCategories.find((category) => category === text) ?? 'General'
}

/** Longest texts. */
export const announcementLimits = { title: 200, content: 20_000 } as const

/** About how long the content on a card is (spec §2). */
export const excerptLength = 120
/** How many the home page shows. */
export const homeAnnouncements = 3

/** How an announcement stands with the public. */
export const announcementStates = ['published', 'scheduled', 'draft', 'expired'] as const
export type AnnouncementState = (typeof announcementStates)[number]

/** As everybody may read it. Instants are milliseconds since 1970. */
export interface Announcement {
  id: string
  title: string
  /** As it was typed: a Markdown subset. */
  content: string
  /** The content as safe HTML: paragraphs, lists, links, emphasis. */
  contentHtml: string
  /** The content as plain text, cut near 120 characters at a word, with an ellipsis. */
  excerpt: string
  category: AnnouncementCategory
  pinned: boolean
  createdAt: number
  updatedAt: number
  /** Since when it is public: the date on its card. */
  publishAt: number
  imageUrl: string | null
  image: Picture | null
  attachmentUrl: string | null
  attachmentName: string | null
  attachmentType: string | null
  /** In bytes. */
  attachmentSize: number | null
}

/** As the coordinator reads it. */
export interface ManagedAnnouncement extends Omit<Announcement, 'publishAt'> {
  version: number
  state: AnnouncementState
  /** Null for a draft. */
  publishAt: number | null
  /** Null for ever. */
  expireAt: number | null
  /** Who gets it by mail when it is published. */
  mailTo: MailTo
  mailedAt: number | null
  /** Why it was not mailed when it was due: a sentence; '' for nothing. */
  mailProblem: string
}

export const announcementSentences = {
  titleRequired: 'Title is required',
  contentRequired: 'Content is required',
  missing: 'Announcement not found',
  onlyAdminsAdd: 'Only admins can add announcements',
  onlyAdminsEdit: 'Only admins can edit announcements',
  onlyAdminsDelete: 'Only admins can delete announcements',
} as const

/** Where everybody reads announcements, below the site's origin: pages, links in mail, the feed and the sitemap. */
export const announcementsPath = '/announcements'

/** The feed of the latest ones. */
export const feedPath = `${announcementsPath}/feed.xml`

/** The page of one announcement. */
export function announcementPath(id: string): string {
  return `${announcementsPath}/${id}`
}
