import { Rss } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { Link, useNavigate, useNavigation } from 'react-router'
import { announcementsPath, feedPath, publicCategories } from '#shared/announcements/announcements.ts'
import { ButtonLink } from '#web/components/button.tsx'
import { Skeleton } from '#web/components/skeleton.tsx'
import type { Section } from '#web/lib/section.ts'
import { useSite } from '#web/lib/site.ts'
import { useTranslation } from '#web/lib/translation.tsx'

import { cardLinkId } from './announcement-cards.tsx'
import type { AnnouncementCardPage } from './announcement-facts.tsx'
import { AnnouncementList } from './announcement-reader.tsx'

interface AnnouncementsViewProps {
  address: AnnouncementsAddress
  announcements: Section<AnnouncementCardPage>
}

/** Product 4. Everything is a link, so it works without scripts. */
export function AnnouncementsView({ address, announcements }: AnnouncementsViewProps) {
  const { data, failure } = announcements
  const t = useTranslation()
  const { enlistment } = useSite()
  const wanted = useWantedAddress() ?? address
  const isOther = wanted.category !== address.category || wanted.cursor !== address.cursor
  return (
    <div className="page-width py-10 md:py-16">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          {/* One long word: with wider letters it breaks rather than push the page sideways. */}
          <h1 className="text-3xl font-bold tracking-tight wrap-anywhere md:text-4xl">
            {t('Announcements')}
          </h1>
          <p className="mt-2 text-lg text-muted">{t('News and notices from the NSTP office.')}</p>
          {enlistment !== null && <p className="mt-2 font-semibold text-primary">{t(enlistment)}</p>}
        </div>
        <a
          href={feedPath}
          className="inline-flex min-h-11 items-center gap-2 rounded-box text-sm font-semibold text-primary underline-offset-4 hover:underline"
        >
          <Rss className="size-4" />
          RSS feed
        </a>
      </header>
      <div className="mt-6 mb-8">
        <CategoryFilter selected={wanted.category} />
      </div>
      {isOther ? (
        <CardsSkeleton />
      ) : (
        <AnnouncementList
          announcements={data ? { data: data.items, failure } : { data, failure }}
          category={address.category}
          Heading="h2"
          isFirstSight
        />
      )}
      {!isOther && data && data.items.length > 0 && <ListEnd address={address} page={data} />}
    </div>
  )
}

function useWantedAddress(): AnnouncementsAddress | null {
  const { location } = useNavigation()
  return location?.pathname === announcementsPath
    ? readAnnouncementsAddress(new URLSearchParams(location.search))
    : null
}

const skeletonKeys = ['a', 'b', 'c', 'd', 'e', 'f']

function CardsSkeleton() {
  const t = useTranslation()
  return (
    <div role="status" className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
      <span className="sr-only">{t('Loading announcements...')}</span>
      {skeletonKeys.map((key) => (
        <Skeleton key={key} className="h-96" />
      ))}
    </div>
  )
}

const choices = [
  { category: null, label: 'All' },
  ...publicCategories.map((category) => ({ category, label: category })),
]

/** Links: each choice has its own address. */
function CategoryFilter({ selected }: { selected: AnnouncementsAddress['category'] }) {
  const t = useTranslation()
  return (
    <nav aria-label={t('Categories')}>
      <ul className="flex flex-wrap gap-2">
        {choices.map(({ category, label }) => (
          <li key={label}>
            <Link
              to={announcementsAddress({ category })}
              preventScrollReset
              aria-current={category === selected ? 'true' : undefined}
              className="inline-flex min-h-11 min-w-14 items-center justify-center rounded-box border border-edge bg-card px-[min(1rem,16px)] font-semibold wrap-anywhere transition-colors hover:bg-soft aria-current:border-primary aria-current:bg-primary aria-current:text-on-primary"
            >
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

interface ListEndProps {
  address: AnnouncementsAddress
  page: AnnouncementCardPage
}

function ListEnd({ address, page: { items, nextCursor } }: ListEndProps) {
  const navigate = useNavigate()
  const t = useTranslation()
  const isReading = useNavigation().location?.pathname === announcementsPath
  const noteLength = useFocusOnNew(items.map(({ id }) => id))
  const more = nextCursor === null ? null : addressOfMore(address, nextCursor)
  const isSamePage = more !== null && !more.includes('cursor=')

  function showMore(event: MouseEvent) {
    if (more === null || !isSamePage || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    noteLength()
    void navigate(more, { preventScrollReset: true })
  }

  return (
    <nav
      aria-label={t('More announcements')}
      className="mt-8 flex flex-wrap justify-center gap-3 empty:hidden"
    >
      {address.cursor !== '' && (
        <ButtonLink variant="outline" to={announcementsAddress({ category: address.category })}>
          Newest announcements
        </ButtonLink>
      )}
      {more !== null && (
        // If scripts don't run, the page reloads at the last card of the previous page.
        <ButtonLink
          variant="outline"
          to={isSamePage ? `${more}#card-${items.at(-1)?.id}` : more}
          onClick={showMore}
        >
          {isReading ? 'Loading…' : 'Show more'}
        </ButtonLink>
      )}
    </nav>
  )
}

/** Focuses the first new card: the link that was pressed has moved. */
function useFocusOnNew(ids: readonly string[]): () => void {
  const before = useRef<ReadonlySet<string> | null>(null)
  const shownIds = ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cards are others, and only then
  useEffect(() => {
    const previous = before.current
    const fresh = previous && ids.find((id) => !previous.has(id))
    if (!fresh) return
    before.current = null
    document.getElementById(cardLinkId(fresh))?.focus({ preventScroll: true })
  }, [shownIds])
  return () => {
    before.current = new Set(ids)
  }
}

// Cards loaded at once, and the most on one page.
const pageSize = 12
const maxShown = 48

type PublicCategory = (typeof publicCategories)[number]

export interface AnnouncementsAddress {
  category: PublicCategory | null
  show: number
  cursor: string
}

/** Invalid parameters are ignored, so that an old link still opens the list. */
export function readAnnouncementsAddress(params: URLSearchParams): AnnouncementsAddress {
  const pages = Math.ceil(Number(params.get('show')) / pageSize) || 1
  return {
    category: publicCategories.find((category) => category === params.get('category')) ?? null,
    show: Math.min(maxShown, Math.max(1, pages) * pageSize),
    cursor: params.get('cursor') ?? '',
  }
}

export function announcementsAddress({ category, show, cursor }: Partial<AnnouncementsAddress>): string {
  const params = new URLSearchParams()
  if (category) params.set('category', category)
  if (show !== undefined && show > pageSize) params.set('show', String(show))
  if (cursor) params.set('cursor', cursor)
  const search = params.toString()
  return search === '' ? announcementsPath : `${announcementsPath}?${search}`
}

/** A full page goes on to one that begins where it ends. */
export function addressOfMore(address: AnnouncementsAddress, nextCursor: string): string {
  return address.show < maxShown
    ? announcementsAddress({ ...address, show: address.show + pageSize })
    : announcementsAddress({ category: address.category, cursor: nextCursor })
}

export function listQueryOf({ category, show, cursor }: AnnouncementsAddress) {
  return { limit: String(show), ...(category ? { category } : {}), ...(cursor ? { cursor } : {}) }
}
