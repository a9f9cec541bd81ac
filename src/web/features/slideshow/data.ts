import type { Slide } from '#shared/slideshow/slides-response.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

export async function readSlides(signal?: AbortSignal): Promise<readonly Slide[]> {
  const init = signal ? { init: { signal } } : {}
  return (await callApi(api.slides.$get({ query: { all: 'true' } }, init))).items
}

const slideFilters = ['all', 'active', 'inactive'] as const
export type SlideFilter = (typeof slideFilters)[number]

interface SlideshowAddress {
  filter: SlideFilter
  opened: string | null
}

export const newSlide = 'new'

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

export function isSameForm(
  opened: string | null,
  { pathname, search }: { pathname: string; search: string },
) {
  const isHere = pathname === '/admin' && tabOf(search) === 'slideshow'
  return isHere && (opened === null || readSlideshowAddress(search).opened === opened)
}

export function slideName({ title, order }: Pick<Slide, 'title' | 'order'>): string {
  return title === '' ? `slide ${order + 1}` : title
}
