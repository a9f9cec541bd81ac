import type { Announcement } from '#shared/announcements.ts'

/** What a card shows; the content follows when one is opened. */
export type AnnouncementCard = Omit<Announcement, 'content' | 'contentHtml'>

/** A piece of the public list. */
export interface AnnouncementPiece {
  items: AnnouncementCard[]
  /** Where the next piece begins; null after the last. */
  nextCursor: string | null
}

/** Leaves the contents out: a page with many cards stays small. */
export function cardsOf({
  items,
  nextCursor,
}: {
  items: readonly Announcement[]
  nextCursor: string | null
}): AnnouncementPiece {
  return { items: items.map(({ content: _content, contentHtml: _html, ...card }) => card), nextCursor }
}
