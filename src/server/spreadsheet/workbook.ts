import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { zoneOffset } from '#shared/local-time.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { type Column, columnLetters } from './column.ts'
import * as parts from './workbook-parts.ts'
import { cellStyle } from './workbook-parts.ts'

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface Sheet {
  name: string
  columnCount: number
  write: (timeZone: string, onEnd: (lastRow: number) => void) => AsyncIterable<string>
}

interface WorkbookSheets extends parts.WorkbookProperties {
  sheets: readonly Sheet[]
  timeZone: string
}

interface WorkbookOptions<Row> extends parts.WorkbookProperties {
  sheetName: string
  columns: readonly Column<Row>[]
  rows: AsyncIterable<Row>
  timeZone: string
}

export function createSheet<Row>(
  name: string,
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
): Sheet {
  return {
    name,
    columnCount: columns.length,
    write: (timeZone, onEnd) => sheetXml(columns, rows, timeZone, onEnd),
  }
}

export function writeWorkbook<Row>({ sheetName, columns, rows, ...rest }: WorkbookOptions<Row>): Readable {
  return writeSheets({ ...rest, sheets: [createSheet(sheetName, columns, rows)] })
}

/**
 * Streams a workbook while its rows arrive, one sheet after the other: a few hundred kilobytes are in memory, and rows
 * are taken only as fast as the stream is read. Destroying the stream ends the rows; an error of the rows destroys the
 * stream, so a partial workbook is never complete.
 */
export function writeSheets({ sheets, timeZone, ...properties }: WorkbookSheets): Readable {
  const zip = new ZipFile()
  const mtime = properties.created
  const addText = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime })
  const output = new PassThrough()

  addText('[Content_Types].xml', parts.contentTypes(sheets.length))
  addText('_rels/.rels', parts.packageRelations)
  addText('docProps/core.xml', parts.coreProperties(properties))
  addText('docProps/app.xml', parts.appProperties(properties))
  addText('xl/_rels/workbook.xml.rels', parts.workbookRelations(sheets.length))
  addText('xl/styles.xml', parts.styles)

  const listed: parts.ListedSheet[] = []
  const streams = sheets.map(({ name, columnCount, write }, index) => {
    const onEnd = (lastRow: number) => {
      // The zip takes one sheet after the other, so they end in their order.
      listed.push({ name, filterRange: `$A$1:$${columnLetters(columnCount - 1)}$${lastRow}` })
      if (listed.length < sheets.length) return
      addText('xl/workbook.xml', parts.workbook(listed))
      zip.end()
    }
    const stream = Readable.from(write(timeZone, onEnd), { objectMode: false })
    stream.on('error', (error) => output.destroy(error))
    zip.addReadStream(stream, parts.sheetPath(index), { mtime })
    return stream
  })

  // The stream's reader hears of an error through `output`; here nothing is left to do with it.
  pipeline(zip.outputStream, output, () => {
    for (const stream of streams) stream.destroy()
  })
  zip.on('error', (error) => output.destroy(error instanceof Error ? error : new Error('zip failed')))
  return output
}

// Excel's limits.
const sheetLimits = { rows: 1_048_576, cellCharacters: 32_767 } as const

// In characters: few calls, and no long pause in between.
const chunkLength = 64 * 1024

type CellWriter<Row> = (row: Row) => string

/**
 * The XML of a sheet in chunks. Texts are inline strings: they can never be formulas, and no table of shared strings
 * fills the memory.
 * @param onEnd gets the number of the last row, the header being row 1
 */
async function* sheetXml<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  timeZone: string,
  onEnd: (lastRow: number) => void,
): AsyncGenerator<string> {
  const writers = columns.map((column) => cellWriter(column, timeZone))
  const letters = columns.map((_, index) => columnLetters(index))
  let chunk = opening(columns)
  let rowNumber = 1
  for await (const row of rows) {
    rowNumber += 1
    if (rowNumber > sheetLimits.rows) throw new RangeError('A sheet has no room for more rows.')
    chunk += rowXml(row, rowNumber, writers, letters)
    if (chunk.length >= chunkLength) {
      yield chunk
      chunk = ''
    }
  }
  onEnd(rowNumber)
  yield chunk + closing(`A1:${letters.at(-1)}${rowNumber}`)
}

function opening<Row>(columns: readonly Column<Row>[]): string {
  const widths = columns.map(
    ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const heads = columns.map(
    ({ header }, index) =>
      `<c r="${columnLetters(index)}1" s="${cellStyle.header}" t="inlineStr"><is><t>${cellText(header)}</t></is></c>`,
  )
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0">' +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/></sheetView></sheetViews>' +
    `<sheetFormatPr defaultRowHeight="15"/><cols>${widths.join('')}</cols>` +
    `<sheetData><row r="1">${heads.join('')}</row>`
  )
}

function closing(range: string): string {
  return (
    `</sheetData><autoFilter ref="${range}"/>` +
    // ZIP codes and phone numbers are text on purpose; without this Excel marks each with a green corner.
    `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
  )
}

function rowXml<Row>(
  row: Row,
  rowNumber: number,
  writers: readonly CellWriter<Row>[],
  letters: readonly string[],
): string {
  let xml = `<row r="${rowNumber}">`
  for (const [index, write] of writers.entries()) {
    const cell = write(row)
    if (cell !== '') xml += `<c r="${letters[index]}${rowNumber}"${cell}</c>`
  }
  return `${xml}</row>`
}

function cellWriter<Row>(column: Column<Row>, timeZone: string): CellWriter<Row> {
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

function numberCell(value: number | null, style: number): string {
  return value === null || !Number.isFinite(value) ? '' : ` s="${style}"><v>${value}</v>`
}

function textCell(text: string): string {
  if (text === '') return ''
  const limited = text.length > sheetLimits.cellCharacters ? text.slice(0, sheetLimits.cellCharacters) : text
  const space = /^\s|\s$|\n/.test(limited) ? ' xml:space="preserve"' : ''
  return ` s="${cellStyle.text}" t="inlineStr"><is><t${space}>${cellText(limited)}</t></is>`
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
function serialDate(date: CalendarDate): number | null {
  const serial = (Date.parse(`${date}T00:00:00Z`) - epoch) / dayMs
  return serial >= firstSafeDay ? serial : null
}

/** The number of an instant as clocks in a time zone show it, to the second. */
function serialInstant(instant: Date, timeZone: string): number {
  const time = instant.getTime()
  return (time - (time % 1_000) + zoneOffset(time, timeZone) - epoch) / dayMs
}
