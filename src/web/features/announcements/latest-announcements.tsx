import { announcementsPath } from '#shared/announcements/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import type { Section } from '#web/lib/section.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { AnnouncementCard } from './announcement-facts.tsx'
import { AnnouncementList } from './announcement-reader.tsx'

export function LatestAnnouncements({ announcements }: { announcements: Section<AnnouncementCard[]> }) {
  const t = useTranslation()
  return (
    <section aria-labelledby="announcements" className="page-width py-8 md:py-16">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-2 md:mb-8">
        <h2 id="announcements" className="min-w-0 text-xl font-bold tracking-tight sm:text-2xl md:text-3xl">
          {t('Latest announcements')}
        </h2>
        <ButtonLink variant="outline" to={announcementsPath}>
          All announcements
        </ButtonLink>
      </div>
      <AnnouncementList announcements={announcements} Heading="h3" isCompact />
    </section>
  )
}
