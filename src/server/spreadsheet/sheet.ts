import { type Column, columnLetters } from './column.ts'
import { serialDate, serialInstants } from './serial-date.ts'
import { cellStyle } from './workbook-parts.ts'
import { cellText } from './xml-text.ts'

/** What a sheet and a cell can hold in Excel. */
export const sheetLimits = { rows: 1_048_576, cellCharacters: 32_767 } as const

/** Pieces of about this many characters leave the writer: few enough calls, and no long pause in between. */
const pieceLength = 64 * 1024

/** Writes one cell after its `r` attribute, '' when the cell stays empty. */
type CellWriter<Row> = (row: Row) => string

/**
 * The XML of a sheet, piece by piece. Texts are inline strings: they can never be formulas, and no table of
 * shared strings has to be kept in memory until the end.
 *
 * @param onEnd is told the number of the last row, the header being row 1
 */
export async function* sheetXml<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row> | Iterable<Row>,
  timeZone: string,
  onEnd: (lastRow: number) => void,
): AsyncGenerator<string> {
  const writers = columns.map((column) => cellWriter(column, timeZone))
  const letters = columns.map((_, index) => columnLetters(index))
  let piece = opening(columns)
  let rowNumber = 1
  for await (const row of rows) {
    rowNumber += 1
    if (rowNumber > sheetLimits.rows) throw new RangeError('A sheet has no room for more rows.')
    piece += rowXml(row, rowNumber, writers, letters)
    if (piece.length >= pieceLength) {
      yield piece
      piece = ''
    }
  }
  onEnd(rowNumber)
  yield piece + closing(`A1:${letters.at(-1)}${rowNumber}`)
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
    case 'instant': {
      const serial = serialInstants(timeZone)
      return (row) => {
        const instant = column.value(row)
        return instant ? numberCell(serial(instant), cellStyle.instant) : ''
      }
    }
  }
}

function numberCell(value: number | null, style: number): string {
  return value === null || !Number.isFinite(value) ? '' : ` s="${style}"><v>${value}</v>`
}

function textCell(text: string): string {
  if (text === '') return ''
  const kept = text.length > sheetLimits.cellCharacters ? text.slice(0, sheetLimits.cellCharacters) : text
  const space = /^\s|\s$|\n/.test(kept) ? ' xml:space="preserve"' : ''
  return ` s="${cellStyle.text}" t="inlineStr"><is><t${space}>${cellText(kept)}</t></is>`
}
