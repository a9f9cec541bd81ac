/** What the coordinator's tab shows. */
export type SlideshowData = Awaited<ReturnType<typeof loadSlideshow>>

/** @param url its query narrows the list */
export async function loadSlideshow(url: URL, signal: AbortSignal) {
  return { shown: url.search, isAborted: signal.aborted }
}
