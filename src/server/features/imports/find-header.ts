import type { TableRow } from '#server/spreadsheet/reading/sheet-rows.ts'
import { guessField } from './guess-columns.ts'

/** Schools put their name, the list's title and a date above the headings. */
export const headerSearchRows = 15
/** So many known headings make a row the row of headings. */
const enough = 2

/**
 * Which of a table's first rows holds the headings: the one with most headings that we know, and without any the
 * first one.
 */
export function findHeader(rows: readonly TableRow[]): number {
  const known = rows.map(({ cells }) => cells.filter((cell) => guessField(cell) !== null).length)
  const most = Math.max(0, ...known)
  return most >= enough ? known.indexOf(most) : 0
}

/** The headings of all columns, also of those that have none. */
export function headersOf(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index]?.replace(/\s+/g, ' ').trim() ?? '')
}
