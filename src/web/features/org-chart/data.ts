import { departments, type OrgChartContent } from '#shared/org-chart/org-chart.ts'
import { tabPath } from '#web/lib/admin-tab.ts'
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

export type DepartmentFilter = (typeof departments)[number] | null

/** The state of the coordinator's tab as the address holds it. */
export interface ManagerAddress {
  /** Null for all. */
  department: DepartmentFilter
  /** Null until somebody has chosen: then the screen's width decides. */
  view: 'chart' | 'list' | null
  opened: OpenedForm | null
}

/** The form that is open: for a new position, under another one or at the top; or of the one with this id. */
export type OpenedForm = { kind: 'new'; parentId: string | null } | { kind: 'edit'; id: string }

/** Reads the tab's state. What an address says wrongly counts as not said. */
export function readManagerAddress(params: URLSearchParams): ManagerAddress {
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

/** Writes the tab's state as an address, defaults left out. */
export function managerAddress({ department, view, opened }: ManagerAddress): string {
  return tabPath('orgchart', {
    ...(department ? { department } : {}),
    ...(view ? { view } : {}),
    ...(opened?.kind === 'edit' ? { edit: opened.id } : {}),
    ...(opened?.kind === 'new' ? { add: opened.parentId ?? '' } : {}),
  })
}

/** Whether two addresses show the same form. */
export function isSameForm(one: OpenedForm | null, other: OpenedForm | null): boolean {
  if (one?.kind === 'edit') return other?.kind === 'edit' && other.id === one.id
  if (one?.kind === 'new') return other?.kind === 'new' && other.parentId === one.parentId
  return other === null
}
