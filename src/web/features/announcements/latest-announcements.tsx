import { ButtonLink } from '#web/components/button.tsx'
import type { Section } from '#web/lib/section.ts'
import type { AnnouncementCard } from './announcement-card.ts'
import { AnnouncementList } from './announcement-list.tsx'
import { announcementsPath } from './announcements-address.ts'
import { LoadFailure } from './load-failure.tsx'
import { NoAnnouncements } from './no-announcements.tsx'

/** The latest three announcements on the home page (spec §2). */
export function LatestAnnouncements({ announcements }: { announcements: Section<AnnouncementCard[]> }) {
  return (
    <section aria-labelledby="announcements" className="page-width py-14 md:py-20">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id="announcements" className="text-2xl font-bold tracking-tight md:text-3xl">
          Latest announcements
        </h2>
        <ButtonLink variant="outline" to={announcementsPath}>
          All announcements
        </ButtonLink>
      </div>
      <Latest announcements={announcements} />
    </section>
  )
}

function Latest({ announcements: { data, failure } }: { announcements: Section<AnnouncementCard[]> }) {
  if (failure !== null) return <LoadFailure message={failure} />
  if (data.length === 0) return <NoAnnouncements />
  return <AnnouncementList announcements={data} headings="h3" />
}
