import { clsx } from 'clsx'
import { Paperclip } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { type AnnouncementCategory, announcementPath } from '#shared/announcements/announcements.ts'
import { SunMark } from '#web/components/brand.tsx'
import { EventFacts } from '#web/components/event-block.tsx'
import { Picture } from '#web/components/picture.tsx'
import { useTranslation } from '#web/lib/translation.tsx'
import { type AnnouncementCard, AnnouncementFacts } from './announcement-facts.tsx'

const bands: Record<AnnouncementCategory, string> = {
  General: 'bg-soft text-muted',
  ROTC: 'bg-olive-soft text-olive',
  CWTS: 'bg-blue-soft text-blue',
  LTS: 'bg-amber-soft text-amber',
  Important: 'bg-danger-soft text-danger',
  Event: 'bg-success-soft text-success',
}

export interface AnnouncementCardsProps {
  announcements: readonly AnnouncementCard[]
  Heading: 'h2' | 'h3'
  isFirstSight?: boolean
  /** Whether a phone shows the announcement as a row with a small picture. */
  isCompact?: boolean
  onOpen: (id: string) => void
}

/** Links to the announcements' pages, opened in a modal where possible. */
export function AnnouncementCards({ announcements, isFirstSight = false, ...card }: AnnouncementCardsProps) {
  return (
    <ul className={clsx('grid sm:grid-cols-2 sm:gap-5 lg:grid-cols-3', card.isCompact ? 'gap-3' : 'gap-5')}>
      {announcements.map((announcement, index) => (
        <Card
          key={announcement.id}
          {...card}
          announcement={announcement}
          isFirst={isFirstSight && index === 0}
        />
      ))}
    </ul>
  )
}

interface CardProps extends Pick<AnnouncementCardsProps, 'Heading' | 'onOpen' | 'isCompact'> {
  announcement: AnnouncementCard
  isFirst: boolean
}

function Card({ announcement, Heading, isFirst, isCompact = false, onOpen }: CardProps) {
  const { id, title, excerpt, attachmentName, pinned } = announcement
  const t = useTranslation()

  function open(event: MouseEvent) {
    // Another tab or window, a download: as the browser does it.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(id)
  }

  return (
    <li
      id={`card-${id}`}
      data-compact={isCompact ? '' : undefined}
      className={clsx(
        'relative flex scroll-mt-6 flex-col overflow-hidden rounded-box border bg-card shadow-card transition-colors',
        'hover:border-edge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
        pinned && 'border-primary',
        isCompact && 'max-sm:flex-row',
      )}
    >
      <CardImage {...announcement} isFirst={isFirst} />
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-[min(1.25rem,20px)] max-sm:in-data-compact:gap-1 max-sm:in-data-compact:p-3 max-sm:in-data-compact:text-sm">
        <AnnouncementFacts {...announcement} />
        <Heading
          dir="auto"
          className="line-clamp-4 text-lg leading-snug font-bold text-pretty wrap-anywhere max-sm:in-data-compact:text-base"
        >
          <Link
            id={cardLinkId(id)}
            to={announcementPath(id)}
            onClick={open}
            // The whole card is the link.
            className="outline-hidden after:absolute after:inset-0"
          >
            {title}
          </Link>
        </Heading>
        <EventFacts {...announcement} />
        <p dir="auto" className="text-muted wrap-anywhere max-sm:in-data-compact:line-clamp-2">
          {excerpt}
        </p>
        {attachmentName !== null && (
          <p className="mt-auto flex items-center gap-1.5 pt-1 text-sm text-muted">
            <Paperclip className="size-4 shrink-0" />
            <span className="sr-only">{t('Attachment')}: </span>
            <span className="truncate">{attachmentName}</span>
          </p>
        )}
      </div>
    </li>
  )
}

function CardImage({ image, category, isFirst }: AnnouncementCard & { isFirst: boolean }) {
  if (!image) {
    return (
      // The cards on a phone are below each other, so that there is nothing to line up with.
      <div
        aria-hidden="true"
        className={clsx('hidden aspect-video overflow-hidden sm:block', bands[category])}
      >
        <SunMark className="mt-6 ml-auto size-64 translate-x-16 opacity-15" />
      </div>
    )
  }
  return (
    <div className="aspect-video overflow-hidden bg-soft max-sm:in-data-compact:aspect-auto max-sm:in-data-compact:w-22 max-sm:in-data-compact:shrink-0">
      <Picture
        picture={image}
        alt=""
        sizes="(min-width: 1024px) 350px, (min-width: 640px) 50vw, 100vw"
        className="size-full object-cover"
        isFirst={isFirst}
      />
    </div>
  )
}

// The hash opens an announcement: nothing is read again, and Back closes. No element has this id, so the page doesn't scroll.
export function announcementHash(id: string): string {
  return `#read=${id}`
}

export function readIdOf(hash: string): string | null {
  return /^#read=([\da-f-]{36})$/.exec(hash)?.[1] ?? null
}

export function cardLinkId(id: string): string {
  return `announcement-${id}`
}
