import { ChevronLeft, Megaphone } from 'lucide-react'
import { Link } from 'react-router'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { announcementSentences, announcementsPath } from '#shared/announcements/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { EventBlock, EventFacts } from '#web/components/event-block.tsx'
import { useTranslation } from '#web/lib/translation.tsx'
import { AnnouncementPicture, AnnouncementText, AttachmentBlock } from './announcement-body.tsx'
import { AnnouncementFacts } from './announcement-facts.tsx'

/** The coordinator also sees announcements that aren't public. */
export function AnnouncementArticle({ announcement }: { announcement: Announcement | ManagedAnnouncement }) {
  const t = useTranslation()
  const { title, contentHtml, image, publishAt, createdAt } = announcement
  const isHidden = 'state' in announcement && announcement.state !== 'published'
  return (
    <article className="page-width py-8 md:py-14">
      <div className="mx-auto flex max-w-3xl flex-col gap-5">
        <Link
          to={announcementsPath}
          className="-ml-1 inline-flex min-h-11 items-center gap-1 self-start rounded-box px-1 font-semibold text-primary underline-offset-4 hover:underline"
        >
          <ChevronLeft className="size-5" />
          {t('All announcements')}
        </Link>
        {isHidden && (
          <p role="status" className="rounded-box bg-warning-soft px-4 py-3 font-medium text-warning">
            Only the office can see this page: the announcement is {hiddenWords[announcement.state]}.
          </p>
        )}
        <header className="flex flex-col gap-3">
          <h1
            dir="auto"
            className="text-3xl leading-tight font-bold tracking-tight wrap-anywhere md:text-4xl"
          >
            {title}
          </h1>
          <AnnouncementFacts {...announcement} publishAt={publishAt ?? createdAt} />
        </header>
        <AnnouncementPicture image={image} title={title} sizes="(min-width: 800px) 768px, 94vw" isFirst />
        <div className="text-lg">
          <AnnouncementText html={contentHtml} />
        </div>
        {isHidden ? <EventFacts {...announcement} /> : <EventBlock {...announcement} />}
        <AttachmentBlock {...announcement} />
      </div>
    </article>
  )
}

const hiddenWords = {
  published: 'published',
  scheduled: 'scheduled for later',
  draft: 'a draft',
  expired: 'expired',
} satisfies Record<ManagedAnnouncement['state'], string>

export function MissingAnnouncement() {
  const t = useTranslation()
  return (
    <div className="page-width py-10 md:py-20">
      <div className="mx-auto max-w-2xl">
        <h1 className="sr-only">{t(announcementSentences.missing)}</h1>
        <EmptyState
          icon={Megaphone}
          title={announcementSentences.missing}
          action={<ButtonLink to={announcementsPath}>All announcements</ButtonLink>}
        >
          It may have been removed, or the address is incomplete.
        </EmptyState>
      </div>
    </div>
  )
}
