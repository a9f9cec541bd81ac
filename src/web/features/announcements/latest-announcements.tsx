import { announcementsPath } from '#shared/announcements/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import type { Section } from '#web/lib/section.ts'
import { AnnouncementCards } from './announcement-cards.tsx'
import type { AnnouncementCard } from './announcement-facts.tsx'
import { AnnouncementReader } from './announcement-reader.tsx'
import { LoadFailure, NoAnnouncements } from './load-failure.tsx'

/** Spec §2. */
export function LatestAnnouncements({ announcements }: { announcements: Section<AnnouncementCard[]> }) {
  return (
    <section aria-labelledby="announcements" className="page-width py-14 md:py-20">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id="announcements" className="min-w-0 text-2xl font-bold tracking-tight md:text-3xl">
          Latest announcements
        </h2>
        <ButtonLink variant="outline" to={announcementsPath}>
          All announcements
        </ButtonLink>
      </div>
      <AnnouncementReader cards={announcements.data ?? []}>
        {(open) => <Latest announcements={announcements} onOpen={open} />}
      </AnnouncementReader>
    </section>
  )
}

interface LatestProps {
  announcements: Section<AnnouncementCard[]>
  onOpen: (id: string) => void
}

function Latest({ announcements: { data, failure }, onOpen }: LatestProps) {
  if (failure !== null) return <LoadFailure message={failure} />
  if (data.length === 0) return <NoAnnouncements />
  return <AnnouncementCards announcements={data} Heading="h3" onOpen={onOpen} />
}
