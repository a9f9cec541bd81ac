import { CalendarDays, CalendarPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { calendarPath } from '#shared/announcements/announcements.ts'
import { useInstantTexts } from '#web/lib/date-texts.ts'
import { useNow } from '#web/lib/relative-time.ts'
import { useTranslation } from '#web/lib/translation.tsx'

interface DatedEvent {
  id: string
  eventAt: number | null
  place: string
}

/** When and where; nothing for an event without both. */
export function EventFacts({ eventAt, place }: Omit<DatedEvent, 'id'>) {
  const { eventOf } = useInstantTexts()
  if (eventAt === null && place === '') return null
  return (
    <p className="flex gap-1.5 font-semibold">
      <CalendarDays className="mt-1 size-4 shrink-0 text-primary" />
      <span className="min-w-0 wrap-anywhere">
        {eventAt !== null && <time dateTime={new Date(eventAt).toISOString()}>{eventOf(eventAt)}</time>}
        {eventAt !== null && place !== '' && ' · '}
        <bdi>{place}</bdi>
      </span>
    </p>
  )
}

export function EventBlock({ heading, ...event }: DatedEvent & { heading?: ReactNode }) {
  const t = useTranslation()
  const { id, eventAt, place } = event
  const now = useNow(id)
  if (eventAt === null && place === '') return null
  return (
    <section
      aria-label={t('Event')}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-box border bg-soft px-[min(1rem,16px)] py-3"
    >
      <div className="min-w-0">
        {heading}
        <EventFacts {...event} />
      </div>
      {eventAt !== null && eventAt > now.getTime() && (
        // A file, not a page of the product.
        <a
          href={calendarPath(id)}
          // `download` keeps the page open if there is no network.
          download
          className="inline-flex min-h-11 max-w-full flex-wrap items-center justify-center gap-x-2 rounded-box border border-edge bg-card px-[min(1rem,16px)] font-semibold wrap-anywhere hover:bg-line print:hidden"
        >
          <CalendarPlus className="size-4" />
          {t('Add to calendar')}
        </a>
      )}
    </section>
  )
}
