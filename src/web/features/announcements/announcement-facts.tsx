import { useInstantTexts } from '#web/lib/instant-texts.ts'
import type { AnnouncementCard } from './announcement-card.ts'
import { CategoryBadge } from './category-badge.tsx'
import { PinnedMark } from './pinned-mark.tsx'

type Facts = Pick<AnnouncementCard, 'category' | 'publishAt' | 'pinned'>

/** Category, date and mark of an announcement, on its card and over its text. */
export function AnnouncementFacts({ category, publishAt, pinned }: Facts) {
  const { dayOf } = useInstantTexts()
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
      <CategoryBadge category={category} />
      <time dateTime={new Date(publishAt).toISOString()}>{dayOf(publishAt)}</time>
      {pinned && <PinnedMark />}
    </p>
  )
}
