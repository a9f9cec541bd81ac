import type { AuditItem } from '#shared/audit/audit-response.ts'
import type { DashboardCounts, Enlistments } from '#shared/statistics/statistics-response.ts'
import { api, callApi } from '#web/lib/api.ts'
import { sentenceOf } from '#web/lib/api-problem.ts'

export const shownChanges = 8

export type Activity = { items: AuditItem[] } | { failure: string }

export interface DashboardData {
  counts: DashboardCounts
  activity: Activity
}

export type ActivityLine =
  | { kind: 'change'; at: string; item: AuditItem }
  | { kind: 'enlistment'; at: string; id: string; name: string }
  | { kind: 'enlistments'; at: string; count: number }

/** Newest first; many enlistments are one line. */
export function activityLines(items: readonly AuditItem[], { count, latest }: Enlistments): ActivityLine[] {
  const enlisted =
    count > latest.length
      ? latest.slice(0, 1).map(({ at }) => ({ kind: 'enlistments', at, count }) as const)
      : latest.map((student) => ({ kind: 'enlistment', ...student }) as const)
  const changes = items.map((item) => ({ kind: 'change', at: item.at, item }) as const)
  return [...enlisted, ...changes].sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, shownChanges)
}

/** @throws ApiProblem for the counts; a failed activity is part of the result */
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
    // The user left the tab; the router expects its own abort error.
    signal.throwIfAborted()
    return { failure: sentenceOf(error) }
  }
}
