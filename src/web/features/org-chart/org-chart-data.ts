/** What the coordinator's tab shows. */
export type OrgChartData = Awaited<ReturnType<typeof loadOrgChart>>

/** @param url its query narrows the list */
export async function loadOrgChart(url: URL, signal: AbortSignal) {
  return { shown: url.search, isAborted: signal.aborted }
}
