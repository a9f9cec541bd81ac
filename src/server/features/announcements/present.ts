import type { FormatContent } from '#server/lib/formatting.ts'
import { mailToOf } from '#shared/announcements/announcement-mail.ts'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { type AnnouncementState, excerptLength } from '#shared/announcements/announcements.ts'
import type { AnnouncementRow } from './repository.ts'

// Product 4.2.
const defaults = { title: 'Untitled Announcement', content: 'No content provided' }

export function stateOf(
  { publishedAt, expireAt }: Pick<AnnouncementRow, 'publishedAt' | 'expireAt'>,
  now: Date,
): AnnouncementState {
  if (publishedAt === null) return 'draft'
  if (publishedAt > now) return 'scheduled'
  return expireAt !== null && expireAt <= now ? 'expired' : 'published'
}

export function presentManaged(row: AnnouncementRow, now: Date, format: FormatContent): ManagedAnnouncement {
  return {
    ...presentContent(row, format),
    publishAt: row.publishedAt?.getTime() ?? null,
    version: row.version,
    state: stateOf(row, now),
    expireAt: row.expireAt?.getTime() ?? null,
    mailTo: mailToOf(row.mailTo) ?? null,
    mailedAt: row.mailedAt?.getTime() ?? null,
    mailProblem: row.mailProblem,
    createdBy: row.createdBy,
    authorEmail: row.authorEmail,
  }
}

export function presentPublic(row: AnnouncementRow, format: FormatContent): Announcement {
  return { ...presentContent(row, format), publishAt: (row.publishedAt ?? row.createdAt).getTime() }
}

function presentContent(row: AnnouncementRow, format: FormatContent) {
  const content = row.content || defaults.content
  const { html, text } = format(content)
  return {
    id: row.id,
    title: row.title || defaults.title,
    content,
    contentHtml: html,
    excerpt: excerptOf(text, excerptLength),
    category: row.category,
    pinned: row.pinned,
    eventAt: row.eventAt?.getTime() ?? null,
    place: row.place,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    imageUrl: row.image?.jpeg.url ?? null,
    image: row.image,
    attachmentUrl: row.attachment?.url ?? null,
    attachmentName: row.attachment?.name ?? null,
    attachmentType: row.attachment?.type ?? null,
    attachmentSize: row.attachment?.size ?? null,
  }
}

/**
 * Cut at a word, with an ellipsis.
 * @param length in characters, approximate
 */
export function excerptOf(text: string, length: number): string {
  const words = text.replace(/\s+/g, ' ').trim()
  const characters = [...words]
  if (characters.length <= length) return words
  // The next character says whether a word that ends exactly there is whole.
  const start = characters.slice(0, length + 1).join('')
  const end = start.lastIndexOf(' ')
  // A single word longer than that is cut within.
  const excerpt = end > 0 ? start.slice(0, end) : characters.slice(0, length).join('')
  return `${excerpt.replace(/[\s,;:.–—-]+$/u, '')}…`
}
