import type { Column } from '#server/spreadsheet/column.ts'
import { columnLetters } from '#server/spreadsheet/column.ts'
import { type ImportMatch, importFieldLabel } from '#shared/imports/imports.ts'
import type { StoredImport } from './imports-repository.ts'
import { columnsByField } from './row-fields.ts'
import type { RowsRepository, StoredRow } from './rows-repository.ts'

// The heading names no field, so a corrected file can be imported as it is.
const problemHeader = 'Problem'
const batchSize = 500
const waysInWords = {
  name: 'name and date of birth',
  studentId: 'student ID',
  email: 'email',
  record: 'record',
} as const

export function refusedColumns({ headers, mapping }: StoredImport): Column<StoredRow>[] {
  const columns = mapping ? columnsByField(mapping) : new Map()
  const fieldOf = new Map([...columns].map(([field, index]) => [index, field]))
  const own = headers.map((header, index): Column<StoredRow> => {
    const field = fieldOf.get(index)
    return {
      header: header || `Column ${columnLetters(index)}`,
      width: 20,
      kind: 'text',
      value: ({ cells, edits }) => (field && edits[field]) ?? cells[index] ?? '',
    }
  })
  // A file that comes back has the column of the time before.
  const kept = own.filter(({ header }) => header !== problemHeader)
  return [...kept, { header: problemHeader, width: 60, kind: 'text', value: problemText }]
}

function problemText({ state, problems, matches }: StoredRow): string {
  const sentences = problems.map(({ path, message }) => `${importFieldLabel(path)}: ${message}`)
  if (state === 'skipped') sentences.unshift('Skipped.')
  sentences.push(...matches.map(matchSentence))
  return sentences.join(' ')
}

export function matchSentence({ by, reference, row }: ImportMatch): string {
  const same = by.map((way) => waysInWords[way]).join(' and ')
  return `The same ${same} as ${reference ?? `row ${row}`}.`
}

export async function* refusedRows(rows: RowsRepository, id: string): AsyncGenerator<StoredRow> {
  for (let last = 0; ; ) {
    const batch = await rows.refusedAfter(id, last, batchSize)
    if (batch.length === 0) return
    yield* batch
    last = batch.at(-1)?.number ?? last
  }
}

export function refusedFileName({ fileName }: Pick<StoredImport, 'fileName'>): string {
  const name = fileName.replace(/\.(xlsx|csv|txt|tsv|json)$/i, '').replace(/( - not imported)+$/, '')
  return `${name} - not imported.xlsx`
}
