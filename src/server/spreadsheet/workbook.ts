import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type Column, columnLetters } from './column.ts'
import { sheetXml } from './sheet.ts'
import * as parts from './workbook-parts.ts'

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export interface WorkbookOptions<Row> extends parts.WorkbookProperties {
  columns: readonly Column<Row>[]
  rows: AsyncIterable<Row>
  /** Whose clocks the instants are shown by. */
  timeZone: string
}

/**
 * Writes a workbook of one sheet while its rows arrive: no more than a few hundred kilobytes are in memory at
 * once, and rows are taken only as fast as the stream is read. Destroying the stream ends the rows; an error
 * of the rows destroys the stream, so a reader never takes half a workbook for a whole one.
 */
export function writeWorkbook<Row>(options: WorkbookOptions<Row>): Readable {
  const { columns, rows, timeZone, sheetName, created } = options
  const zip = new ZipFile()
  const addText = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path, { mtime: created })

  addText('[Content_Types].xml', parts.contentTypes)
  addText('_rels/.rels', parts.packageRelations)
  addText('docProps/core.xml', parts.coreProperties(options))
  addText('docProps/app.xml', parts.appProperties(options))
  addText('xl/_rels/workbook.xml.rels', parts.workbookRelations)
  addText('xl/styles.xml', parts.styles)

  const finish = (lastRow: number) => {
    const range = `$A$1:$${columnLetters(columns.length - 1)}$${lastRow}`
    addText('xl/workbook.xml', parts.workbook(sheetName, range))
    zip.end()
  }
  const sheet = Readable.from(sheetXml(columns, rows, timeZone, finish), { objectMode: false })
  zip.addReadStream(sheet, parts.sheetPath, { mtime: created })

  const output = new PassThrough()
  // The stream's reader hears of an error through `output`; here nothing is left to do with it.
  pipeline(zip.outputStream, output, () => sheet.destroy())
  sheet.on('error', (error) => output.destroy(error))
  zip.on('error', (error) => output.destroy(error instanceof Error ? error : new Error('zip failed')))
  return output
}
