import { replace } from 'react-router'
import {
  type ImportColumn,
  type ImportDetails,
  type ImportMatch,
  type ImportRow,
  type ImportRowPage,
  type ImportRowState,
  type ImportState,
  type ImportSummary,
  importRowStates,
} from '#shared/imports/imports.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

/** One import, and the rows to show of it; null at the steps that show none. */
export interface OpenImportData {
  id: string
  details: ImportDetails
  filter: RowFilter
  rows: ImportRowPage | null
}

/** What the import tab shows at one address. */
export type ImportsData =
  | { id: null; history: ImportSummary[] }
  | OpenImportData
  /** There is no such import: it was deleted, or the link is wrong. */
  | { id: string; missing: string }

/**
 * Reads what an address of the import tab asks for.
 *
 * @throws Response that leads to the last page, in place of an address beyond it
 * @throws ApiProblem
 */
export async function loadImports(url: URL, signal: AbortSignal): Promise<ImportsData> {
  const address = readImportsAddress(url.searchParams)
  const init = { init: { signal } }
  if (address.id === null) {
    return { id: null, history: (await callApi(api.imports.$get(undefined, init))).items }
  }
  try {
    const details = await callApi(api.imports[':id'].$get({ param: { id: address.id } }, init))
    return { id: address.id, details, ...(await loadRows(address, details, signal)) }
  } catch (error) {
    if (error instanceof ApiProblem && error.problem.code === 'not_found') {
      return { id: address.id, missing: error.message }
    }
    throw error
  }
}

async function loadRows(address: ImportsAddress, details: ImportDetails, signal: AbortSignal) {
  const filter = address.rows ?? mostPressing(details)
  if (details.state !== 'checked') return { filter, rows: null }
  const rows = await callApi(
    api.imports[':id'].rows.$get(
      { param: { id: details.id }, query: { state: filter, page: String(address.page) } },
      { init: { signal } },
    ),
  )
  const lastPage = Math.max(1, Math.ceil(rows.total / rows.pageSize))
  // Corrected rows leave the list, and so may the page that they were on.
  if (address.page > lastPage) throw replace(importPath(details.id, { ...address, page: lastPage }))
  return { filter, rows }
}

/** The rows that somebody should look at first. */
function mostPressing({ counts }: ImportDetails): RowFilter {
  if (counts.problem > 0) return 'problem'
  return counts.duplicate > 0 ? 'duplicate' : 'ready'
}

/** Which rows are shown. */
export type RowFilter = ImportRowState | 'all'
const rowFilters: readonly RowFilter[] = [...importRowStates, 'all']

/** The state of the import tab as the page's address holds it. */
export interface ImportsAddress {
  /** The import that is open; null for the history. */
  id: string | null
  /** Back at the columns, after they were chosen once. */
  atColumns: boolean
  /** The rows to show; null for those that want attention. */
  rows: RowFilter | null
  page: number
}

/** Reads the tab's state. What an address says wrongly counts as not said. */
export function readImportsAddress(params: URLSearchParams): ImportsAddress {
  const page = params.get('page') ?? ''
  return {
    id: params.get('import') || null,
    atColumns: params.get('step') === 'columns',
    rows: rowFilters.find((filter) => filter === params.get('rows')) ?? null,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

/** The address of an import, or of a part of its rows; without an id, of the history. */
export function importPath(id: string | null, part: Partial<Omit<ImportsAddress, 'id'>> = {}): string {
  const { atColumns = false, rows = null, page = 1 } = part
  return tabPath('import', {
    ...(id ? { import: id } : {}),
    ...(atColumns ? { step: 'columns' } : {}),
    ...(rows ? { rows } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
  })
}

/**
 * Does something with the import: keeps what went wrong in sight, and reads the import again. Tells whether it
 * went well.
 *
 * @param failed what the person reads when it didn't; the reason follows
 */
export type Act = (failed: string, action: () => Promise<unknown>) => Promise<boolean>

const stateTexts: Record<ImportState, { label: string; tone: BadgeTone }> = {
  uploaded: { label: 'Waiting for columns', tone: 'neutral' },
  checking: { label: 'Being checked', tone: 'info' },
  checked: { label: 'Checked', tone: 'info' },
  importing: { label: 'Being imported', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undone: { label: 'Undone', tone: 'warning' },
}

/** What the state of an import is called in the history. */
export function stateText({ state, updateBy }: Pick<ImportSummary, 'state' | 'updateBy'>) {
  const text = stateTexts[state]
  if (!updateBy) return text
  if (state === 'imported') return { ...text, label: 'Updated' }
  return state === 'importing' ? { ...text, label: 'Being updated' } : text
}

/** What an import makes of the ready rows: 'student', or of an update 'record'. */
export function resultText({ updateBy }: Pick<ImportSummary, 'updateBy'>) {
  return updateBy
    ? ({ noun: 'record', verb: 'Update', done: 'updated' } as const)
    : ({ noun: 'student', verb: 'Import', done: 'imported' } as const)
}

const waysInWords = {
  name: 'name and date of birth',
  studentId: 'student ID',
  email: 'email',
  record: 'record',
} as const

/** 'The same email and student ID as'; who it is, stands behind. */
export function matchText({ by }: Pick<ImportMatch, 'by'>): string {
  return `The same ${by.map((way) => waysInWords[way]).join(' and ')} as`
}

/** 'Dela Cruz, Juan'; of a row without a name, that it has none. */
export function rowName(
  { values, record }: Pick<ImportRow, 'values' | 'record'>,
  { updateBy }: Pick<ImportSummary, 'updateBy'>,
): string {
  const { lastName, firstName } = record ?? values
  const parts = [lastName, firstName].filter((part) => part)
  return parts.length > 0 ? parts.join(', ') : updateBy ? 'No record' : 'No name'
}

/** A column's heading; one without a heading is called by its place. */
export function columnName({ header }: Pick<ImportColumn, 'header'>, index: number): string {
  return header || `Column ${index + 1}`
}
