import { AppError } from '#server/errors.ts'
import type { TableRow } from '#server/spreadsheet/reading/sheet-rows.ts'
import { tableRows } from '#server/spreadsheet/reading/table-rows.ts'
import { fileSentences, unreadable } from '#server/spreadsheet/reading/unreadable.ts'
import { type DateOrder, importSentences, maxImportRows } from '#shared/imports.ts'
import { findHeader, headerSearchRows, headersOf } from './find-header.ts'
import { guessColumns } from './guess-columns.ts'
import { exportedRows, isJson } from './json-export.ts'
import { createDateOrderGuess } from './read-date.ts'
import type { StagedRow } from './rows-repository.ts'

/** Rows written at a time, and characters: a batch is one text on its way to the database. */
const batchSize = 500
const batchCharacters = 2 * 1024 * 1024
/** All texts of a file. A workbook can name one long text in every cell, which unpacks to next to nothing. */
const maxCharacters = 128 * 1024 * 1024
/** Reading is broken off after this, in milliseconds; the largest honest file takes a tenth of it. */
const readingLimitMs = 60_000

export interface StagedFile {
  headers: string[]
  rowCount: number
  guessedDateOrder: DateOrder
}

/**
 * Passes a file's rows on in batches while they are read, and tells its headings.
 *
 * @throws AppError `invalid` or `too_big` for a file that can't be imported
 */
export async function stageFile(
  file: Buffer,
  stage: (rows: StagedRow[]) => Promise<void>,
): Promise<StagedFile> {
  const first: TableRow[] = []
  const reader = isJson(file) ? exportedRows(file) : tableRows(file)
  const end = Date.now() + readingLimitMs
  while (first.length < headerSearchRows) {
    const { done, value } = await reader.next()
    if (done) break
    first.push(value)
  }
  const header = first[findHeader(first)]
  if (!header) throw unreadable(fileSentences.empty)
  const table = gather(header.cells)
  let batch: StagedRow[] = []
  let characters = 0
  let written = 0
  for await (const row of rest(first.slice(first.indexOf(header) + 1), reader)) {
    batch.push(table.take(row))
    characters += lengthOf(row)
    if (batch.length < batchSize && characters - written < batchCharacters) continue
    if (Date.now() > end || characters > maxCharacters) throw unreadable(fileSentences.tooLarge)
    await stage(batch)
    batch = []
    written = characters
  }
  if (table.count() === 0) throw unreadable(fileSentences.empty)
  if (batch.length > 0) await stage(batch)
  return table.describe()
}

function lengthOf({ cells }: TableRow): number {
  return cells.reduce((sum, cell) => sum + cell.length, 0)
}

async function* rest(first: readonly TableRow[], reader: AsyncGenerator<TableRow>): AsyncGenerator<TableRow> {
  yield* first
  yield* reader
}

/** What is learnt from the rows as they pass. */
function gather(heading: readonly string[]) {
  const dates = createDateOrderGuess()
  const guesses = guessColumns(headersOf(heading, heading.length))
  const dateColumns = guesses.flatMap((field, index) =>
    field === 'dateOfBirth' || field === 'registrationDate' || field === 'archivedDate' ? [index] : [],
  )
  let width = heading.length
  let count = 0
  let lastNumber = 0
  return {
    take({ number, cells }: TableRow): StagedRow {
      count += 1
      if (count > maxImportRows) {
        throw new AppError('too_big', { detail: importSentences.tooManyRows })
      }
      width = Math.max(width, cells.length)
      for (const column of dateColumns) dates.see(cells[column] ?? '')
      // A file may number its rows wrongly; here each number is one row.
      lastNumber = Math.max(lastNumber + 1, Math.min(number, 2_000_000_000 - maxImportRows + count))
      return { number: lastNumber, cells: cells.map(storable) }
    },
    count: () => count,
    describe: (): StagedFile => ({
      headers: headersOf(heading.map(storable), width),
      rowCount: count,
      guessedDateOrder: dates.order(),
    }),
  }
}

/** PostgreSQL has no NUL and no halves of characters. Another control character in its place is refused later. */
function storable(text: string): string {
  return text.replace(/\0/g, '\u0001').replace(/[\ud800-\udfff]/gu, '\ufffd')
}
