import type { AnnouncementCategory } from '#shared/announcements.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'
import { componentTones } from '#web/lib/component-tones.ts'

const tones: Record<AnnouncementCategory, BadgeTone> = {
  ...componentTones,
  General: 'neutral',
  Important: 'danger',
  Event: 'success',
}

export function CategoryBadge({ category }: { category: AnnouncementCategory }) {
  return <Badge tone={tones[category]}>{category}</Badge>
}
