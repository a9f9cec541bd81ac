import { type MarkingScale, outcomeOf, writtenMark } from '#shared/terms/marking.ts'
import { readPastedRows } from '#web/lib/pasted-rows.ts'

/** A column that was copied in a spreadsheet. */
export interface MarksColumn {
  /** The marks from top to bottom; '' where there is none, or it can't be read. */
  marks: readonly string[]
  count: number
  unreadable: readonly string[]
  /** Whether the first line is a text, as a heading is. */
  hasHeading: boolean
}

/** @returns null for several columns */
export function readColumn(text: string, scale: MarkingScale): MarksColumn | null {
  const rows = readPastedRows(text)
  if (rows.some(({ length }) => length > 1)) return null
  const cells = rows.flat().map(writtenMark)
  const isMark = (cell: string) => outcomeOf(cell, scale) !== undefined
  const marks = cells.map((cell) => (isMark(cell) ? cell : ''))
  return {
    marks,
    count: marks.filter((mark) => mark !== '').length,
    unreadable: cells.filter((cell) => !isMark(cell)),
    hasHeading: !isMark(cells[0] ?? '') && !/\d/.test(cells[0] ?? ''),
  }
}
