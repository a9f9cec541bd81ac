import { announcementsPath } from '#shared/announcements/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import type { Section } from '#web/lib/section.ts'
import { useTranslation } from '#web/lib/translation.tsx'
import type { AnnouncementCard } from './announcement-facts.tsx'
import { AnnouncementList } from './announcement-reader.tsx'

export function LatestAnnouncements({ announcements }: { announcements: Section<AnnouncementCard[]> }) {
  const t = useTranslation()
  return (
    <section aria-labelledby="announcements" className="page-width py-14 md:py-20">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <h2 id="announcements" className="min-w-0 text-2xl font-bold tracking-tight md:text-3xl">
          {t('Latest announcements')}
        </h2>
        <ButtonLink variant="outline" to={announcementsPath}>
          All announcements
        </ButtonLink>
      </div>
      <AnnouncementList announcements={announcements} Heading="h3" />
    </section>
  )
}
