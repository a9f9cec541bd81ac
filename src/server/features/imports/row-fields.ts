import {
  type DateOrder,
  type ImportField,
  type ImportMapping,
  importSentences,
} from '#shared/imports/imports.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, isCalendarDate } from '#shared/program-calendar.ts'
import { createRegistrationSchema, type RegistrationOffer } from '#shared/registration/registration.ts'
import { heldYearLevelLabels, nstpComponents } from '#shared/students/student-choices.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'

/** A row as the file and the person have it. */
export interface RowTexts {
  cells: readonly string[]
  edits: Readonly<Record<string, string>>
}

/** Which column each field is read from. */
export function columnsByField({ columns }: ImportMapping): Map<ImportField, number> {
  const byField = new Map<ImportField, number>()
  for (const [index, field] of Object.entries(columns)) if (field) byField.set(field, Number(index))
  return byField
}

/**
 * Makes the function that gives the text of one of a row's fields: what somebody corrected, else the cell, else the
 * value for all rows. An empty cell takes the value for all rows too.
 */
export function createTextReader(mapping: ImportMapping) {
  const columns = columnsByField(mapping)
  return ({ cells, edits }: RowTexts, field: ImportField): string => {
    const column = columns.get(field)
    const cell = column === undefined ? '' : (cells[column] ?? '')
    return edits[field] ?? (cell.trim() === '' ? (mapping.defaults[field] ?? '') : cell)
  }
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Days that spreadsheets count from 30 December 1899; the range covers 1954 to 2064. */
const serial = /^[2-5]\d{4}$/
const serialEpoch = Date.UTC(1899, 11, 30)
const dayMs = 24 * 60 * 60 * 1000
/** A time of day behind the date. */
const clock = /[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap]\.?m\.?)?\s*Z?$/i

/** An instant as programs write it. Its day depends on the time zone, so it isn't read as a date. */
export const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

interface ReadDate {
  date: CalendarDate
  /** HH:MM:SS, null when the text tells none. */
  time: string | null
}

/**
 * Reads a date as people and spreadsheets write it: 2006-05-13, 05/13/2006, 13 May 2006, May 13, 2006, 38850.
 *
 * @param order decides dates that can be read two ways, such as 05/06/2006
 * @param today the latest day that a year of two digits may mean: '06' is 2006, '98' is 1998
 * @returns null for what is no date
 */
export function readDate(text: string, order: DateOrder, today: CalendarDate): ReadDate | null {
  const trimmed = text.trim()
  const time = readClock(trimmed)
  const date = readDay(trimmed.replace(clock, '').trim(), order, today)
  return date !== null && isCalendarDate(date) ? { date, time } : null
}

function readDay(text: string, order: DateOrder, today: CalendarDate): CalendarDate | null {
  if (serial.test(text)) return new Date(serialEpoch + Number(text) * dayMs).toISOString().slice(0, 10)
  const yearFirst = /^(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})$/.exec(text)
  if (yearFirst) return dateOf(yearFirst[1], yearFirst[2], yearFirst[3], today)
  const numbers = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})$/.exec(text)
  if (numbers) {
    const [, first = '', second = '', year] = numbers
    return isDayFirst(first, second, order)
      ? dateOf(year, second, first, today)
      : dateOf(year, first, second, today)
  }
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[-/., ]+([a-z]{3,9})\.?[-/., ]+(\d{4}|\d{2})$/i.exec(text)
  if (dayFirst) return dateOf(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1], today)
  const monthFirst = /^([a-z]{3,9})\.?[-/., ]+(\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\d{4}|\d{2})$/i.exec(text)
  if (monthFirst) return dateOf(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2], today)
  return null
}

/** A number above 12 can't be a month, whatever the order. */
function isDayFirst(first: string, second: string, order: DateOrder): boolean {
  if (Number(first) > 12) return true
  return Number(second) > 12 ? false : order === 'day-first'
}

function monthOf(name = ''): string {
  return String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)
}

function dateOf(year = '', month = '', day = '', today = ''): CalendarDate {
  return `${fullYear(year, today)}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
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

/** Which order a column's dates show: one with a number above 12 in front can only be day-first. */
export function createDateOrderGuess() {
  const seen: Record<DateOrder, number> = { 'month-first': 0, 'day-first': 0 }
  return {
    see(text: string) {
      const [, first, second] = /^\s*(\d{1,2})[-/. ](\d{1,2})[-/. ]\d{2,4}/.exec(text) ?? []
      if (Number(first) > 12) seen['day-first'] += 1
      else if (Number(second) > 12) seen['month-first'] += 1
    },
    /** Without a sign the order usual in the Philippines. */
    order: (): DateOrder => (seen['day-first'] > seen['month-first'] ? 'day-first' : 'month-first'),
  }
}

const earliest = new Date('1990-01-01T00:00:00Z')

/** A row's texts by field, read as the form would have them. */
export type RowFields = Partial<Record<ImportField, string>>

export interface CheckedRow {
  /** The instant of the registration; null when the file doesn't tell one. */
  registrationDate: Date | null
  /** Null for a student who isn't archived. */
  archivedDate: Date | null
  problems: { path: ImportField; message: string }[]
}

interface RowCheckOptions {
  /** What may be chosen: on offer now, or held by a record already. */
  courses: readonly string[]
  academicYears: readonly string[]
  now: Date
  timeZone: string
}

/**
 * Makes the function that holds a row against the rules of the registration. Ages count on the day of the
 * registration, as they did when the student enlisted.
 */
export function createRowCheck({ courses, academicYears, now, timeZone }: RowCheckOptions) {
  const today = calendarDateOf(now, timeZone)
  let registered: CalendarDate = today
  const schema = createRegistrationSchema(
    (): RegistrationOffer => ({
      today: registered,
      courses,
      academicYears,
      components: nstpComponents,
      yearLevels: heldYearLevelLabels,
    }),
  )

  return (fields: RowFields): CheckedRow => {
    const { registrationDate, archived, archivedDate, ...texts } = fields
    const moment = readMoment(registrationDate, now, timeZone)
    registered = moment ? calendarDateOf(moment, timeZone) : today
    const { error } = schema.safeParse({ ...texts, consent: true })
    const problems: CheckedRow['problems'] = (error?.issues ?? []).flatMap(({ path, message }) => {
      const field: ImportField | undefined = studentFieldNames.find((name) => name === path[0])
      return field ? [{ path: field, message }] : []
    })
    if (moment === undefined) {
      problems.push({ path: 'registrationDate', message: importSentences.registrationDate })
    }
    const archive = readArchived(archived ?? '', archivedDate ?? '')
    return {
      registrationDate: moment ?? null,
      archivedDate: archive.date,
      problems: [...problems, ...archive.problems],
    }
  }

  /** Since when a student is archived. A date alone says that they are; without one it is since now. */
  function readArchived(
    answer: string,
    date: string,
  ): { date: Date | null; problems: CheckedRow['problems'] } {
    if (!['', 'Yes', 'No'].includes(answer)) {
      return { date: null, problems: [{ path: 'archived', message: importSentences.archived }] }
    }
    if (answer === 'No' || (answer === '' && date === '')) return { date: null, problems: [] }
    const moment = readMoment(date, now, timeZone)
    if (moment !== undefined) return { date: moment ?? now, problems: [] }
    return { date: null, problems: [{ path: 'archivedDate', message: importSentences.archivedDate }] }
  }
}

/**
 * An instant, or '2026-08-03' or '2026-08-03 09:15:00' by the program's clocks; null for nothing, undefined for
 * anything else and for the future.
 */
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
