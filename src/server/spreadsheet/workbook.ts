import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Column, columnLetters } from './column.ts'
import { sheetXml } from './sheet.ts'
import * as parts from './workbook-parts.ts'

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** One sheet of a workbook, whatever its rows are. */
export interface Sheet {
  name: string
  columnCount: number
  /** Its XML, piece by piece. */
  write: (timeZone: string, onEnd: (lastRow: number) => void) => AsyncIterable<string>
}

interface WorkbookSheets extends parts.WorkbookProperties {
  sheets: readonly Sheet[]
  /** Whose clocks the instants are shown by. */
  timeZone: string
}

interface WorkbookOptions<Row> extends parts.WorkbookProperties {
  sheetName: string
  columns: readonly Column<Row>[]
  rows: AsyncIterable<Row>
  timeZone: string
}

/** A sheet of rows that all have the same columns. */
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

/** Writes a workbook of one sheet. */
export function writeWorkbook<Row>({ sheetName, columns, rows, ...rest }: WorkbookOptions<Row>): Readable {
  return writeSheets({ ...rest, sheets: [createSheet(sheetName, columns, rows)] })
}

/**
 * Writes a workbook while its rows arrive, one sheet after the other: no more than a few hundred kilobytes are
 * in memory at once, and rows are taken only as fast as the stream is read. Destroying the stream ends the
 * rows; an error of the rows destroys the stream, so a reader never takes half a workbook for a whole one.
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
