import {
  type ImportDetails,
  type ImportField,
  type ImportRow,
  type ImportSummary,
  importFields,
  updateKeys,
} from '#shared/imports/imports.ts'
import { guessColumns } from './guess-columns.ts'
import type { StoredImport } from './imports-repository.ts'
import type { StoredRow } from './rows-repository.ts'

const mostSamples = 3
const longestSample = 80
const identity = ['lastName', 'firstName', 'dateOfBirth', 'studentId', 'email', 'academicYear'] as const

export function presentSummary(row: StoredImport): ImportSummary {
  return {
    id: row.id,
    fileName: row.fileName,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    state: row.state,
    updateBy: row.updateBy,
    rowCount: row.rowCount,
    counts: {
      ready: row.readyCount,
      unchanged: row.unchangedCount,
      problem: row.problemCount,
      duplicate: row.duplicateCount,
      skipped: row.skippedCount,
    },
    importedCount: row.importedCount,
    importedAt: row.importedAt?.toISOString() ?? null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    hasRows: row.rowsDeletedAt === null,
  }
}

export function presentDetails(
  row: StoredImport,
  firstCells: readonly string[][],
  { changed, deleted }: { changed: number; deleted: number },
  choices: ImportDetails['choices'],
): ImportDetails {
  const guesses = guessColumns(row.headers)
  const total = row.state === 'checking' ? row.rowCount : row.readyCount
  return {
    ...presentSummary(row),
    columns: row.headers.map((header, index) => ({
      header,
      samples: samplesOf(firstCells, index),
      guess: guesses[index] ?? null,
    })),
    guessedDateOrder: row.guessedDateOrder,
    mapping: row.mapping,
    progress: row.state === 'checking' || row.state === 'importing' ? { done: row.progress, total } : null,
    failure: row.failure,
    changedSince: changed,
    deletedSince: deleted,
    choices,
  }
}

function samplesOf(firstCells: readonly string[][], index: number): string[] {
  const filled = firstCells.map((cells) => (cells[index] ?? '').trim()).filter((text) => text !== '')
  return [...new Set(filled)].slice(0, mostSamples).map((text) => text.slice(0, longestSample))
}

export function presentRow(
  { number, state, fields, problems, matches, changes }: StoredRow,
  record: ImportRow['record'] = null,
): ImportRow {
  const who: readonly ImportField[] = changes ? updateKeys : identity
  const others = [...problems, ...(changes ?? [])].map(({ path }) => path)
  const shown = new Set<ImportField>([...who, ...others])
  const values: ImportRow['values'] = {}
  for (const field of importFields) if (shown.has(field)) values[field] = fields[field] ?? ''
  if (fields.archived === 'Yes' || (!fields.archived && fields.archivedDate)) values.archived = 'Yes'
  return {
    number,
    state: state === 'unchecked' ? 'ready' : state,
    values,
    problems,
    matches,
    record,
    changes: changes ?? [],
  }
}
