import { parseAsString, parseAsStringLiteral } from 'nuqs/server'
import { departments } from '#shared/org-chart/org-chart.ts'
import type { OrgChartContent } from '#shared/org-chart/org-chart-response.ts'
import { createAddress, parseAsId } from '#web/lib/address.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

export const chartKey = ['org-chart', 'manager'] as const

/** @throws ApiProblem */
export async function readChart(signal: AbortSignal | null = null): Promise<OrgChartContent> {
  return await callApi(api['org-chart'].$get(undefined, { init: { signal } }))
}

export const chartAddress = createAddress(tabPath('orgchart'), {
  department: parseAsStringLiteral(departments),
  view: parseAsStringLiteral(['chart', 'list']),
  edit: parseAsId,
  // The position under which a new one comes; '' for none.
  add: parseAsString,
})

export type ChartAddress = ReturnType<typeof chartAddress.read>
export type OpenedForm = Pick<ChartAddress, 'edit' | 'add'>

export function isThisTab({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname === '/admin' && tabOf(search) === 'orgchart'
}

export function openedOf({ edit, add }: OpenedForm): OpenedForm | null {
  return edit === null && add === null ? null : { edit, add }
}

export function isSameForm(one: OpenedForm | null, other: OpenedForm | null): boolean {
  return one?.edit === other?.edit && one?.add === other?.add
}
