import { Megaphone } from 'lucide-react'
import { announcementsPath } from '#shared/announcement-paths.ts'
import type { AnnouncementCategory } from '#shared/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'

/** In the place of an empty list (spec §2). */
export function NoAnnouncements({ category = null }: { category?: AnnouncementCategory | null }) {
  const icon = <Megaphone className="size-8" />
  if (category === null) return <EmptyState icon={icon} title="No announcements available at this time." />
  return (
    <EmptyState
      icon={icon}
      title={`No announcements in the ${category} category at this time.`}
      action={
        <ButtonLink variant="outline" to={announcementsPath} preventScrollReset>
          All announcements
        </ButtonLink>
      }
    />
  )
}
