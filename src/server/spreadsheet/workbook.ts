import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { xmlEscape } from '#server/lib/xml-escape.ts'
import { zoneOffset } from '#shared/local-time.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { type Column, columnLetters } from './column.ts'

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface Sheet {
  name: string
  columnCount: number
  write: (timeZone: string, onEnd: (lastRow: number) => void) => AsyncIterable<string>
}

interface WorkbookSheets extends WorkbookProperties {
  sheets: readonly Sheet[]
  timeZone: string
}

interface WorkbookOptions<Row> extends WorkbookProperties {
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

  addText('[Content_Types].xml', contentTypes(sheets.length))
  addText('_rels/.rels', packageRelations)
  addText('docProps/core.xml', coreProperties(properties))
  addText('docProps/app.xml', appProperties(properties))
  addText('xl/_rels/workbook.xml.rels', workbookRelations(sheets.length))
  addText('xl/styles.xml', styles)

  const listed: ListedSheet[] = []
  const streams = sheets.map(({ name, columnCount, write }, index) => {
    const onEnd = (lastRow: number) => {
      // The zip takes one sheet after the other, so they end in their order.
      listed.push({ name, filterRange: `$A$1:$${columnLetters(columnCount - 1)}$${lastRow}` })
      if (listed.length < sheets.length) return
      addText('xl/workbook.xml', workbookXml(listed))
      zip.end()
    }
    const stream = Readable.from(write(timeZone, onEnd), { objectMode: false })
    stream.on('error', (error) => output.destroy(error))
    zip.addReadStream(stream, sheetPath(index), { mtime })
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

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const packageUri = 'http://schemas.openxmlformats.org/package/2006'
const documentUri = 'http://schemas.openxmlformats.org/officeDocument/2006'

// Indexes into the cell formats (`cellXfs`) of `styles` below.
const cellStyle = { general: 0, header: 1, text: 2, date: 3, instant: 4 } as const

function sheetPath(index: number): string {
  return `xl/worksheets/sheet${index + 1}.xml`
}

interface WorkbookProperties {
  title: string
  creator: string
  created: Date
}

function each(sheetCount: number, write: (index: number) => string): string {
  return Array.from({ length: sheetCount }, (_, index) => write(index)).join('')
}

function contentTypes(sheetCount: number): string {
  return (
    `${declaration}<Types xmlns="${packageUri}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
    each(
      sheetCount,
      (index) =>
        `<Override PartName="/${sheetPath(index)}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
    ) +
    '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
    '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
    '<Override PartName="/docProps/app.xml" ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/>' +
    '</Types>'
  )
}

const packageRelations =
  `${declaration}<Relationships xmlns="${packageUri}/relationships">` +
  `<Relationship Id="rId1" Type="${documentUri}/relationships/officeDocument" Target="xl/workbook.xml"/>` +
  `<Relationship Id="rId2" Type="${packageUri}/relationships/metadata/core-properties" Target="docProps/core.xml"/>` +
  `<Relationship Id="rId3" Type="${documentUri}/relationships/extended-properties" Target="docProps/app.xml"/>` +
  '</Relationships>'

function workbookRelations(sheetCount: number): string {
  return (
    `${declaration}<Relationships xmlns="${packageUri}/relationships">` +
    each(
      sheetCount,
      (index) =>
        `<Relationship Id="rId${index + 1}" Type="${documentUri}/relationships/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
    ) +
    `<Relationship Id="rId${sheetCount + 1}" Type="${documentUri}/relationships/styles" Target="styles.xml"/>` +
    '</Relationships>'
  )
}

// 49 is the built-in text format ("@"): a phone number or code remains text when a user edits the cell.
// Text is aligned to the top so that a cell with several lines reads with its row.
const styles =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>' +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE3EEE7"/><bgColor indexed="64"/></patternFill></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="2" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top"/></xf>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '</cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>'

/** A sheet as the workbook lists it: its name, and the range of its auto filter, such as $A$1:$C$9. */
interface ListedSheet {
  name: string
  filterRange: string
}

function workbookXml(sheets: readonly ListedSheet[]): string {
  const list = sheets.map(
    ({ name }, index) => `<sheet name="${xmlEscape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  )
  // Excel stores a filter's range under this name too, and older versions repair a file without it.
  const names = sheets.map(({ name, filterRange }, index) => {
    const quoted = `'${name.replaceAll("'", "''")}'`
    return (
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">` +
      `${xmlEscape(`${quoted}!${filterRange}`)}</definedName>`
    )
  })
  return (
    `${declaration}<workbook xmlns="${main}" xmlns:r="${documentUri}/relationships">` +
    `<sheets>${list.join('')}</sheets><definedNames>${names.join('')}</definedNames></workbook>`
  )
}

function coreProperties({ title, creator, created }: WorkbookProperties): string {
  const instant = created.toISOString().replace(/\.\d+Z$/, 'Z')
  return (
    `${declaration}<cp:coreProperties xmlns:cp="${packageUri}/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${xmlEscape(title)}</dc:title><dc:creator>${xmlEscape(creator)}</dc:creator>` +
    `<dcterms:created xsi:type="dcterms:W3CDTF">${instant}</dcterms:created></cp:coreProperties>`
  )
}

function appProperties({ creator }: WorkbookProperties): string {
  return (
    `${declaration}<Properties xmlns="${documentUri}/extended-properties">` +
    `<Application>${xmlEscape(creator)}</Application></Properties>`
  )
}
