import { openTable, type TextForm } from '#server/spreadsheet/reading/table-rows.ts'
import type { SheetLayout, TableRow, TableSheet } from '#server/spreadsheet/reading/workbook-rows.ts'
import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import { repairedText } from './broken-letters.ts'
import { guessField, headerSearchRows, headersOf, minRecognized, wordsOf } from './column-guess.ts'
import { exportedRows, isJson } from './exported-rows.ts'
import { numbersText, type ReadSheet, type Seen, textNotes, writeNotes } from './reading-notes.ts'
import { createLineCheck, findHeadings, type Headings, isFilled, recognizedIn } from './table-layout.ts'

/** Reads what a person sees who opens the file. */
export const usualReading: ReadingChoices = { sheets: 'one', hidden: false, others: false }

export interface ImportTable {
  /** Complete when all rows were read: a further sheet may have further columns. */
  headers: () => string[]
  rows: AsyncGenerator<TableRow>
  notes: () => Promise<ReadingNote[]>
}

interface OpenSheet extends ReadSheet {
  sheet: TableSheet
  layout: SheetLayout
  first: TableRow[]
  others: AsyncGenerator<TableRow>
  hiddenRows: number[]
}

interface Reading {
  choices: ReadingChoices
  /** The sheet to read, where there is one. */
  preferred?: RegExp | undefined
}

/** @returns null without a row. @throws AppError `invalid` for a file that is no table */
export async function readTable(file: Buffer, reading: Reading): Promise<ImportTable | null> {
  const { choices } = reading
  const isExport = isJson(file)
  const { sheets, text } = isExport ? jsonTable(file) : await openTable(file)
  const opened = await openSheets(sheets, reading)
  const main = chooseMain(opened, reading)
  if (!main) return null
  const further =
    choices.sheets === 'all' ? opened.filter((one) => one !== main && one.known >= minRecognized) : []
  const taken = [main, ...further]
  for (const one of opened) if (!taken.includes(one)) await one.others.return(undefined)
  const seen: Seen = { hiddenRows: [], hiddenColumns: [], left: [], repaired: 0, example: null }
  const repair = createRepair(seen)
  const headings = isExport ? firstRow(main) : findHeadings(main.first)
  const names = shownCells(headings.cells, main, choices).map(repair)
  const headers = headersOf(names, names.length)

  async function* rows(): AsyncGenerator<TableRow> {
    let offset = 0
    for (const open of taken) {
      const own = open === main ? headings : findHeadings(open.first)
      const ownNames = shownCells(own.cells, open, choices)
      const places = open === main ? null : placesOf(ownNames, headers)
      const isOther = isExport ? () => false : createLineCheck(ownNames)
      open.from = offset + (open.first[own.last]?.number ?? 0) + 1
      offset = yield* sheetRows(open, own, { choices, seen, offset, isOther, repair, places })
    }
  }

  return {
    headers: () => headers,
    rows: rows(),
    async notes() {
      if (isExport) return []
      seen.hiddenRows = taken.flatMap(({ hiddenRows }) => hiddenRows)
      seen.hiddenColumns = [...main.layout.hiddenColumns].filter((at) => isFilled(headings.cells[at]))
      return [
        ...writeNotes({ taken, rest: await countRest(sheets, taken), seen, choices }),
        ...headingNotes(main.first, headings),
        ...textNotes(text),
      ]
    },
  }
}

interface SheetReading {
  choices: ReadingChoices
  seen: Seen
  /** The number of rows in all earlier sheets. */
  offset: number
  isOther: (cells: readonly string[]) => boolean
  repair: (cell: string) => string
  places: readonly number[] | null
}

/** @returns the number of the last row */
async function* sheetRows(
  open: OpenSheet,
  { last: heading }: Headings,
  { choices, seen, offset, isOther, repair, places }: SheetReading,
): AsyncGenerator<TableRow, number> {
  let last = offset
  for await (const row of following(open.first.slice(heading + 1), open.others)) {
    const number = offset + row.number
    const cells = shownCells(row.cells, open, choices)
    if (isOther(cells)) {
      seen.left.push({ number, text: cells.find(isFilled) ?? '' })
      if (!choices.others) continue
    }
    open.rows += 1
    last = number
    const repaired = cells.map(repair)
    yield { number, cells: places ? moved(repaired, places) : repaired }
  }
  return last
}

const firstRow = ({ first }: OpenSheet): Headings => ({ first: 0, last: 0, cells: first[0]?.cells ?? [] })

/** Opens as many sheets as it takes to find the one to read. */
async function openSheets(
  sheets: readonly TableSheet[],
  { choices, preferred }: Reading,
): Promise<OpenSheet[]> {
  const visible = sheets.filter(({ isVisible }) => isVisible)
  const shown = visible.length > 0 ? visible : sheets.slice(0, 1)
  const opened: OpenSheet[] = []
  for (const sheet of choices.hidden ? sheets : shown) {
    const open = await openSheet(sheet, choices)
    opened.push(open)
    const isWanted = preferred ? preferred.test(sheet.name) : open.known >= minRecognized
    if (choices.sheets === 'one' && isWanted) break
  }
  return opened
}

function chooseMain(opened: readonly OpenSheet[], { preferred }: Reading): OpenSheet | undefined {
  // A hidden sheet is read beside the others, not in their place.
  const filled = opened
    .filter(({ first }) => first.length > 0)
    .sort((one, other) => Number(other.isVisible) - Number(one.isVisible))
  const named = preferred && filled.find(({ name }) => preferred.test(name))
  return named ?? filled.find(({ known }) => known >= minRecognized) ?? filled[0]
}

function jsonTable(file: Buffer): { sheets: TableSheet[]; text: TextForm | null } {
  return { sheets: [{ name: '', isVisible: true, rows: () => exportedRows(file) }], text: null }
}

async function openSheet(sheet: TableSheet, choices: ReadingChoices): Promise<OpenSheet> {
  const layout: SheetLayout = { hiddenColumns: new Set() }
  const hiddenRows: number[] = []
  const others = shownRows(sheet.rows(layout), choices, hiddenRows)
  const first: TableRow[] = []
  while (first.length < headerSearchRows) {
    const { done, value } = await others.next()
    if (done) break
    first.push(value)
  }
  const known = recognizedIn(findHeadings(first).cells)
  const { name, isVisible } = sheet
  return { sheet, name, isVisible, layout, first, others, hiddenRows, known, from: 0, rows: 0 }
}

async function* shownRows(
  rows: AsyncGenerator<TableRow>,
  { hidden }: ReadingChoices,
  hiddenRows: number[],
): AsyncGenerator<TableRow> {
  for await (const row of rows) {
    if (row.isHidden) hiddenRows.push(row.number)
    if (hidden || !row.isHidden) yield row
  }
}

async function* following(first: readonly TableRow[], others: AsyncGenerator<TableRow>) {
  yield* first
  yield* others
}

function shownCells(
  cells: readonly string[],
  { layout: { hiddenColumns } }: OpenSheet,
  { hidden }: ReadingChoices,
): readonly string[] {
  return hidden || hiddenColumns.size === 0 ? cells : cells.filter((_cell, at) => !hiddenColumns.has(at))
}

function createRepair(seen: Seen) {
  return (cell: string): string => {
    const text = repairedText(cell)
    if (text === cell) return cell
    seen.repaired += 1
    seen.example ??= { before: cell, after: text }
    return text
  }
}

/** Maps the columns of a further sheet to those of the first. Columns that the first one lacks come behind. */
function placesOf(names: readonly string[], headers: string[]): number[] {
  const taken = new Set<number>()
  return names.map((name) => {
    const [words, field] = [wordsOf(name), guessField(name)]
    const isSame = (other: string) =>
      wordsOf(other) === words || (field !== null && guessField(other) === field)
    const found = headers.findIndex((other, at) => !taken.has(at) && isSame(other))
    const place = found >= 0 ? found : headers.push(name.replace(/\s+/g, ' ').trim()) - 1
    taken.add(place)
    return place
  })
}

function moved(cells: readonly string[], places: readonly number[]): string[] {
  const own: string[] = []
  for (const [at, cell] of cells.entries()) {
    const place = places[at]
    if (place === undefined) continue
    while (own.length < place) own.push('')
    own[place] = cell
  }
  return own
}

// A large workbook isn't read to its end for a number.
const mostCounted = 5_000

/** The sheets that weren't read, as far as they have rows. */
async function countRest(sheets: readonly TableSheet[], taken: readonly OpenSheet[]): Promise<ReadSheet[]> {
  const rest: ReadSheet[] = []
  for (const sheet of sheets.filter((one) => taken.every((open) => open.sheet !== one))) {
    let rows = 0
    try {
      for await (const _row of sheet.rows()) {
        rows += 1
        if (rows >= mostCounted) break
      }
    } catch {
      // What isn't read can't be refused.
    }
    // The row of headings isn't counted.
    if (rows > 1)
      rest.push({ name: sheet.name, isVisible: sheet.isVisible, rows: rows - 1, from: 0, known: 0 })
  }
  return rest
}

function headingNotes(rows: readonly TableRow[], { first, last }: Headings): ReadingNote[] {
  const notes: ReadingNote[] = []
  const titles = rows.slice(0, first).map(({ number }) => number)
  if (titles.length > 0)
    notes.push({ text: `Above the headings, left out: ${numbersText(titles)}.`, press: null })
  const [upper, lower] = [rows[first], rows[last]]
  if (upper && lower && first !== last)
    notes.push({ text: `Headings of rows ${upper.number} and ${lower.number} are joined.`, press: null })
  return notes
}
