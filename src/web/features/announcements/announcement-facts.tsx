import { Pin } from 'lucide-react'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import type { AnnouncementCategory } from '#shared/announcements/announcements.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useTranslation } from '#web/lib/translation.tsx'

type Facts = Pick<AnnouncementCard, 'category' | 'publishAt' | 'pinned'>

export function AnnouncementFacts({ category, publishAt, pinned }: Facts) {
  const { dayOf } = useInstantTexts()
  const t = useTranslation()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <CategoryBadge category={category} />
      <time dateTime={new Date(publishAt).toISOString()}>{dayOf(publishAt)}</time>
      {pinned && (
        <span className="inline-flex items-center gap-1 text-xs font-semibold text-muted">
          <Pin className="size-3.5" />
          {t('Pinned')}
        </span>
      )}
    </p>
  )
}

const tones: Record<AnnouncementCategory, BadgeTone> = {
  ...componentTones,
  General: 'neutral',
  Important: 'danger',
  Event: 'success',
}

export function CategoryBadge({ category }: { category: AnnouncementCategory }) {
  return <Badge tone={tones[category]}>{category}</Badge>
}

export type AnnouncementCard = Omit<Announcement, 'content' | 'contentHtml'>

export interface AnnouncementCardPage {
  items: AnnouncementCard[]
  nextCursor: string | null
}

interface AnnouncementPage {
  items: readonly (Announcement | ManagedAnnouncement)[]
  nextCursor: string | null
}

/** The cards of a page, without contents: a page of many cards stays small. */
export function cardsOf({ items, nextCursor }: AnnouncementPage): AnnouncementCardPage {
  const cards = items.map(({ content: _content, contentHtml: _html, ...card }) => ({
    ...card,
    publishAt: card.publishAt ?? card.createdAt,
  }))
  return { items: cards, nextCursor }
}
