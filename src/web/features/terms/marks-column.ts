import { type MarkingScale, outcomeOf, writtenMark } from '#shared/terms/marking.ts'
import { pastedRows } from '#web/lib/pasted-rows.ts'

/** A column that was copied in a spreadsheet. */
export interface MarksColumn {
  /** The marks from top to bottom; '' where there is none, or it can't be read. */
  marks: readonly string[]
  count: number
  unreadable: readonly string[]
}

/** @returns null for several columns */
export function readColumn(text: string, scale: MarkingScale): MarksColumn | null {
  if (text.includes('\t')) return null
  const cells = pastedRows(text).flat().map(writtenMark)
  const isMark = (cell: string) => outcomeOf(cell, scale) !== undefined
  const marks = cells.map((cell) => (isMark(cell) ? cell : ''))
  return {
    marks,
    count: marks.filter((mark) => mark !== '').length,
    unreadable: cells.filter((cell) => !isMark(cell)),
  }
}
