import type { Access } from '#server/lib/access.ts'
import type { ImportMapping } from '#shared/imports/import-response.ts'
import { type DateOrder, type ImportField, importSentences } from '#shared/imports/imports.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, isCalendarDate, monthNames } from '#shared/program-calendar.ts'
import { createRegistrationSchema, type RegistrationOffer } from '#shared/registration/registration.ts'
import { nstpComponents, storedYearLevelLabels } from '#shared/students/student-choices.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import type { RowFields, RowResult, StoredRow } from './rows-repository.ts'

export type TextReader = (row: Pick<StoredRow, 'cells' | 'edits'>, field: ImportField) => string

export function createTextReader(mapping: ImportMapping): TextReader {
  const columns = new Map<ImportField, number[]>()
  for (const [index, field] of Object.entries(mapping.columns))
    if (field !== null)
      columns.set(
        field,
        [...(columns.get(field) ?? []), Number(index)].sort((a, b) => a - b),
      )
  return ({ cells, edits }, field) => {
    const cell = joinedText((columns.get(field) ?? []).map((index) => cells[index] ?? ''))
    return edits[field] ?? (cell.trim() === '' ? (mapping.defaults[field] ?? '') : cell)
  }
}

/** What people type where there is nothing. */
export const blank = /^(n\/a|-{1,3}|–|—|\.)$/i

/** A house number belongs to the street behind it: 12 Rizal Street, Poblacion. */
function joinedText(parts: readonly string[]): string {
  if (parts.length < 2) return parts[0] ?? ''
  const filled = parts
    .map((part) => part.trim().replace(/,$/, ''))
    .filter((part) => part !== '' && !blank.test(part))
  return filled.reduce((text, part, at) => {
    const isNumber = !/\p{L}{2}/u.test(filled[at - 1] ?? '')
    return text === '' ? part : `${text}${isNumber ? ' ' : ', '}${part}`
  }, '')
}

const months = monthNames.map((name) => name.slice(0, 3).toLowerCase())
// Days since 30 December 1899; the range covers 1954 to 2064.
const serial = /^[2-5]\d{4}$/
const serialEpoch = Date.UTC(1899, 11, 30)
const dayMs = 24 * 60 * 60 * 1000
const clock = /(?<![T ,])[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(?:([ap]\.?m\.?)\s*)?Z?$/i

// The day of an instant depends on the time zone, so it isn't read as a date.
export const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

/**
 * @param order for ambiguous dates such as 05/06/2006
 * @param today the latest day that a two-digit year may mean: '06' is 2006, '98' is 1998
 * @returns null for an invalid date
 */
export function readDate(text: string, order: DateOrder, today: CalendarDate) {
  const trimmed = text.trim()
  const time = readClock(trimmed)
  const date = readDay(trimmed.replace(clock, '').trim(), order, today)
  return date !== null && isCalendarDate(date) ? { date, time } : null
}

const dateForms = [
  /^(?<year>\d{4})[-/. ](?<month>\d{1,2})[-/. ](?<day>\d{1,2})$/,
  /^(?<first>\d{1,2})[-/. ](?<second>\d{1,2})[-/. ](?<year>\d{4}|\d{2})$/,
  /^(?<day>\d{1,2})(?:st|nd|rd|th)?[-/., ]+(?<name>[a-z]{3,9})\.?[-/., ]+(?<year>\d{4}|\d{2})$/i,
  /^(?<name>[a-z]{3,9})\.?[-/., ]+(?<day>\d{1,2})(?:st|nd|rd|th)?[-/., ]+(?<year>\d{4}|\d{2})$/i,
]

function readDay(text: string, order: DateOrder, today: CalendarDate): CalendarDate | null {
  if (serial.test(text)) return new Date(serialEpoch + Number(text) * dayMs).toISOString().slice(0, 10)
  const groups = dateForms.map((form) => form.exec(text)?.groups).find((found) => found !== undefined)
  if (!groups) return null
  const { first = '', second = '', year = '', name } = groups
  const isDayFirst = Number(first) > 12 || (Number(second) <= 12 && order === 'day-first')
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  const monthNumber = name
    ? String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)
    : (groups.month ?? month)
  return `${fullYear(year, today)}-${monthNumber.padStart(2, '0')}-${(groups.day ?? day).padStart(2, '0')}`
}

function fullYear(year: string, today: CalendarDate): string {
  if (year.length === 4) return year
  const century = Number(today.slice(0, 2))
  return `${Number(year) <= Number(today.slice(2, 4)) ? century : century - 1}${year}`
}

function readClock(text: string): string | null {
  const [, hours, minutes, seconds = '00', half] = clock.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return null
  const isAfternoon = half?.toLowerCase().startsWith('p') ?? false
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
}

export function ownComponentsSentence({ components }: Access): string {
  return `Your account can only import ${components === 'all' ? 'all' : components.join(' and ')} students.`
}

// What a spreadsheet writes into a text file in place of a long number.
const shortened = /^\d([.,]\d+)?E\+\d{1,3}$/i
const longNumbers = [
  'studentId',
  'serialNumber',
  'contactNumber',
  'emergencyContactNumber',
  'guardianContactNumber',
  'socialSecurityNumber',
] as const

/** Finds numbers that a spreadsheet shortened, such as 2.02E+11. The check comes before others, since a rule may accept them. */
export function shortenedProblems(fields: RowFields): StoredRow['problems'] {
  return longNumbers
    .filter((field) => shortened.test(fields[field] ?? ''))
    .map((path) => ({ path, message: importSentences.shortened }))
}

const phones = ['contactNumber', 'emergencyContactNumber', 'guardianContactNumber'] as const
// The shortest of two numbers in one cell, and both together.
const digitsOfPhone = 7
const digitsOfTwo = 20

function hasTwoPhones(text: string): boolean {
  const lengths = text.split(/[/,;&\n]|\bor\b/i).map((part) => part.replace(/\D/g, '').length)
  return (
    lengths.filter((length) => length >= digitsOfPhone).length > 1 ||
    lengths.reduce((sum, length) => sum + length, 0) >= digitsOfTwo
  )
}

/** What was lost or mixed on the way into the file: in front of other problems, since it says what to do. */
export function brokenProblems(fields: RowFields): StoredRow['problems'] {
  const two = phones.filter((field) => hasTwoPhones(fields[field] ?? ''))
  const { fullName, lastName, firstName } = fields
  const isInOne = fullName !== undefined && !lastName && !firstName
  return [
    ...shortenedProblems(fields),
    ...two.map((path) => ({ path, message: importSentences.twoPhones })),
    ...(isInOne ? [{ path: 'lastName' as const, message: importSentences.nameInOne(fullName) }] : []),
  ]
}

/** The first problem of each field. */
export function onePerField(problems: StoredRow['problems']): StoredRow['problems'] {
  return problems.filter(({ path }, index) => problems.findIndex((other) => other.path === path) === index)
}

const earliest = new Date('1990-01-01T00:00:00Z')

/** Problems of a schema with the listed fields. */
export function problemsOf(
  error: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined,
  fields: readonly ImportField[],
): StoredRow['problems'] {
  return (error?.issues ?? []).flatMap(({ path, message }) => {
    const field = fields.find((name) => name === path[0])
    return field ? [{ path: field, message }] : []
  })
}

/** Ages count on the day of the registration. */
export function createRowCheck(
  offered: Pick<RegistrationOffer, 'courses' | 'academicYears'>,
  now: Date,
  timeZone: string,
) {
  const today = calendarDateOf(now, timeZone)
  let registered: CalendarDate = today
  const schema = createRegistrationSchema(
    (): RegistrationOffer => ({
      ...offered,
      today: registered,
      onPaper: true,
      components: nstpComponents,
      yearLevels: storedYearLevelLabels,
    }),
  )

  return (fields: RowFields): Pick<RowResult, 'registrationDate' | 'archivedDate' | 'problems'> => {
    const { registrationDate, archived = '', archivedDate = '', ...texts } = fields
    const moment = readMoment(registrationDate, now, timeZone)
    registered = moment ? calendarDateOf(moment, timeZone) : today
    const problems = problemsOf(schema.safeParse({ ...texts, consent: true }).error, studentFieldNames)
    const report = (path: 'registrationDate' | 'archived' | 'archivedDate') =>
      problems.push({ path, message: importSentences[path] })
    if (moment === undefined) report('registrationDate')
    if (!['', 'Yes', 'No'].includes(archived)) report('archived')
    const archivedAt = isArchived(fields) ? readMoment(archivedDate, now, timeZone) : null
    if (archivedAt === undefined) report('archivedDate')
    return {
      registrationDate: moment ?? null,
      archivedDate: archivedAt ?? (isArchived(fields) ? now : null),
      problems,
    }
  }
}

export function isArchived({ archived = '', archivedDate = '' }: RowFields): boolean {
  return archived === 'Yes' || (archived === '' && archivedDate !== '')
}

// Null for an empty text, undefined for an invalid or future one.
function readMoment(text: string | undefined, now: Date, timeZone: string): Date | null | undefined {
  if (!text) return null
  const moment = instantPattern.test(text) ? new Date(text) : readLocal(text, timeZone)
  // Years before the program's law are typing errors.
  return moment && moment <= now && moment >= earliest ? moment : undefined
}

function readLocal(text: string, timeZone: string): Date | undefined {
  const [, date = '', hours = '0', minutes = '0', seconds = '0'] =
    /^(\d{4}-\d{2}-\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/.exec(text) ?? []
  if (!isCalendarDate(date)) return undefined
  const sinceMidnight = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return new Date(startOfDay(date, timeZone).getTime() + sinceMidnight)
}
