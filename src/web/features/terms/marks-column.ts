import { type MarkingScale, outcomeOf, writtenMark } from '#shared/terms/marking.ts'

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
  if (text.includes('\t')) return null
  // The last line has an end too.
  const cells = text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '').split('\n').map(writtenMark)
  const isMark = (cell: string) => outcomeOf(cell, scale) !== undefined
  const marks = cells.map((cell) => (isMark(cell) ? cell : ''))
  return {
    marks,
    count: marks.filter((mark) => mark !== '').length,
    unreadable: cells.filter((cell) => !isMark(cell)),
    hasHeading: !isMark(cells[0] ?? '') && !/\d/.test(cells[0] ?? ''),
  }
}
