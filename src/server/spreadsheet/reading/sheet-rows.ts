import { attribute, fileSentences, unescapeText, unreadable, type XmlListener } from './xml-scanner.ts'

export interface TableRow {
  // From 1, as the spreadsheet program counts.
  number: number
  // '' for an empty cell; trailing ones are omitted.
  cells: string[]
}

export const maxColumns = 200
// Excel's own limit for the text of a cell.
const maxCellLength = 32_767
// Every character may be written as _xHHHH_.
const longestXmlText = 7 * maxCellLength
const dayMs = 24 * 60 * 60 * 1000
// The day before 1 January 1900, less the 29 February 1900 that spreadsheets invented.
const epoch = Date.UTC(1899, 11, 30)
const epoch1904 = Date.UTC(1904, 0, 1)
// 31 December 9999, the last day of a spreadsheet's calendar.
const lastSerial = 2_958_465

interface SheetParts {
  strings: readonly string[]
  dateStyles: ReadonlySet<number>
  counts1904: boolean
}

/** Reads the rows of a sheet's XML; `take` returns and removes the complete ones. */
export function createRowsListener(parts: SheetParts): XmlListener & { take: () => TableRow[] } {
  let rows: TableRow[] = []
  let row: TableRow = { number: 0, cells: [] }
  let column = -1
  let type = ''
  let style = 0
  let value = ''
  let inline = ''
  let into: 'value' | 'inline' | null = null
  let isInAid = false

  function openCell(attributes: string) {
    const reference = attribute(attributes, 'r')
    column = reference === undefined ? column + 1 : columnOf(reference)
    type = attribute(attributes, 't') ?? 'n'
    style = Number(attribute(attributes, 's') ?? 0)
    value = ''
    inline = ''
  }

  function closeCell() {
    const text = cellText({ type, style, value, inline }, parts)
    if (text === '') return
    if (text.length > maxCellLength) throw unreadable(fileSentences.tooLarge)
    if (column >= maxColumns) throw unreadable(fileSentences.tooManyColumns(maxColumns))
    while (row.cells.length < column) row.cells.push('')
    row.cells[column] = text
  }

  return {
    take() {
      const complete = rows
      rows = []
      return complete
    },
    open(name, attributes) {
      if (name === 'c') openCell(attributes)
      else if (name === 'v') into = 'value'
      else if (name === 't') into = 'inline'
      else if (name === 'rPh') isInAid = true
      else if (name === 'row') {
        const number = Number(attribute(attributes, 'r') ?? row.number + 1)
        row = { number: Number.isSafeInteger(number) ? number : row.number + 1, cells: [] }
        column = -1
      }
    },
    close(name) {
      if (name === 'c') closeCell()
      else if (name === 'v' || name === 't') into = null
      else if (name === 'rPh') isInAid = false
      else if (name === 'row' && row.cells.some((cell) => cell.trim() !== '')) rows.push(row)
    },
    text(part) {
      if (into === null || (into === 'inline' && isInAid)) return
      // Comments can split a text into any number of parts.
      if (value.length + inline.length > longestXmlText) throw unreadable(fileSentences.tooLarge)
      if (into === 'value') value += part
      else inline += part
    },
  }
}

interface CellParts {
  type: string
  style: number
  value: string
  inline: string
}

function cellText({ type, style, value, inline }: CellParts, parts: SheetParts): string {
  switch (type) {
    case 's':
      return value === '' ? '' : (parts.strings[Number(value)] ?? '')
    case 'inlineStr':
      return unescapeText(inline)
    case 'str':
      return unescapeText(value)
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'd':
      return value
        .replace('T', ' ')
        .replace(/\.\d+Z?$|Z$/, '')
        .replace(/ 00:00:00$/, '')
    case 'n':
      return numberText(value, parts.dateStyles.has(style), parts.counts1904)
    default:
      // An error such as #N/A means that there is no value.
      return ''
  }
}

function numberText(value: string, isDate: boolean, counts1904: boolean): string {
  const number = Number(value)
  if (value === '' || Number.isNaN(number)) return ''
  if (isDate && number >= 1 && number <= lastSerial) return dateText(number, counts1904)
  return String(number)
}

/** YYYY-MM-DD, followed by the time of day when there is one. */
function dateText(serial: number, counts1904: boolean): string {
  // Fractions of a day are inexact; no clock here shows less than a second.
  const milliseconds = Math.round(serial * 86_400) * 1_000
  // Before March 1900 spreadsheets are off by the day they invented.
  const base = counts1904 ? epoch1904 : serial < 60 ? epoch + dayMs : epoch
  const [date = '', time = ''] = new Date(base + milliseconds).toISOString().split('T')
  const clock = time.slice(0, 8)
  return clock === '00:00:00' ? date : `${date} ${clock}`
}

/** 'A1' → 0, 'AB12' → 27. */
function columnOf(reference: string): number {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0] ?? ''
  let index = 0
  for (const letter of letters) index = index * 26 + letter.charCodeAt(0) - 64
  return index - 1
}
