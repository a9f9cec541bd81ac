import { useState } from 'react'
import type {
  ImportColumn,
  ImportDetails,
  ImportRow,
  ImportRowPage,
  ImportSummary,
} from '#shared/imports/import-response.ts'
import { type ImportRowState, type ImportState, importRowStates } from '#shared/imports/imports.ts'
import type { BadgeTone } from '#web/components/badge.tsx'
import { tabPath } from '#web/lib/admin-tab.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'

export interface OpenImportData {
  id: string
  details: ImportDetails
  filter: RowFilter
  rows: ImportRowPage | null
}

export type ImportsData =
  | { id: null; history: ImportSummary[] }
  | OpenImportData
  | { id: string; missing: string }

/** @throws ApiProblem */
export async function loadImports(params: URLSearchParams, signal: AbortSignal): Promise<ImportsData> {
  const address = readImportsAddress(params)
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

async function loadRows(
  address: ImportsAddress,
  details: ImportDetails,
  signal: AbortSignal,
): Promise<Pick<OpenImportData, 'filter' | 'rows'>> {
  const filter = address.rows ?? mostPressing(details)
  if (details.state !== 'checked') return { filter, rows: null }
  const rows = await callApi(
    api.imports[':id'].rows.$get(
      { param: { id: details.id }, query: { state: filter, page: String(address.page) } },
      { init: { signal } },
    ),
  )
  const lastPage = Math.max(1, Math.ceil(rows.total / rows.pageSize))
  // Corrected rows leave the list, so their page may no longer exist.
  if (address.page > lastPage) return await loadRows({ ...address, page: lastPage }, details, signal)
  return { filter, rows }
}

function mostPressing({ counts }: ImportDetails): RowFilter {
  if (counts.problem > 0) return 'problem'
  return counts.duplicate > 0 ? 'duplicate' : 'ready'
}

export type RowFilter = ImportRowState | 'all'
const rowFilters: readonly RowFilter[] = [...importRowStates, 'all']

export interface ImportsAddress {
  id: string | null
  atColumns: boolean
  rows: RowFilter | null
  page: number
}

/** Invalid parameters are ignored. */
export function readImportsAddress(params: URLSearchParams): ImportsAddress {
  const page = params.get('page') ?? ''
  return {
    id: params.get('import') || null,
    atColumns: params.get('step') === 'columns',
    rows: rowFilters.find((filter) => filter === params.get('rows')) ?? null,
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

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
 * Reads the import again afterwards. @param failed sentence shown on failure, before the reason
 * @returns success
 */
export type Act = (failed: string, action: () => Promise<unknown>) => Promise<boolean>

export function useBusy(act: Act): [isBusy: boolean, act: Act] {
  const [isBusy, setBusy] = useState(false)
  return [
    isBusy,
    async (failed, action) => {
      setBusy(true)
      const isDone = await act(failed, action)
      setBusy(false)
      return isDone
    },
  ]
}

const stateTexts: Record<ImportState, { label: string; tone: BadgeTone }> = {
  uploaded: { label: 'Waiting for columns', tone: 'neutral' },
  checking: { label: 'Being checked', tone: 'info' },
  checked: { label: 'Checked', tone: 'info' },
  importing: { label: 'Being imported', tone: 'info' },
  imported: { label: 'Imported', tone: 'success' },
  undone: { label: 'Undone', tone: 'warning' },
}

export function stateText({ state, updateBy }: Pick<ImportSummary, 'state' | 'updateBy'>) {
  const text = stateTexts[state]
  if (!updateBy) return text
  if (state === 'imported') return { ...text, label: 'Updated' }
  return state === 'importing' ? { ...text, label: 'Being updated' } : text
}

export function resultText({ updateBy }: Pick<ImportSummary, 'updateBy'>) {
  return updateBy
    ? ({ noun: 'record', verb: 'Update', done: 'updated' } as const)
    : ({ noun: 'student', verb: 'Import', done: 'imported' } as const)
}

export function rowName(
  { values, record }: Pick<ImportRow, 'values' | 'record'>,
  { updateBy }: Pick<ImportSummary, 'updateBy'>,
): string {
  const { lastName, firstName } = record ?? values
  const parts = [lastName, firstName].filter((part) => part)
  return parts.length > 0 ? parts.join(', ') : updateBy ? 'No record' : 'No name'
}

export function columnName({ header }: Pick<ImportColumn, 'header'>, index: number): string {
  return header || `Column ${index + 1}`
}
