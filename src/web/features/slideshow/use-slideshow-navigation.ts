import { useLocation, useNavigate, useNavigation } from 'react-router'
import { readSlideshowAddress, type SlideFilter, slideshowPath } from './slideshow-address.ts'

/** In the history entry of a form that was opened from the list. */
const fromList = { openedFromList: true }

/** Where the tab is, and the ways from there. */
export function useSlideshowNavigation() {
  const navigate = useNavigate()
  const current = useLocation()
  const wanted = useNavigation().location
  const { filter, opened } = readSlideshowAddress(
    (wanted?.pathname === current.pathname ? wanted : current).search,
  )

  return {
    filter,
    opened,
    show(filter: SlideFilter) {
      void navigate(slideshowPath({ filter, opened: null }), { preventScrollReset: true })
    },
    open(slide: string) {
      void navigate(slideshowPath({ filter, opened: slide }), { state: fromList, preventScrollReset: true })
    },
    close() {
      // Opened from the list: one step back, so that Back afterwards doesn't open it again.
      if (isFromList(current.state)) void navigate(-1)
      else void navigate(slideshowPath({ filter, opened: null }), { replace: true, preventScrollReset: true })
    },
  }
}

function isFromList(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'openedFromList' in state
}
