import { Rss } from 'lucide-react'
import { useNavigation } from 'react-router'
import { announcementsPath, feedPath } from '#shared/announcement-paths.ts'
import type { Section } from '#web/lib/section.ts'
import type { AnnouncementPiece } from './announcement-card.ts'
import { AnnouncementCards } from './announcement-cards.tsx'
import { AnnouncementReader } from './announcement-reader.tsx'
import { type AnnouncementsAddress, readAnnouncementsAddress } from './announcements-address.ts'
import { CardsSkeleton } from './cards-skeleton.tsx'
import { CategoryFilter } from './category-filter.tsx'
import { ListEnd } from './list-end.tsx'
import { LoadFailure } from './load-failure.tsx'
import { NoAnnouncements } from './no-announcements.tsx'

interface AnnouncementsViewProps {
  address: AnnouncementsAddress
  announcements: Section<AnnouncementPiece>
}

/** The public view of all announcements (spec §2). Everything in it is a link: it works without scripts. */
export function AnnouncementsView({ address, announcements }: AnnouncementsViewProps) {
  const wanted = useWantedAddress() ?? address
  const isOther = wanted.category !== address.category || wanted.cursor !== address.cursor
  return (
    <div className="page-width py-10 md:py-16">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          {/* One long word: with wider letters it breaks rather than push the page sideways. */}
          <h1 className="text-3xl font-bold tracking-tight wrap-anywhere md:text-4xl">Announcements</h1>
          <p className="mt-2 text-lg text-muted">News and notices from the NSTP office.</p>
        </div>
        <a
          href={feedPath}
          className="inline-flex min-h-11 items-center gap-2 rounded-box text-sm font-semibold text-primary underline-offset-4 hover:underline"
        >
          <Rss aria-hidden="true" className="size-4" />
          Follow by feed
        </a>
      </header>
      <div className="mt-6 mb-8">
        <CategoryFilter selected={wanted.category} />
      </div>
      <AnnouncementReader cards={announcements.data?.items ?? []}>
        {(open) =>
          isOther ? (
            <CardsSkeleton />
          ) : (
            <Cards address={address} announcements={announcements} onOpen={open} />
          )
        }
      </AnnouncementReader>
    </div>
  )
}

/** The address that is being read, if it is one of this view. */
function useWantedAddress(): AnnouncementsAddress | null {
  const { location } = useNavigation()
  return location?.pathname === announcementsPath
    ? readAnnouncementsAddress(new URLSearchParams(location.search))
    : null
}

interface CardsProps extends AnnouncementsViewProps {
  onOpen: (id: string) => void
}

function Cards({ address, announcements: { data, failure }, onOpen }: CardsProps) {
  if (failure !== null) return <LoadFailure message={failure} />
  if (data.items.length === 0) return <NoAnnouncements category={address.category} />
  return (
    <>
      <AnnouncementCards announcements={data.items} headings="h2" isFirstSight onOpen={onOpen} />
      <ListEnd address={address} piece={data} />
    </>
  )
}
