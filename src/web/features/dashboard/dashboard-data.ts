import type { AuditItem } from '#shared/audit.ts'
import type { DashboardCounts } from '#shared/dashboard.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

/** How many of the latest changes the dashboard shows. */
export const shownChanges = 8

/** The latest changes, or why they can't be shown. */
export type Activity = { items: AuditItem[] } | { failure: string }

export interface DashboardData {
  counts: DashboardCounts
  activity: Activity
}

/** @throws ApiProblem when the counts can't be read. Without the latest changes they are shown alone. */
export async function loadDashboard(signal: AbortSignal): Promise<DashboardData> {
  const [counts, activity] = await Promise.all([
    callApi(api.dashboard.$get(undefined, { init: { signal } })),
    loadActivity(signal),
  ])
  return { counts, activity }
}

async function loadActivity(signal: AbortSignal): Promise<Activity> {
  try {
    const query = { kind: 'changes', limit: String(shownChanges) } as const
    const { items } = await callApi(api.audit.$get({ query }, { init: { signal } }))
    return { items }
  } catch (error) {
    // The tab was left; the router expects its own abort back.
    signal.throwIfAborted()
    return { failure: sentenceOf(error) }
  }
}
