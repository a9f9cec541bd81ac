import type { AnnouncementState } from '#shared/announcements.ts'
import { Badge, type BadgeTone } from '#web/components/badge.tsx'

export const stateLabels: Record<AnnouncementState, string> = {
  published: 'Published',
  scheduled: 'Scheduled',
  draft: 'Draft',
  expired: 'Expired',
}

const tones: Record<AnnouncementState, BadgeTone> = {
  published: 'success',
  scheduled: 'info',
  draft: 'neutral',
  expired: 'warning',
}

/** How an announcement stands with the public. */
export function StateBadge({ state }: { state: AnnouncementState }) {
  return <Badge tone={tones[state]}>{stateLabels[state]}</Badge>
}
