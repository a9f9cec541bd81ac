import { type AttendanceState, attendanceStates, callLimits, stateLetters } from '#shared/attendance/calls.ts'
import { readPastedRows } from '#web/lib/pasted-rows.ts'

interface PastedCell {
  state: AttendanceState
  minutes: number | null
}

/**
 * A block of cells that was copied from a spreadsheet: rows of lines, columns of tabs. P, L, A and E are read, also as
 * words, and minutes behind late (`L15`). Null is an empty cell, undefined one that can't be read.
 */
export function readPastedBlock(text: string): (PastedCell | null | undefined)[][] {
  return readPastedRows(text).map((row) => row.map(readCell))
}

/** Whether the first line has texts alone that can't be read: with it each line would go to the next student. */
export function hasHeading([first, second]: ReturnType<typeof readPastedBlock>): boolean {
  const filled = first?.filter((cell) => cell !== null) ?? []
  return second !== undefined && filled.length > 0 && filled.every((cell) => cell === undefined)
}

function readCell(text: string): PastedCell | null | undefined {
  if (text.trim() === '') return null
  const [, word = '', digits] = /^([a-z]+)\s*(\d{1,3})?$/i.exec(text.trim()) ?? []
  const state = attendanceStates.find(
    (one) => one === word.toLowerCase() || stateLetters[one] === word.toUpperCase(),
  )
  const minutes = digits === undefined ? null : Number(digits)
  const hasMinutes = state === 'late' && minutes !== null && minutes >= 1 && minutes <= callLimits.minutes
  return state && (minutes === null || hasMinutes) ? { state, minutes } : undefined
}
