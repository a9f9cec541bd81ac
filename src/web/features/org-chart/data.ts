import type { Location } from 'react-router'
import { departments } from '#shared/org-chart/org-chart.ts'
import type { OrgChartContent } from '#shared/org-chart/org-chart-response.ts'
import { tabOf, tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'

export const chartKey = ['org-chart', 'manager'] as const

/** @throws ApiProblem */
export async function readChart(signal?: AbortSignal): Promise<OrgChartContent> {
  return await callApi(api['org-chart'].$get(undefined, signal ? { init: { signal } } : {}))
}

export type DepartmentFilter = (typeof departments)[number] | null

export interface ManagerAddress {
  department: DepartmentFilter
  view: 'chart' | 'list' | null
  opened: OpenedForm | null
}

export type OpenedForm = { kind: 'new'; parentId: string | null } | { kind: 'edit'; id: string }

export function isThisTab({ pathname, search }: Pick<Location, 'pathname' | 'search'>): boolean {
  return pathname === '/admin' && tabOf(search) === 'orgchart'
}

/** Invalid parameters are ignored. */
export function addressOf({ search }: Pick<Location, 'search'>): ManagerAddress {
  const params = new URLSearchParams(search)
  const view = params.get('view')
  return {
    department: departments.find((department) => department === params.get('department')) ?? null,
    view: view === 'chart' || view === 'list' ? view : null,
    opened: openedOf(params),
  }
}

function openedOf(params: URLSearchParams): OpenedForm | null {
  const id = params.get('edit')
  if (id) return { kind: 'edit', id }
  const parentId = params.get('add')
  return parentId === null ? null : { kind: 'new', parentId: parentId || null }
}

export function managerAddress({ department, view, opened }: ManagerAddress): string {
  return tabPath('orgchart', {
    ...(department ? { department } : {}),
    ...(view ? { view } : {}),
    ...(opened?.kind === 'edit' ? { edit: opened.id } : {}),
    ...(opened?.kind === 'new' ? { add: opened.parentId ?? '' } : {}),
  })
}

export function isSameForm(one: OpenedForm | null, other: OpenedForm | null): boolean {
  if (one?.kind === 'edit') return other?.kind === 'edit' && other.id === one.id
  if (one?.kind === 'new') return other?.kind === 'new' && other.parentId === one.parentId
  return other === null
}
