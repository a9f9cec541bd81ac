import type { Readable } from 'node:stream'
import { createXmlCopy } from './copy-xml.ts'
import { columnOf, scanPart } from './reading/workbook-rows.ts'
import { openParts, type Parts } from './reading/zip-parts.ts'
import { columnLetters, numberCell, openZip, rowsXml, serialDate, textCell } from './workbook.ts'

/** What is '' is an empty cell, what is no number or date a text; nothing is ever a formula. */
export interface FilledCell {
  text: string
  kind?: 'number' | 'date'
  // An index of the workbook's own cell formats.
  style: number
}

export interface FilledSheet {
  part: string
  // The key is the cell's address. Cells keep the format that the workbook has there.
  cells: ReadonlyMap<string, Omit<FilledCell, 'style'>>
  rows?: {
    // The number of the first one. The sheet has none from there on.
    first: number
    height?: string | undefined
    batches: AsyncIterable<readonly (readonly FilledCell[])[]>
  }
}

/** Streams a cleaned workbook, with these sheets filled in and all other parts as they are. */
export async function fillWorkbook(
  base: Buffer,
  sheets: readonly FilledSheet[],
  created: Date,
): Promise<Readable> {
  const parts = await openParts(base)
  // Read before anything is sent: reading has a time limit, and a line may be slow.
  const filled = new Map<string, AsyncGenerator<string>>()
  for (const sheet of sheets) filled.set(sheet.part, sheetXml(await readForm(parts, sheet), sheet.rows))
  const zip = openZip(created)
  for (const path of parts.paths) zip.addStream(path, filled.get(path) ?? parts.read(path))
  zip.end()
  return zip.output
}

// XML can't have this character.
const mark = '\u0000'

/** What comes before and behind the rows, with the cells in it. */
async function readForm(parts: Parts, { part, cells }: FilledSheet): Promise<string[]> {
  const copy = createSheetCopy(cells)
  await scanPart(parts, part, copy)
  return copy.xml().split(mark)
}

async function* sheetXml([before = '', after = '']: string[], rows: FilledSheet['rows']) {
  if (rows) {
    const { first, height, batches } = rows
    const own = height === undefined ? '' : ` ht="${Number(height)}" customHeight="1"`
    yield* rowsXml(before, batches, first, (row, number) => {
      const cells = row.map((cell, index) => cellXml(`${columnLetters(index)}${number}`, cell))
      return `<row r="${number}"${own}>${cells.join('')}</row>`
    })
  } else yield before
  yield after
}

function cellXml(at: string, { text, kind, style }: FilledCell): string {
  const opening = `<c r="${at}`
  if (text === '') return style === 0 ? '' : `${opening}" s="${style}"/>`
  const number = kind === 'number' && /^\d+(\.\d+)?$/.test(text) ? numberCell(Number(text), style) : ''
  const date = kind === 'date' ? numberCell(serialDate(text), style) : ''
  return opening + (number || date || textCell(text, style))
}

/** Places the cells, also in rows that the sheet lacks, and the mark behind its last row. */
function createSheetCopy(cells: FilledSheet['cells']) {
  const waiting = [...cells]
    .map(([at, cell]) => ({ at, cell, row: Number(/\d{1,7}$/.exec(at)?.[0]), column: columnOf(at) }))
    .sort((one, other) => one.row - other.row || one.column - other.column)
  let [row, column] = [0, -1]

  function placeCells(isDue: (place: { row: number; column: number }) => boolean, style = 0): string {
    const count = waiting.findIndex((place) => !isDue(place))
    const due = waiting.splice(0, count < 0 ? waiting.length : count)
    return due.map(({ at, cell }) => cellXml(at, { ...cell, style })).join('')
  }

  /** Writes the waiting cells of rows before this one. */
  function placeRows(before: number): string {
    let xml = ''
    for (let [next] = waiting; next && next.row < before; [next] = waiting) {
      const { row: own } = next
      xml += `<row r="${own}">${placeCells(({ row: other }) => other === own)}</row>`
    }
    return xml
  }

  const copy = createXmlCopy({
    open(name, attributes, within) {
      // Form controls have such elements too.
      if (name === 'row' && within.at(-1) === 'sheetData') {
        row = Number(attributes.r ?? row + 1)
        column = -1
        copy.write(placeRows(row))
      } else if (name === 'c') {
        column = attributes.r === undefined ? column + 1 : columnOf(attributes.r)
        copy.write(placeCells((place) => place.row === row && place.column < column))
        const [next] = waiting
        if (next?.row !== row || next.column !== column) return attributes
        copy.write(placeCells((place) => place === next, Number(attributes.s ?? 0)))
        return null
      }
      return attributes
    },
    close(name) {
      if (name === 'row') copy.write(placeCells((place) => place.row === row))
      if (name === 'sheetData') copy.write(placeRows(Number.POSITIVE_INFINITY) + mark)
      return true
    },
  })
  return copy
}
