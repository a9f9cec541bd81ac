import { invalid } from '#server/lib/errors.ts'
import { type CleanedWorkbook, cleanWorkbook, type FirstRow } from '#server/spreadsheet/clean-workbook.ts'
import { refuseCompoundFile } from '#server/spreadsheet/reading/table-rows.ts'
import { columnOf, openWorkbook, type TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import { openParts, unreadable } from '#server/spreadsheet/reading/zip-parts.ts'
import { columnLetters } from '#server/spreadsheet/workbook.ts'
import { paperMessages } from '#shared/papers/papers.ts'
import type { UnknownHeadings } from '#shared/papers/papers-response.ts'
import type { BaseSheet, Layout, LayoutSheet, ValueName } from './layouts/layout.ts'
import { isRequired } from './values.ts'

type Workbook = Awaited<ReturnType<typeof openWorkbook>>

/** A column that somebody chose: of a sheet of the layout, its value, and the letters; '' for none. */
export interface ChosenColumn {
  sheet: number
  value: string
  column: string
}

type OwnWorkbook =
  | { unknown: UnknownHeadings[] }
  | (Pick<CleanedWorkbook, 'bytes' | 'removed'> & { headings: BaseSheet[] })

// The most bytes that are read of a workbook: three times what the form of CHED has.
const maxUnpacked = 96 * 1024 * 1024
// Rows of a sheet among which the headings are.
const searchedRows = 15

/**
 * Finds the sheets and columns of a layout in the office's own workbook.
 * @param variants of a layout: the first one's columns are needed, those that the others have besides are asked for
 * @returns headings that it lacks and nobody has chosen a column for; else the workbook without what goes
 * @throws AppError `invalid` where it isn't a workbook of this layout
 */
export async function readOwnWorkbook(
  file: Buffer,
  variants: readonly [Layout, ...Layout[]],
  chosen: readonly ChosenColumn[],
): Promise<OwnWorkbook> {
  refuseCompoundFile(file)
  const parts = await openParts(file, maxUnpacked)
  const workbook = await openWorkbook(parts)
  const found: (FoundSheet & Pick<BaseSheet, 'part' | 'titles'>)[] = []
  const unknown: UnknownHeadings[] = []
  const own = sheetsOf(variants[0], workbook)
  for (const [index, sheet] of variants[0].sheets.entries()) {
    const { name, part } = own[index] ?? { name: '', part: '' }
    const rows = await firstRows(workbook, part)
    mustHaveLabels(sheet, name, rows)
    const others = variants.slice(1).flatMap(({ sheets }) => sheets[index] ?? [])
    const match = matchList(
      sheet,
      others,
      name,
      rows,
      chosen.filter((one) => one.sheet === index),
    )
    found.push({ ...match, part, titles: titlesOf([sheet, ...others], match, rows) })
    if (match.missing.length > 0) {
      unknown.push({ sheet: index, name, columns: match.offered, missing: match.missing })
    }
  }
  const cleaned = await cleanWorkbook(parts, new Map(found.map(({ part, headRow }) => [part, headRow])))
  if (unknown.length > 0) return { unknown }
  const headings = found.map(({ part, headRow, titles, columns }) => ({
    part,
    headRow,
    titles,
    columns,
    ...looksOf(headRow === 0 ? undefined : cleaned.firstRows.get(part), columns, workbook),
  }))
  return { bytes: cleaned.bytes, removed: cleaned.removed, headings }
}

/** Finds each sheet by its name, else at its place. */
function sheetsOf({ sheets }: Layout, workbook: Workbook) {
  const named = sheets.map(({ name }) => workbook.sheets.find((own) => folded(own.name) === folded(name)))
  return sheets.map(({ name }, index) => {
    const atPlace = workbook.sheets[index]
    const sheet = named[index] ?? (named.includes(atPlace) ? undefined : atPlace)
    if (!sheet) throw unreadable(paperMessages.noSheet(name))
    return sheet
  })
}

async function firstRows({ rowsOf }: Workbook, part: string): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for await (const row of rowsOf(part)) {
    if (row.number > searchedRows) break
    rows.push(row)
  }
  return rows
}

/** Numbers of people are written into fixed cells, so what stands around them must be the same. */
function mustHaveLabels({ counts = [], cells }: LayoutSheet, name: string, rows: readonly TableRow[]): void {
  if (counts.length === 0) return
  const other = cells.find(({ at, text }) => !text.includes('{') && folded(textAt(at, rows)) !== folded(text))
  if (other) throw unreadable(paperMessages.otherLabel(name, other.at, other.text))
}

function textAt(at: string, rows: readonly TableRow[]): string {
  const row = rows.find(({ number }) => number === Number(/\d{1,7}$/.exec(at)?.[0]))
  return row?.cells[columnOf(at)] ?? ''
}

/** A list whose headings are in another row has its titles elsewhere too, so none is written. */
function titlesOf(
  [sheet, ...others]: readonly [LayoutSheet, ...LayoutSheet[]],
  { headRow }: FoundSheet,
  rows: readonly TableRow[],
): string[] {
  if (sheet.list && sheet.list.headRow !== headRow) return []
  const titles = [sheet, ...others].flatMap(({ cells }) => cells).filter(({ text }) => text.includes('{'))
  const own = titles.filter(({ at, text }) => isTitle(text, textAt(at, rows)))
  return [...new Set(own.map(({ at }) => at))]
}

/** Whether it is empty, or has the words of a title or another academic year. */
function isTitle(title: string, text: string): boolean {
  if (text.trim() === '') return true
  if (title.includes('{academicYear}') && /20\d\d\D{1,3}20\d\d/.test(text)) return true
  const words = title
    .split(/\{[\w:]+\}/)
    .map(folded)
    .filter(Boolean)
  return words.length > 0 && words.every((own) => folded(text).includes(own))
}

interface FoundSheet extends Pick<BaseSheet, 'headRow' | 'columns'> {
  offered: UnknownHeadings['columns']
  missing: UnknownHeadings['missing']
}

const noList: FoundSheet = { headRow: 0, columns: {}, offered: [], missing: [] }

/** The row with the most headings. What the layout leaves blank needs none. */
function matchList(
  { list }: LayoutSheet,
  others: readonly LayoutSheet[],
  name: string,
  rows: readonly TableRow[],
  chosen: readonly ChosenColumn[],
): FoundSheet {
  if (!list) return noList
  const needed = list.columns.map((column, index) => ({ ...column, index })).filter(isShown)
  const besides = others
    .flatMap((other) => other.list?.columns.map((column, index) => ({ ...column, index })) ?? [])
    .filter((column) => isShown(column) && !needed.some(({ value }) => value === column.value))
  const wanted = [...needed, ...besides]
  const findIn = ({ cells }: TableRow) => {
    const heads = cells.map(folded)
    return wanted.flatMap(({ value, head }) => {
      const index = heads.indexOf(folded(head))
      // The second of two with one heading is for the next value of that heading.
      if (index >= 0) heads[index] = ''
      return index < 0 ? [] : { value, index }
    })
  }
  const [best] = rows
    .map((row) => ({ row, matches: findIn(row) }))
    .sort((one, other) => other.matches.length - one.matches.length)
  // A title may be like one of the headings.
  if (!best || best.matches.length * 3 < needed.filter(({ value }) => isRequired(value)).length) {
    throw unreadable(
      paperMessages.noHeadings(
        name,
        needed.slice(0, 4).map(({ head }) => head),
      ),
    )
  }
  const columns: Partial<Record<ValueName, number | null>> = {}
  for (const { value, index } of best.matches) columns[value] = index
  for (const { value, column } of choicesOf(wanted, chosen)) {
    if (column !== '' && !best.row.cells[columnOf(column)]?.trim()) {
      throw invalid('columns', paperMessages.noColumn)
    }
    if (column !== '') columns[value] = columnOf(column)
    // A workbook that lacks a column of another variant serves the first variant only.
    else if (needed.some((one) => one.value === value)) columns[value] = null
  }
  const taken = Object.values(columns).filter((index) => index !== null)
  if (new Set(taken).size < taken.length) throw invalid('columns', paperMessages.columnTwice)
  const offered = best.row.cells.flatMap((head, index) => {
    const isFree = head.trim() !== '' && !taken.includes(index)
    return isFree ? { column: columnLetters(index), head } : []
  })
  const isAsked = ({ value }: { value: ValueName }) =>
    isRequired(value) && columns[value] === undefined && !chosen.some((one) => one.value === value)
  const missing = [...needed, ...(offered.length > 0 ? besides : [])]
    .filter(isAsked)
    .map(({ value, head, index }) => {
      const proposed = columnLetters(index)
      const isFree = offered.some(({ column }) => column === proposed)
      return { value, head, proposed: isFree ? proposed : '' }
    })
  return { headRow: best.row.number, columns, offered, missing }
}

const choicesOf = (wanted: readonly { value: ValueName }[], chosen: readonly ChosenColumn[]) =>
  wanted.flatMap(({ value }) => {
    const choice = chosen.find((one) => one.value === value)
    return choice ? { value, column: choice.column } : []
  })

const isShown = ({ value }: { value: ValueName }) => value !== 'blank'

/** How the cells of a row look, and which of them may hold a date as a number. */
function looksOf(
  first: FirstRow | undefined,
  columns: BaseSheet['columns'],
  { dateStyles, counts1904 }: Workbook,
): Pick<BaseSheet, 'styles' | 'dates' | 'height'> {
  if (!first) return { styles: [], dates: [] }
  const filled = Object.values(columns).filter((index) => index !== null)
  const width = Math.max(first.styles.length, ...filled.map((index) => index + 1))
  const styles = Array.from({ length: width }, (_none, index) => {
    const ofColumn = filled.includes(index) ? first.columnStyles[index] : undefined
    return first.styles[index] ?? ofColumn ?? 0
  })
  const dates = filled.filter((index) => !counts1904 && dateStyles.has(styles[index] ?? 0))
  return { styles, dates, ...(first.height !== undefined && { height: first.height }) }
}

/** Line breaks, blanks, capitals and punctuation make no other heading. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
