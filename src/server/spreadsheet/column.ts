import type { CalendarDate } from '#shared/program-calendar.ts'

interface ColumnHead {
  header: string
  // In characters of the body font.
  width: number
}

/**
 * One column of a sheet. '', null and a date outside a spreadsheet's calendar give an empty cell or plain text, never a
 * number.
 */
export type Column<Row> = ColumnHead &
  (
    | { kind: 'text'; value: (row: Row) => string }
    | { kind: 'number'; value: (row: Row) => number | null }
    | { kind: 'date'; value: (row: Row) => CalendarDate }
    | { kind: 'instant'; value: (row: Row) => Date | null }
  )

/** 0 → 'A', 25 → 'Z', 26 → 'AA'. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}
