import { zoneOffset } from './local-time.ts'
import { type CalendarDate, calendarDateOf } from './program-calendar.ts'

/** The time periods of spec §9, in the order the selector shows them. */
export const periods = [
  'all-time',
  'current-semester',
  'last-semester',
  'current-year',
  'last-7-days',
] as const

export type Period = (typeof periods)[number]

export const periodLabels: Record<Period, string> = {
  'all-time': 'All Time',
  'current-semester': 'Current Semester',
  'last-semester': 'Last Semester',
  'current-year': 'Current Year',
  'last-7-days': 'Last 7 Days',
}

/** A part of the school year by whole months, 1 to 12. The last month may lie in the year after the first. */
export interface SemesterDefinition {
  readonly name: string
  readonly firstMonth: number
  readonly lastMonth: number
}

/** Enlistment opens in June: a border between June and December would split an intake (decision 022). */
export const defaultSemesters: readonly SemesterDefinition[] = [
  { name: 'First Semester', firstMonth: 6, lastMonth: 12 },
  { name: 'Second Semester', firstMonth: 1, lastMonth: 5 },
]

/** What decides the limits of a period: the moment, the program's time zone and its semesters. */
export interface PeriodCalendar {
  now: Date
  timeZone: string
  semesters: readonly SemesterDefinition[]
}

/** From `from` on, until just before `until`, or without an end when that is null. */
export interface InstantRange {
  from: Date
  until: Date | null
}

/** First and last calendar date, both included. */
export interface DateSpan {
  first: CalendarDate
  last: CalendarDate
}

const dayMs = 86_400_000

/** The last days counted back from this moment, in steps of 24 hours. */
export function lastDays(days: number, now: Date): InstantRange {
  return { from: new Date(now.getTime() - days * dayMs), until: null }
}

/**
 * The instants that a period covers, null for all time.
 *
 * - A semester runs from the first day of its first month to the last day of its last, by the program's
 *   calendar. In a month that belongs to none, the semester before is still the current one, so that a gap
 *   in the settings never empties the list.
 * - "Last Semester" is whatever came right before the current one, a summer too: the periods touch, and a
 *   record that leaves "current" arrives in "last".
 * - "Current Year" is the calendar year.
 * - "Last 7 Days" are the last 168 hours, not whole days.
 */
export function periodRange(period: Period, calendar: PeriodCalendar): InstantRange | null {
  switch (period) {
    case 'all-time':
      return null
    case 'last-7-days':
      return lastDays(7, calendar.now)
    case 'current-year': {
      const year = Number(calendarDateOf(calendar.now, calendar.timeZone).slice(0, 4))
      return between(monthStart(year, 1), monthStart(year + 1, 1), calendar.timeZone)
    }
    case 'current-semester':
      return semesterRange(calendar, 0)
    case 'last-semester':
      return semesterRange(calendar, 1)
  }
}

/**
 * The period before a period, to compare with: the semester before the semester, the year before the year, the
 * 168 hours before the last 168. Null where there is none.
 */
export function previousRange(period: Period, calendar: PeriodCalendar): InstantRange | null {
  switch (period) {
    case 'all-time':
      return null
    case 'last-7-days': {
      const { from } = lastDays(7, calendar.now)
      return { from: lastDays(7, from).from, until: from }
    }
    case 'current-year': {
      const year = Number(calendarDateOf(calendar.now, calendar.timeZone).slice(0, 4))
      return between(monthStart(year - 1, 1), monthStart(year, 1), calendar.timeZone)
    }
    case 'current-semester':
      return semesterRange(calendar, 1)
    case 'last-semester':
      return semesterRange(calendar, 2)
  }
}

/** The first and last calendar date that a range touches, for people to see what it covers. */
export function datesOf(range: InstantRange, { now, timeZone }: PeriodCalendar): DateSpan {
  // The end itself is excluded: the last day is the one of the moment before.
  const last = range.until ? new Date(range.until.getTime() - 1) : now
  return { first: calendarDateOf(range.from, timeZone), last: calendarDateOf(last, timeZone) }
}

/** The range of the semester that lies `back` semesters before the current one. */
function semesterRange({ now, timeZone, semesters }: PeriodCalendar, back: number): InstantRange | null {
  const today = calendarDateOf(now, timeZone)
  const year = Number(today.slice(0, 4))
  // Three years back always hold the current semester and the two before it, however the months are cut.
  const begun = [year - 3, year - 2, year - 1, year]
    .flatMap((startYear) => semesters.map((semester) => occurrence(semester, startYear)))
    .filter(({ from }) => from <= today)
    .sort((a, b) => (a.from < b.from ? 1 : -1))
  const semester = begun[back]
  return semester ? between(semester.from, semester.until, timeZone) : null
}

function occurrence({ firstMonth, lastMonth }: SemesterDefinition, startYear: number) {
  const endYear = lastMonth < firstMonth ? startYear + 1 : startYear
  return { from: monthStart(startYear, firstMonth), until: monthStart(endYear, lastMonth + 1) }
}

/** The first day of a month; month 13 is January of the next year. */
function monthStart(year: number, month: number): CalendarDate {
  const [realYear, realMonth] = month > 12 ? [year + 1, month - 12] : [year, month]
  return `${String(realYear).padStart(4, '0')}-${String(realMonth).padStart(2, '0')}-01`
}

function between(from: CalendarDate, until: CalendarDate, timeZone: string): InstantRange {
  return { from: startOfDay(from, timeZone), until: startOfDay(until, timeZone) }
}

/** The instant at which a calendar date begins in a time zone. */
export function startOfDay(date: CalendarDate, timeZone: string): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`)
  // The first guess is off by the zone's distance from UTC. That distance may change between the guess and
  // the answer (daylight saving), so it is taken once more at the corrected instant.
  const guess = wanted - zoneOffset(wanted, timeZone)
  const corrected = new Date(wanted - zoneOffset(guess, timeZone))
  // Where clocks jump ahead at midnight there is none: the day begins at the jump, which is the first guess.
  return calendarDateOf(corrected, timeZone) < date ? new Date(guess) : corrected
}
