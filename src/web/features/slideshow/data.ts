import type { Slide } from '#shared/slideshow/slides.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

/** What the coordinator's tab shows. */
export type SlideshowData = Awaited<ReturnType<typeof loadSlideshow>>

/** All slides; which of them are shown the tab decides by its address. */
export async function loadSlideshow(_url: URL, signal: AbortSignal) {
  const { items } = await callApi(api.slides.$get({ query: { all: 'true' } }, { init: { signal } }))
  return { slides: items }
}

const slideFilters = ['all', 'active', 'inactive'] as const
export type SlideFilter = (typeof slideFilters)[number]

/** What the address of the coordinator's tab says. */
interface SlideshowAddress {
  filter: SlideFilter
  /** Whose form is open: a slide's id, `newSlide`, or null for nobody's. */
  opened: string | null
}

/** In the place of an id: the form of a slide that isn't there yet. */
export const newSlide = 'new'

/** @param search of an address of /admin */
export function readSlideshowAddress(search: string): SlideshowAddress {
  const query = new URLSearchParams(search)
  const filter = slideFilters.find((each) => each === query.get('show')) ?? 'all'
  return { filter, opened: query.get('slide') || null }
}

export function slideshowPath({ filter, opened }: SlideshowAddress): string {
  return tabPath('slideshow', {
    ...(filter === 'all' ? {} : { show: filter }),
    ...(opened === null ? {} : { slide: opened }),
  })
}

/** Whether an address is still of this tab, with this form open. */
export function isSameForm(
  opened: string | null,
  { pathname, search }: { pathname: string; search: string },
) {
  const isHere = pathname === '/admin' && tabOf(search) === 'slideshow'
  return isHere && (opened === null || readSlideshowAddress(search).opened === opened)
}

/** What a slide is called where it is spoken of. */
export function slideName({ title, order }: Pick<Slide, 'title' | 'order'>): string {
  return title === '' ? `slide ${order + 1}` : title
}
