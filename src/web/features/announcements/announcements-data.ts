/** What the coordinator's tab shows. */
export type AnnouncementsData = Awaited<ReturnType<typeof loadAnnouncements>>

/** @param url its query narrows the list */
export async function loadAnnouncements(url: URL, signal: AbortSignal) {
  return { shown: url.search, isAborted: signal.aborted }
}
