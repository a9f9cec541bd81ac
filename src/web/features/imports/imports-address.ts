import { type ImportRowState, importRowStates } from '#shared/imports.ts'
import { tabPath } from '#web/lib/admin-tab.ts'

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
