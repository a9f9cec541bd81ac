import { xmlEscape } from '#server/lib/xml-escape.ts'
import {
  cellStyle,
  columnLetters,
  declaration,
  fill,
  numberCell,
  rowsXml,
  type Sheet,
  serialDate,
  textCell,
} from './workbook.ts'

type CellStyle = keyof typeof cellStyle

/** What is '' or no number is an empty cell, a date that doesn't exist a text; nothing is ever a formula. */
export interface Cell {
  text: string
  kind?: 'number' | 'date'
  style?: CellStyle
}

export interface PlacedCell extends Cell {
  // 'A2'
  at: string
  // The last cell, where the text covers several.
  to?: string
}

/** Cells of a row from column A on, and the column to which the first one reaches. */
export interface CellRow {
  cells: readonly Cell[]
  to?: string
  height?: number
}

/** A sheet whose form an agency gives. */
export interface SheetPlan {
  name: string
  // The width of each column in characters; 0 hides it.
  widths: Readonly<Record<string, number>>
  heights?: Readonly<Record<number, number>>
  isLandscape?: boolean
  // Cells above the rows, which begin below the last of them.
  cells: readonly PlacedCell[]
  // How many rows stay in sight.
  frozenRows?: number
  firstRow: number
  rows?: AsyncIterable<readonly CellRow[]>
  choices?: readonly { range: string; values: readonly string[] }[]
  dates?: readonly { range: string }[]
  colouredBlanks?: string
}

export function createLaidOutSheet(plan: SheetPlan): Sheet {
  return { name: plan.name, columnCount: 0, write: (_timeZone, onEnd) => planXml(plan, onEnd) }
}

async function* planXml(plan: SheetPlan, onEnd: (lastRow: number) => void): AsyncGenerator<string> {
  const { frozenRows = 0, widths, cells, firstRow } = plan
  const merges = cells.flatMap(({ at, to }) => (to === undefined ? [] : `${at}:${to}`))
  const pane = frozenRows === 0 ? '' : fill('laidOutPane', { rows: frozenRows, first: frozenRows + 1 })
  const opening = declaration + fill('laidOutOpening', { pane, widths: widthsXml(widths) })
  const last = yield* rowsXml(opening + placedXml(plan), plan.rows ?? [], firstRow, (row, number) => {
    if (row.to !== undefined) merges.push(`A${number}:${row.to}${number}`)
    const own = row.cells.map((cell, index) => cellXml(columnLetters(index), number, cell))
    return rowXml(number, own, row.height)
  })
  onEnd(last)
  yield closingXml(plan, merges, Math.max(last, 1))
}

function widthsXml(widths: SheetPlan['widths']): string {
  return Object.entries(widths)
    .map(([letters, width]) => {
      const index = columnIndex(letters)
      const hidden = width === 0 ? ' hidden="1"' : ''
      return `<col min="${index}" max="${index}" width="${width}"${hidden} customWidth="1"/>`
    })
    .join('')
}

/** 'A' → 1 */
function columnIndex(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

/** A cell that covers others has its border in each of them. */
function placedXml({ cells, heights = {} }: SheetPlan): string {
  const rows = new Map<number, { column: number; xml: string }[]>()
  for (const { at, to = at, ...cell } of cells) {
    const [from, end] = [placeOf(at), placeOf(to)]
    for (let column = from.column; column <= end.column; column++) {
      const own = column === from.column ? cell : { ...cell, text: '' }
      const row = rows.get(from.row) ?? []
      rows.set(from.row, [...row, { column, xml: cellXml(columnLetters(column - 1), from.row, own, true) }])
    }
  }
  return [...rows]
    .sort(([one], [other]) => one - other)
    .map(([row, own]) => {
      const inOrder = own.sort((one, other) => one.column - other.column)
      return rowXml(
        row,
        inOrder.map(({ xml }) => xml),
        heights[row],
      )
    })
    .join('')
}

function placeOf(at: string): { column: number; row: number } {
  const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(at) ?? []
  return { column: columnIndex(letters), row: Number(row) }
}

function rowXml(number: number, cells: readonly string[], height?: number): string {
  const own = height === undefined ? '' : ` ht="${height}" customHeight="1"`
  return `<row r="${number}"${own}>${cells.join('')}</row>`
}

/** @param isDrawn also where it is empty, for its border */
function cellXml(letters: string, row: number, { text, kind, style }: Cell, isDrawn = false): string {
  const opening = `<c r="${letters}${row}`
  if (text === '') return isDrawn && style ? `${opening}" s="${cellStyle[style]}"/>` : ''
  if (kind === 'number' && /^\d+(\.\d+)?$/.test(text)) {
    return opening + numberCell(Number(text), cellStyle[style ?? 'general'])
  }
  const date = kind === 'date' ? numberCell(serialDate(text), cellStyle[style ?? 'date']) : ''
  if (date !== '') return opening + date
  return opening + textCell(text, cellStyle[kind === undefined ? (style ?? 'text') : 'text'])
}

function closingXml(plan: SheetPlan, merges: readonly string[], lastRow: number): string {
  const { choices = [], dates = [], colouredBlanks, isLandscape = false, widths } = plan
  const rules = [
    ...choices.map(({ range, values }) => fill('choice', { range, values: xmlEscape(values.join(',')) })),
    // The rule accepts birth dates.
    ...dates.map(({ range }) => fill('dateRule', { range, from: serialDate('1920-01-01') ?? 0, to: 73_050 })),
  ]
  const merged = merges.map((range) => `<mergeCell ref="${range}"/>`).join('')
  const lastColumn = Object.keys(widths).at(-1) ?? 'A'
  return fill('laidOutClosing', {
    merges: merged === '' ? '' : `<mergeCells count="${merges.length}">${merged}</mergeCells>`,
    colours: colouredBlanks
      ? fill('colouredBlanks', { range: colouredBlanks, first: colouredBlanks.split(':')[0] ?? 'A1' })
      : '',
    validations:
      rules.length === 0
        ? ''
        : `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>`,
    orientation: isLandscape ? 'landscape' : 'portrait',
    ignored: fill('ignoredErrors', { range: `A1:${lastColumn}${lastRow}` }),
  })
}
