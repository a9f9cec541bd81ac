import { zoneOffset } from './local-time.ts'
import { type CalendarDate, calendarDateOf } from './program-calendar.ts'

// Spec §9, in the order of the selector.
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

export interface SemesterDefinition {
  readonly name: string
  readonly firstMonth: number
  readonly lastMonth: number
}

// Enlistment opens in June: a border between June and December would split an intake (decision 022).
export const defaultSemesters: readonly SemesterDefinition[] = [
  { name: 'First Semester', firstMonth: 6, lastMonth: 12 },
  { name: 'Second Semester', firstMonth: 1, lastMonth: 5 },
]

export interface PeriodCalendar {
  now: Date
  timeZone: string
  semesters: readonly SemesterDefinition[]
}

export interface InstantRange {
  from: Date
  until: Date | null
}

export interface DateSpan {
  first: CalendarDate
  last: CalendarDate
}

const dayMs = 86_400_000

export function lastDays(days: number, now: Date): InstantRange {
  return { from: new Date(now.getTime() - days * dayMs), until: null }
}

/**
 * Null for all time. In a month without a semester the one before is still current. "Last Semester" is the one right before, also a summer. "Last 7
 * Days" are 168 hours.
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

export function datesOf(range: InstantRange, { now, timeZone }: PeriodCalendar): DateSpan {
  // The end itself is excluded: the last day is the one of the moment before.
  const last = range.until ? new Date(range.until.getTime() - 1) : now
  return { first: calendarDateOf(range.from, timeZone), last: calendarDateOf(last, timeZone) }
}

function semesterRange({ now, timeZone, semesters }: PeriodCalendar, back: number): InstantRange | null {
  const today = calendarDateOf(now, timeZone)
  const year = Number(today.slice(0, 4))
  // Three years back always include the current semester and the two before it, however the months are cut.
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

function monthStart(year: number, month: number): CalendarDate {
  const [realYear, realMonth] = month > 12 ? [year + 1, month - 12] : [year, month]
  return `${String(realYear).padStart(4, '0')}-${String(realMonth).padStart(2, '0')}-01`
}

function between(from: CalendarDate, until: CalendarDate, timeZone: string): InstantRange {
  return { from: startOfDay(from, timeZone), until: startOfDay(until, timeZone) }
}

export function startOfDay(date: CalendarDate, timeZone: string): Date {
  const wanted = Date.parse(`${date}T00:00:00Z`)
  // The first guess is off by the zone's distance from UTC. That distance may change between the guess and
  // the answer (daylight saving), so it is computed once more at the corrected instant.
  const guess = wanted - zoneOffset(wanted, timeZone)
  const corrected = new Date(wanted - zoneOffset(guess, timeZone))
  // Where clocks jump ahead at midnight there is none: the day begins at the jump, which is the first guess.
  return calendarDateOf(corrected, timeZone) < date ? new Date(guess) : corrected
}
