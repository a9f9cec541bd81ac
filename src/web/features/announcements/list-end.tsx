import { type MouseEvent, useEffect, useRef } from 'react'
import { useNavigate, useNavigation } from 'react-router'
import { announcementsPath } from '#shared/announcement-paths.ts'
import { ButtonLink } from '#web/components/button.tsx'
import type { AnnouncementPiece } from './announcement-card.ts'
import { type AnnouncementsAddress, addressOfMore, announcementsAddress } from './announcements-address.ts'
import { cardLinkId } from './reading-place.ts'

interface ListEndProps {
  address: AnnouncementsAddress
  piece: AnnouncementPiece
}

/** The ways on from the last card that is shown. */
export function ListEnd({ address, piece: { items, nextCursor } }: ListEndProps) {
  const navigate = useNavigate()
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
    <nav aria-label="More announcements" className="mt-8 flex flex-wrap justify-center gap-3 empty:hidden">
      {address.cursor !== '' && (
        <ButtonLink variant="outline" to={announcementsAddress({ category: address.category })}>
          Newest announcements
        </ButtonLink>
      )}
      {more !== null && (
        // Without scripts the page opens anew, at the last card that was there before.
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

/** After more was shown the focus is on the first that is new; the link that showed it has moved away. */
function useFocusOnNew(ids: readonly string[]): () => void {
  const before = useRef<ReadonlySet<string> | null>(null)
  const shown = ids.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cards are others, and only then
  useEffect(() => {
    const known = before.current
    const fresh = known && ids.find((id) => !known.has(id))
    if (!fresh) return
    before.current = null
    document.getElementById(cardLinkId(fresh))?.focus({ preventScroll: true })
  }, [shown])
  return () => {
    before.current = new Set(ids)
  }
}
