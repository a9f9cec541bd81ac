import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { zoneOffset } from '#shared/local-time.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import templates from './workbook-parts.json' with { type: 'json' }

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * One column of a sheet. '', null and a date outside a spreadsheet's calendar give an empty cell or plain text, never a
 * number. Its width is in characters of the body font.
 */
export type Column<Row> = { header: string; width: number } & (
  | { kind: 'text'; value: (row: Row) => string }
  | { kind: 'number'; value: (row: Row) => number | null }
  | { kind: 'date'; value: (row: Row) => CalendarDate }
  | { kind: 'instant'; value: (row: Row) => Date | null }
)

export interface Sheet {
  name: string
  // The number of columns that the filter covers; 0 for a sheet without a filter.
  columnCount: number
  write: (timeZone: string, onEnd: (lastRow: number) => void) => AsyncIterable<string>
}

interface WorkbookOptions {
  title: string
  created: Date
  timeZone: string
}

/** The rows come in batches, or all at once. */
type Rows<Row> = AsyncIterable<readonly Row[]> | readonly Row[]

export function createSheet<Row>(name: string, columns: readonly Column<Row>[], rows: Rows<Row>): Sheet {
  return {
    name,
    columnCount: columns.length,
    write: (timeZone, onEnd) => sheetXml(columns, rows, timeZone, onEnd),
  }
}

export function writeWorkbook<Row>({
  sheetName,
  columns,
  rows,
  ...options
}: WorkbookOptions & { sheetName: string; columns: readonly Column<Row>[]; rows: Rows<Row> }): Readable {
  return writeSheets({ ...options, sheets: [createSheet(sheetName, columns, rows)] })
}

/**
 * Streams a workbook while its rows arrive, one sheet after the other: a few hundred kilobytes are in memory, and rows
 * are taken only as fast as the stream is read. Destroying the stream ends the rows; an error of the rows destroys the
 * stream, so a partial workbook is never complete.
 */
export function writeSheets(options: WorkbookOptions & { sheets: readonly Sheet[] }): Readable {
  const { sheets, timeZone, title, created } = options
  const zip = openZip(created)
  const texts = {
    title: xmlEscape(title),
    created: created.toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  const ofSheets = (part: Part, values: Values[] = []) =>
    sheets.map((_, index) => fill(part, { index, number: index + 1, ...values[index] })).join('')
  const addPart = (path: string, part: Part, values: Values = texts) =>
    zip.addText(path, declaration + fill(part, values))

  addPart('[Content_Types].xml', 'contentTypes', { sheets: ofSheets('sheetType') })
  addPart('_rels/.rels', 'packageRelations')
  addPart('docProps/core.xml', 'core')
  addPart('docProps/app.xml', 'app')
  addPart('xl/_rels/workbook.xml.rels', 'workbookRelations', { sheets: ofSheets('sheetRelation') })
  addPart('xl/styles.xml', 'styles')

  const listed: Values[] = []
  for (const [index, { name, columnCount, write }] of sheets.entries()) {
    const onEnd = (lastRow: number) => {
      // The zip takes one sheet after the other, so they end in their order.
      const range = `'${name.replaceAll("'", "''")}'!$A$1:$${columnLetters(columnCount - 1)}$${lastRow}`
      listed.push({ name: xmlEscape(name), range: columnCount === 0 ? '' : xmlEscape(range) })
      if (listed.length < sheets.length) return
      // Excel stores a filter's range under a name too, and older versions repair a file without it.
      const filters = listed
        .map(({ range = '' }, index) => (range === '' ? '' : fill('sheetFilter', { index, range })))
        .join('')
      const names = filters === '' ? '' : fill('filterNames', { filters })
      addPart('xl/workbook.xml', 'workbook', { sheets: ofSheets('listedSheet', listed), names })
      zip.end()
    }
    zip.addStream(`xl/worksheets/sheet${index + 1}.xml`, write(timeZone, onEnd))
  }
  return zip.output
}

/** A zip file that is written while it is read. An error of a part destroys it; destroying it ends the parts. */
export function openZip(mtime: Date) {
  const zip = new ZipFile()
  const output = new PassThrough()
  const streams: Readable[] = []
  // The stream's reader hears of an error through `output`; here nothing is left to do with it.
  pipeline(zip.outputStream, output, () => {
    for (const stream of streams) stream.destroy()
  })
  zip.on('error', (error) => output.destroy(error instanceof Error ? error : new Error('zip failed')))
  return {
    output,
    addText: (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime }),
    /** The parts are read one after the other. */
    addStream(path: string, chunks: AsyncIterable<string | Buffer>) {
      const stream = Readable.from(chunks, { objectMode: false })
      stream.on('error', (error) => output.destroy(error))
      zip.addReadStream(stream, path, { mtime, compressionLevel })
      streams.push(stream)
    },
    end: () => zip.end(),
  }
}

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

type Part = keyof typeof templates
type Values = Record<string, string | number>

export function fill(part: Part, values: Values): string {
  return templates[part].join('').replace(/\{(\w+)\}/g, (_place, name) => String(values[name]))
}

/** 0 → 'A', 25 → 'Z', 26 → 'AA'. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

// Excel's limits.
const sheetLimits = { rows: 1_048_576, cellCharacters: 32_767 } as const

// A third of the time of the usual 6, for files that are a ninth larger.
const compressionLevel = 2
// Chunks of this length make few calls, and their bytes need no new pages from the system.
const chunkLength = 32 * 1024

/**
 * The XML of a sheet in chunks. Texts are inline strings: they can never be formulas, and no table of shared strings
 * fills the memory.
 * @param onEnd gets the number of the last row, the header being row 1
 */
async function* sheetXml<Row>(
  columns: readonly Column<Row>[],
  rows: Rows<Row>,
  timeZone: string,
  onEnd: (lastRow: number) => void,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index))
  const cells = columns.map((column, index) => ({
    opening: `<c r="${letters[index]}`,
    write: cellWriter(column, timeZone),
  }))
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const heads = columns.map(
    ({ header }, index) =>
      `<c r="${letters[index]}1" s="${cellStyle.header}" t="inlineStr"><is><t>${cellText(header)}</t></is></c>`,
  )
  const opening = declaration + fill('sheetOpening', { widths: widths.join(''), heads: heads.join('') })
  const last = yield* rowsXml(opening, rows, 2, (row, number) => rowXml(cells, row, number))
  onEnd(last)
  // ZIP codes and phone numbers are text on purpose; Excel would mark each with a green corner.
  yield fill('sheetClosing', { range: `A1:${letters.at(-1)}${last}` })
}

/**
 * What opens a sheet, and its rows, in chunks.
 * @param first the number of the first row
 * @returns the number of the last one
 */
export async function* rowsXml<Row>(
  opening: string,
  rows: Rows<Row>,
  first: number,
  xmlOf: (row: Row, number: number) => string,
): AsyncGenerator<string, number> {
  let chunk = opening
  let number = first - 1
  for await (const batch of Symbol.asyncIterator in rows ? rows : [rows]) {
    for (const row of batch) {
      number += 1
      if (number > sheetLimits.rows) throw new RangeError('A sheet has no room for more rows.')
      chunk += xmlOf(row, number)
      if (chunk.length >= chunkLength) {
        yield chunk
        chunk = ''
      }
    }
  }
  yield chunk
  return number
}

function rowXml<Row>(
  cells: readonly { opening: string; write: (row: Row) => string }[],
  row: Row,
  rowNumber: number,
): string {
  let xml = `<row r="${rowNumber}">`
  for (const { opening, write } of cells) {
    const cell = write(row)
    if (cell !== '') xml += `${opening}${rowNumber}${cell}`
  }
  return `${xml}</row>`
}

function cellWriter<Row>(column: Column<Row>, timeZone: string): (row: Row) => string {
  switch (column.kind) {
    case 'text':
      return (row) => textCell(column.value(row))
    case 'number':
      return (row) => numberCell(column.value(row), cellStyle.general)
    case 'date':
      return (row) => {
        const date = column.value(row)
        return numberCell(serialDate(date), cellStyle.date) || textCell(date)
      }
    case 'instant':
      return (row) => {
        const instant = column.value(row)
        return instant ? numberCell(serialInstant(instant, timeZone), cellStyle.instant) : ''
      }
  }
}

/** Writes the rest of a cell's XML behind its address. */
export function numberCell(value: number | null, style: number): string {
  return value === null || !Number.isFinite(value) ? '' : `" s="${style}"><v>${value}</v></c>`
}

// Nearly every text is of characters that need nothing: one look instead of five.
const special = /[^ !#-%(-;=?-^`-~\u00a1-\u167f]|^ | $/

export function textCell(text: string, style: number = cellStyle.text): string {
  if (text === '') return ''
  if (text.length < sheetLimits.cellCharacters && !special.test(text)) {
    return `" s="${style}" t="inlineStr"><is><t>${text}</t></is></c>`
  }
  const limited = text.length > sheetLimits.cellCharacters ? text.slice(0, sheetLimits.cellCharacters) : text
  const space = /^\s|\s$|\n/.test(limited) ? ' xml:space="preserve"' : ''
  return `" s="${style}" t="inlineStr"><is><t${space}>${cellText(limited)}</t></is></c>`
}

// What XML 1.0 can't contain (control characters but tab and line feed, two non-characters), and the carriage
// return, which XML readers convert to a line feed. Office Open XML writes them as _xHHHH_ (ECMA-376,
// ST_Xstring), so a text that looks like such a code gets its underscore escaped.
const unwritable = /[^\P{Cc}\t\n\u007f-\u009f]|[\ufffe\uffff]|_(?=x[\dA-Fa-f]{4}_)/gu
// A lone surrogate would make the whole file unreadable.
const loneSurrogate = /[\ud800-\udfff]/gu

// Escapes every character that XML doesn't allow.
function cellText(text: string): string {
  return xmlEscape(text.replace(loneSurrogate, '\ufffd').replace(unwritable, escapeCode))
}

function escapeCode(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

const dayMs = 86_400_000
const epoch = Date.UTC(1899, 11, 30)
// 1 March 1900. Earlier days are off by one, because spreadsheets have a 29 February 1900.
const firstSafeDay = 61

/** The serial number of a calendar date; null when the date doesn't exist. */
export function serialDate(date: CalendarDate): number | null {
  const serial = (Date.parse(`${date}T00:00:00Z`) - epoch) / dayMs
  return serial >= firstSafeDay ? serial : null
}

/** The number of an instant as clocks in a time zone show it, to the second. */
function serialInstant(instant: Date, timeZone: string): number {
  const time = instant.getTime()
  return (time - (time % 1_000) + zoneOffset(time, timeZone) - epoch) / dayMs
}

// Indexes into the cell formats (`cellXfs`) of the styles. Number format 49 there is text: a phone number remains text
// when a user edits the cell. Text is aligned to the top, so that a cell with several lines reads with its row.
export const cellStyle = {
  general: 0,
  header: 1,
  text: 2,
  date: 3,
  instant: 4,
  // Styles of the papers whose form an agency gives.
  title: 5,
  head: 6,
  label: 7,
  count: 8,
  columnNumber: 9,
  line: 10,
  usDate: 11,
  shortDate: 12,
} as const
