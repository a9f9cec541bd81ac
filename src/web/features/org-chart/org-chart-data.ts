import type { OrgChartContent } from '#shared/org-chart.ts'
import { api, callApi } from '#web/lib/api.ts'

/** What the coordinator's tab shows. */
export type OrgChartData = Awaited<ReturnType<typeof loadOrgChart>>

/** The whole chart; the address only decides what of it is in sight. */
export async function loadOrgChart(_url: URL, signal: AbortSignal) {
  return { chart: await readChart(signal) }
}

/** The chart as it is now. @throws ApiProblem */
export async function readChart(signal?: AbortSignal): Promise<OrgChartContent> {
  return await callApi(api['org-chart'].$get(undefined, signal ? { init: { signal } } : {}))
}
