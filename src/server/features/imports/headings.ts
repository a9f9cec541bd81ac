import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import type { ImportField } from '#shared/imports/imports.ts'
import { findHeader, guessField } from './column-guess.ts'

export interface Headings {
  // `first` and `last` are the indexes of the headings' rows among the first rows of the file.
  first: number
  last: number
  cells: readonly string[]
}

/** The headings are in one row, or in two that are joined: "Emergency Contact" over "Name" and "Number". */
export function findHeadings(rows: readonly TableRow[]): Headings {
  const top = findHeader(rows)
  const heading = rows[top]?.cells ?? []
  const below = rows[top + 1]?.cells
  if (below && isLowerHeading(heading, below))
    return { first: top, last: top + 1, cells: joinedHeadings(heading, below) }
  const above = rows[top - 1]?.cells
  if (above && isUpperHeading(above, heading))
    return { first: top - 1, last: top, cells: joinedHeadings(above, heading) }
  return { first: top, last: top, cells: heading }
}

export function recognizedIn(cells: readonly string[]): number {
  return cells.filter((cell) => guessField(cell) !== null).length
}

export const isFilled = (cell: string | undefined) => cell !== undefined && cell.trim() !== ''

/** The fields that a row of a person has one of at least. */
export const identity: readonly (ImportField | null)[] = [
  'studentId',
  'fullName',
  'lastName',
  'firstName',
  'email',
  'serialNumber',
  'reference',
]

/** Words alone, most of which are known headings: no row of a person is that. */
function isLowerHeading(upper: readonly string[], lower: readonly string[]): boolean {
  const filled = lower.filter(isFilled)
  if (filled.length < 2 || filled.some((cell) => /[\d@]/.test(cell))) return false
  if (isBelowGroup(upper, lower)) return true
  const names = joinedHeadings(upper, lower)
  const known = lower.filter((cell, at) => isFilled(cell) && guessField(names[at] ?? '') !== null)
  return known.length * 2 >= filled.length && recognizedIn(names) >= recognizedIn(upper)
}

/** "Grades" over "Prelim", "Midterm" and "Final": no person is without a cell below what names people. */
function isBelowGroup(upper: readonly string[], lower: readonly string[]): boolean {
  const namesPeople = (at: number) => identity.includes(guessField(upper[at] ?? ''))
  const isUnnamed = lower.every((cell, at) => !isFilled(cell) || !namesPeople(at))
  const hasGroup = lower.some((_cell, at) => isSpread(upper, lower, at))
  return isUnnamed && hasGroup && upper.some((_cell, at) => namesPeople(at))
}

/** A column below a heading that began at its left. */
const isSpread = (upper: readonly string[], lower: readonly string[], at: number) =>
  isFilled(lower[at]) && !isFilled(upper[at]) && isFilled(lower[at - 1])

function isUpperHeading(upper: readonly string[], lower: readonly string[]): boolean {
  if (upper.filter(isFilled).length < 2) return false
  // The name and number below it would be taken for the student's own.
  if (
    upper.some((cell, at) => ofSomebody.test(cell) && isFilled(lower[at]) && isSpread(upper, lower, at + 1))
  )
    return true
  return recognizedIn(joinedHeadings(upper, lower)) > recognizedIn(lower)
}

// Headings such as "Father" over "Name": without the upper one, the column would be taken for the student's own.
const ofSomebody =
  /father|mother|parent|guardian|emergency|spouse|contact person|person to (be )?(contact|notif)/i
const relatives: readonly (readonly [of: RegExp, name: string])[] = [
  [/emergency|contact person|person to/i, 'Emergency Contact'],
  [/parent|guardian/i, 'Guardian'],
  [/father/i, 'Father'],
  [/mother/i, 'Mother'],
]
/** How the columns of such a person are headed. */
const generic: Partial<Record<ImportField, readonly string[]>> = {
  fullName: ['Name'],
  address: ['Address'],
  contactNumber: ['Number', 'Contact Number'],
  email: ['Email'],
}

/** "Emergency Contact Number" of "CP No." below "Person to contact in case of emergency". */
function headingOfSomebody(group: string, below: string): string | undefined {
  const own = guessField(below)
  const labels = own === null ? undefined : generic[own]
  if (!labels || !ofSomebody.test(group)) return undefined
  const somebody = relatives.find(([of]) => of.test(group))?.[1]
  const headings = labels.flatMap((label) => [`${somebody} ${label}`, `${somebody}'s ${label}`])
  return headings.find((text) => guessField(text) !== null) ?? `${group} ${below}`
}

export function joinedHeadings(upper: readonly string[], lower: readonly string[]): string[] {
  let group = ''
  return Array.from({ length: Math.max(upper.length, lower.length) }, (_none, at) => {
    const [above = '', below = ''] = [upper[at]?.trim(), lower[at]?.trim()]
    // A merged heading is the text of its first cell.
    if (above !== '' || below === '') group = above
    if (below === '' || group === '') return above || below
    const whole = [`${group} ${below}`, `${group}'s ${below}`, `${below} of ${group}`]
    const known = whole.find((text) => guessField(text) !== null)
    if (known !== undefined) return known
    return headingOfSomebody(group, below) ?? (guessField(below) === null ? `${group} ${below}` : below)
  })
}
