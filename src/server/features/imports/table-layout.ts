import type { TableRow } from '#server/spreadsheet/reading/workbook-rows.ts'
import type { ImportField } from '#shared/imports/imports.ts'
import { findHeader, guessColumns, guessField } from './column-guess.ts'

export interface Headings {
  // `first` and `last` are the indexes of the headings' rows among the first rows of the file.
  first: number
  last: number
  cells: readonly string[]
}

/** One row of headings, or two that are joined: "Emergency Contact" over "Name" and "Number". */
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
const people: readonly (readonly [of: RegExp, name: string])[] = [
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
  const somebody = people.find(([of]) => of.test(group))?.[1]
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

// Lines that registrars and instructors write below the people of a list and between them.
const signature =
  /^(signed|prepared|certified|checked|noted|approved|verified|submitted|attested|reviewed|encoded|received|recommend\w*|inihanda|pinagtibay|sinuri|isinumite)\b(.*\b(by|for|correct|approval|true|ni)\b|.*:$)/i
// A legend and notes go on in the lines below them.
const remark = /^(legend|notes?|remarks?|(date )?(printed|generated)( by| on)?|run date)\s*:/i
const total =
  /^(grand |sub[- ]?|over-?all )?totals?\b(?!\p{L})|^(total )?(number|no\.?) of (students|graduates|enrol)/iu
const summary =
  /^(kabuuan|combined|average|mean|highest|lowest)\b\s*:?$|^(passed|failed|dropped|incomplete)\s*:/i
const group = /^(fe)?males?\b( students?)?[^\p{L}]*$|^(boys?|girls?|men|women|lalaki|babae)\b[^\p{L}]*$/iu
const ending = /nothing follows|^[-*x ]*end of (list|file|page|report)|^page \d+( of \d+)?$/i
const mostInLine = 3
const identity: readonly (ImportField | null)[] = [
  'studentId',
  'fullName',
  'lastName',
  'firstName',
  'email',
  'serialNumber',
  'reference',
]

/** Tells which rows below the headings are no people: totals, signatures, MALE and FEMALE, headings again. */
export function createLineCheck(headings: readonly string[]) {
  const fields = guessColumns(headings)
  const known = fields.filter((field) => field !== null).length
  const hasNames = guessNames(headings)
  const words = headings.map(folded)
  let isSigned = false
  let isRemarked = false

  const isRepeated = (filled: readonly Filled[]) => {
    const same = filled.filter(({ text, at }) => words[at] !== '' && folded(text) === words[at])
    const isAgain = same.length >= 2 && same.length * 2 > filled.length
    // The next section of a class list has people again.
    if (isAgain) isSigned = false
    return isAgain
  }
  const isBelowSignature = (first: Filled, filled: readonly Filled[]) => {
    if (signature.test(first.text)) isSigned = true
    return isSigned && !filled.some(({ text, at }) => isNumberOfPerson(text, fields[at]))
  }
  const isRemark = ({ text }: Filled) => {
    isRemarked ||= remark.test(text)
    return isRemarked && known >= 3
  }
  // "BSIT 1-A" above its students.
  const isTitle = ({ at }: Filled) => known >= 3 && !identity.includes(guessField(headings[at] ?? ''))

  const isNobody = (filled: readonly Filled[]): boolean => {
    const [first, ...others] = filled
    if (!first) return false
    if (isBelowSignature(first, filled)) return true
    if (others.length === 0 && (isTitle(first) || isRemark(first))) return true
    const [line, ...words] = filled.filter(({ text }) => /\p{L}/u.test(text))
    if (!line || words.length > 0) return false
    const text = line.text.replace(/^[^\p{L}\p{N}]+/u, '')
    // School forms have the number in front: 23 <=== TOTAL MALE.
    const lines = line === first ? [total, summary, ending, group] : [total, summary, ending]
    return lines.some((kind) => kind.test(text))
  }

  return (cells: readonly string[]): boolean => {
    const start = cells.findIndex(isFilled)
    if (start < 0 || !hasNames) return false
    if (isNumbering(cells)) return true
    // Most rows are of people: their first cells tell.
    const isLong = hasMoreThan(mostInLine, cells)
    if (isLong && !isFolded(cells[start] ?? '', words[start] ?? '')) return false
    const filled = cells.flatMap((cell, at) => (isFilled(cell) ? [{ text: cell.trim(), at }] : []))
    return isRepeated(filled) || (!isLong && isNobody(filled))
  }
}

function hasMoreThan(count: number, cells: readonly string[]): boolean {
  let filled = 0
  return cells.some((cell) => isFilled(cell) && ++filled > count)
}

/** (1), (2), (3) below the headings. */
function isNumbering(cells: readonly string[]): boolean {
  return cells.length >= 3 && cells.every((cell, at) => cell.replace(/[()\s]/g, '') === String(at + 1))
}

const isFolded = (text: string, words: string) => text.length >= words.length && folded(text) === words

const folded = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase()

interface Filled {
  text: string
  at: number
}

const guessNames = (headings: readonly string[]) =>
  headings.some((heading) => identity.includes(guessField(heading)))

function isNumberOfPerson(text: string, field: ImportField | null | undefined): boolean {
  return field === 'email' ? text.includes('@') : field === 'studentId' && /\d/.test(text)
}
