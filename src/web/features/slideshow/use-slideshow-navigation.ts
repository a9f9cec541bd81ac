import { useNavigate } from 'react-router'
import { useFormAddress } from '#web/lib/form-address.ts'
import { useWantedLocation } from '#web/lib/wanted-location.ts'
import { readSlideshowAddress, type SlideFilter, slideshowPath } from './slideshow-address.ts'

/** Where the tab is, and the ways from there. */
export function useSlideshowNavigation() {
  const navigate = useNavigate()
  const { filter, opened } = readSlideshowAddress(useWantedLocation().search)
  const form = useFormAddress(opened !== null)

  return {
    filter,
    opened,
    show(filter: SlideFilter) {
      void navigate(slideshowPath({ filter, opened: null }), { preventScrollReset: true })
    },
    open: (slide: string) => form.open(slideshowPath({ filter, opened: slide })),
    close: () => form.close(slideshowPath({ filter, opened: null })),
  }
}
