import { Megaphone } from 'lucide-react'
import { announcementsPath } from '#shared/announcement-paths.ts'
import { announcementSentences } from '#shared/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'

/** At the address of an announcement that doesn't exist, or isn't public. */
export function MissingAnnouncement() {
  return (
    <div className="page-width py-10 md:py-20">
      <div className="mx-auto max-w-2xl">
        <h1 className="sr-only">{announcementSentences.missing}</h1>
        <EmptyState
          icon={<Megaphone className="size-8" />}
          title={announcementSentences.missing}
          action={<ButtonLink to={announcementsPath}>All announcements</ButtonLink>}
        >
          It may have been taken down, or the address is not complete.
        </EmptyState>
      </div>
    </div>
  )
}
