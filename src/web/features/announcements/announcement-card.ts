import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcements.ts'

export type AnnouncementCard = Omit<Announcement, 'content' | 'contentHtml'>

export interface AnnouncementPiece {
  items: AnnouncementCard[]
  nextCursor: string | null
}

interface SentPiece {
  items: readonly (Announcement | ManagedAnnouncement)[]
  nextCursor: string | null
}

/** Without contents, to keep a page of many cards small. */
export function cardsOf({ items, nextCursor }: SentPiece): AnnouncementPiece {
  const cards = items.map(({ content: _content, contentHtml: _html, ...card }) => ({
    ...card,
    publishAt: card.publishAt ?? card.createdAt,
  }))
  return { items: cards, nextCursor }
}
