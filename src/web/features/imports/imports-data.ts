import { replace } from 'react-router'
import type { ImportDetails, ImportRowPage, ImportSummary } from '#shared/imports.ts'
import { api, callApi } from '#web/lib/api.ts'
import { ApiProblem } from '#web/lib/api-problem.ts'
import { type ImportsAddress, importPath, type RowFilter, readImportsAddress } from './imports-address.ts'

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
