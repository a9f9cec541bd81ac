import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcements.ts'

/** What a card shows; the content follows when one is opened. */
export type AnnouncementCard = Omit<Announcement, 'content' | 'contentHtml'>

/** A piece of the public list. */
export interface AnnouncementPiece {
  items: AnnouncementCard[]
  /** Where the next piece begins; null after the last. */
  nextCursor: string | null
}

/** A piece of the list as the API gives it. */
interface SentPiece {
  items: readonly (Announcement | ManagedAnnouncement)[]
  nextCursor: string | null
}

/** Leaves the contents out: a page with many cards stays small. */
export function cardsOf({ items, nextCursor }: SentPiece): AnnouncementPiece {
  const cards = items.map(({ content: _content, contentHtml: _html, ...card }) => ({
    ...card,
    publishAt: card.publishAt ?? card.createdAt,
  }))
  return { items: cards, nextCursor }
}
