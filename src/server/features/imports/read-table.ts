import { openTable, type TextForm } from '#server/spreadsheet/reading/table-rows.ts'
import type { SheetLayout, TableRow, TableSheet } from '#server/spreadsheet/reading/workbook-rows.ts'
import type { ReadingChoices, ReadingNote } from '#shared/imports/import-response.ts'
import { mayBeBroken, repairedText } from './broken-letters.ts'
import { guessField, headerSearchRows, headersOf, minRecognized, wordsOf } from './column-guess.ts'
import { exportedRows, isJson } from './exported-rows.ts'
import { headingNotes, headingsOf } from './heading-notes.ts'
import { findHeadings, type Headings, isFilled, recognizedIn } from './headings.ts'
import { createLineCheck } from './line-check.ts'
import { type ReadSheet, type Seen, textNotes, writeNotes } from './reading-notes.ts'

/** Reads what a person sees who opens the file. */
export const usualReading: ReadingChoices = {
  sheets: 'one',
  sheet: null,
  hidden: false,
  others: false,
  headings: null,
  delimiter: null,
  encoding: null,
  swappedDates: [],
}

export interface ImportTable {
  /** Whether it tells a date from a text; null for the old system's export, whose values nobody wrote. */
  hasDates: boolean | null
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
  isShown: (row: TableRow) => boolean
  // The number of its last row, as rows are counted here.
  last: number
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
  const { sheets, text } = isExport ? jsonTable(file) : await openTable(file, choices)
  const opened = await openSheets(sheets, reading)
  const main = chooseMain(opened, reading)
  if (!main) return null
  const further =
    choices.sheets === 'all' ? opened.filter((one) => one !== main && one.known >= minRecognized) : []
  const taken = [main, ...further]
  for (const one of opened) if (!taken.includes(one)) await one.others.return(undefined)
  const seen: Seen = { hiddenRows: [], hiddenColumns: [], left: [], repaired: 0, example: null }
  const repair = createRepair(seen)
  const headings = isExport ? firstRow(main) : headingsOf(main.first, choices)
  const firstRows = main.first
  const names = shownCells([...headings.cells], main, choices).map(repair)
  const headers = headersOf(names, names.length)

  function begin(open: OpenSheet, offset: number) {
    const own = open === main ? headings : findHeadings(open.first)
    const ownNames = shownCells([...own.cells], open, choices)
    const places = open === main ? null : placesOf(ownNames, headers)
    const isOther = isExport ? () => false : createLineCheck(ownNames)
    open.from = offset + (open.first[own.last]?.number ?? 0) + 1
    open.first = open.first.slice(own.last + 1)
    return createRowTaker(open, { choices, seen, offset, isOther, repair, places })
  }

  return {
    hasDates: isExport ? null : text === null,
    headers: () => headers,
    rows: rowsOf(taken, begin),
    async notes() {
      if (isExport) return []
      seen.hiddenRows = taken.flatMap(({ hiddenRows }) => hiddenRows)
      seen.hiddenColumns = [...main.layout.hiddenColumns].filter((at) => isFilled(headings.cells[at]))
      return [
        ...writeNotes({ taken, rest: await countRest(sheets, taken), seen, choices }),
        ...headingNotes(firstRows, headings, choices),
        ...textNotes(text, choices),
      ]
    },
  }
}

/** All sheets share a generator: a further one in between costs as much as reading a row does. */
async function* rowsOf(
  sheets: readonly OpenSheet[],
  begin: (open: OpenSheet, offset: number) => (row: TableRow) => TableRow | null,
): AsyncGenerator<TableRow> {
  let offset = 0
  for (const open of sheets) {
    const take = begin(open, offset)
    for (const row of open.first) {
      const taken = take(row)
      if (taken) yield taken
    }
    for await (const row of open.others) {
      const taken = open.isShown(row) ? take(row) : null
      if (taken) yield taken
    }
    offset = open.last
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

/** Null for a row that is left out. */
function createRowTaker(
  open: OpenSheet,
  { choices, seen, offset, isOther, repair, places }: SheetReading,
): (row: TableRow) => TableRow | null {
  open.last = offset
  return (row) => {
    const number = offset + row.number
    const cells = shownCells(row.cells, open, choices)
    if (isOther(cells)) {
      seen.left.push({ number, text: cells.find(isFilled) ?? '' })
      if (!choices.others) return null
    }
    open.rows += 1
    open.last = number
    const repaired = cells.some(mayBeBroken) ? cells.map(repair) : cells
    return { number, cells: places ? moved(repaired, places) : repaired }
  }
}

const firstRow = ({ first }: OpenSheet): Headings => ({ first: 0, last: 0, cells: first[0]?.cells ?? [] })

/** Opens as many sheets as it takes to find the one to read. */
async function openSheets(sheets: readonly TableSheet[], reading: Reading): Promise<OpenSheet[]> {
  const { choices } = reading
  const visible = sheets.filter(({ isVisible }) => isVisible)
  const shown = visible.length > 0 ? visible : sheets.slice(0, 1)
  const opened: OpenSheet[] = []
  for (const [at, sheet] of sheets.entries()) {
    if (!choices.hidden && !shown.includes(sheet)) continue
    const open = await openSheet(sheet, at, choices)
    opened.push(open)
    const isWanted = isPreferred(sheet, reading) ?? open.known >= minRecognized
    if (choices.sheets === 'one' && isWanted) break
  }
  return opened
}

/** Undefined where no sheet is named. */
function isPreferred({ name }: Pick<TableSheet, 'name'>, { choices, preferred }: Reading) {
  return choices.sheet === null ? preferred?.test(name) : name === choices.sheet
}

function chooseMain(opened: readonly OpenSheet[], reading: Reading): OpenSheet | undefined {
  // A hidden sheet is read beside the others, not in their place.
  const filled = opened
    .filter(({ first }) => first.length > 0)
    .sort((one, other) => Number(other.isVisible) - Number(one.isVisible))
  const named = filled.find((one) => isPreferred(one, reading))
  const known = (least: number) => filled.find((one) => one.known >= least)
  return named ?? known(minRecognized) ?? known(1) ?? filled[0]
}

function jsonTable(file: Buffer): { sheets: TableSheet[]; text: TextForm | null } {
  return { sheets: [{ name: '', isVisible: true, rows: () => exportedRows(file) }], text: null }
}

async function openSheet(sheet: TableSheet, at: number, choices: ReadingChoices): Promise<OpenSheet> {
  const layout: SheetLayout = { hiddenColumns: new Set() }
  const hiddenRows: number[] = []
  const others = sheet.rows(layout)
  const isShown = ({ number, isHidden }: TableRow): boolean => {
    if (isHidden) hiddenRows.push(number)
    return choices.hidden || !isHidden
  }
  const first: TableRow[] = []
  while (first.length < headerSearchRows) {
    const { done, value } = await others.next()
    if (done) break
    if (isShown(value)) first.push(value)
  }
  const known = recognizedIn(findHeadings(first).cells)
  const { name, isVisible } = sheet
  return {
    sheet,
    name,
    isVisible,
    at,
    layout,
    first,
    others,
    hiddenRows,
    known,
    from: 0,
    rows: 0,
    last: 0,
    isShown,
  }
}

function shownCells(
  cells: string[],
  { layout: { hiddenColumns } }: OpenSheet,
  { hidden }: ReadingChoices,
): string[] {
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
    const meansTheSame = (other: string) =>
      wordsOf(other) === words || (field !== null && guessField(other) === field)
    const found = headers.findIndex((other, at) => !taken.has(at) && meansTheSame(other))
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
  for (const [at, sheet] of sheets.entries()) {
    if (taken.some((open) => open.sheet === sheet)) continue
    const rows = await countRows(sheet)
    // The row of headings isn't counted.
    if (rows > 1)
      rest.push({ name: sheet.name, isVisible: sheet.isVisible, at, rows: rows - 1, from: 0, known: 0 })
  }
  return rest
}

async function countRows(sheet: TableSheet): Promise<number> {
  let rows = 0
  try {
    for await (const _row of sheet.rows()) {
      rows += 1
      if (rows >= mostCounted) break
    }
  } catch {
    // What isn't read can't be refused.
  }
  return rows
}
