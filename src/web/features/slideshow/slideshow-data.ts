import { api, callApi } from '#web/lib/api.ts'

/** What the coordinator's tab shows. */
export type SlideshowData = Awaited<ReturnType<typeof loadSlideshow>>

/** All slides; which of them are shown the tab decides by its address. */
export async function loadSlideshow(_url: URL, signal: AbortSignal) {
  const { items } = await callApi(api.slides.$get({ query: { all: 'true' } }, { init: { signal } }))
  return { slides: items }
}
