import { instantOf, instantOfLocal } from './local-time.ts'
import { type CalendarDate, calendarDateOf } from './program-calendar.ts'

// In the order of the selector (product 30.2).
export const periodLabels = {
  'all-time': 'All Time',
  'current-semester': 'Current Semester',
  'last-semester': 'Last Semester',
  'current-year': 'Current Year',
  'last-7-days': 'Last 7 Days',
}

export type Period = keyof typeof periodLabels

export const periods = Object.keys(periodLabels) as Period[] // keys of a literal object

/** A year, month or day, or two local times: '2026', '2026-11', '2026-11-23', '2026-11-23T02:10/2026-11-23T03:40'. */
export type CalendarPeriod = `${number}${string}`

export function isCalendarPeriod(text: string): text is CalendarPeriod {
  if (/^(19|20)\d\d(-\d\d){0,2}$/.test(text)) return !Number.isNaN(Date.parse(text))
  const { from, until } = timesOf(text, 'UTC')
  return from !== undefined && until !== undefined && from < until
}

function timesOf(text: string, timeZone: string) {
  const [from, until, more] = text.split('/')
  const instant = (time = '') => (more === undefined ? instantOfLocal(time, timeZone) : undefined)
  return { from: instant(from), until: instant(until) }
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
 * @param back how many such periods before it: 1 for the one that it is compared with
 */
export function periodRange(
  period: Period | CalendarPeriod,
  calendar: PeriodCalendar,
  back = 0,
): InstantRange | null {
  const { now, timeZone } = calendar
  if (isCalendarPeriod(period)) return calendarRange(period, timeZone)
  switch (period) {
    case 'all-time':
      return null
    case 'last-7-days': {
      const week = lastDays(7, now)
      return back === 0 ? week : { from: lastDays(7 * (back + 1), now).from, until: week.from }
    }
    case 'current-year': {
      const year = Number(calendarDateOf(now, timeZone).slice(0, 4)) - back
      return between(monthStart(year, 1), monthStart(year + 1, 1), timeZone)
    }
    case 'current-semester':
      return semesterRange(calendar, back)
    case 'last-semester':
      return semesterRange(calendar, back + 1)
  }
}

function calendarRange(period: CalendarPeriod, timeZone: string): InstantRange {
  const { from, until } = timesOf(period, timeZone)
  if (from && until) return { from, until }
  const [year = 0, month, day] = period.split('-').map(Number)
  if (month === undefined) return between(monthStart(year, 1), monthStart(year + 1, 1), timeZone)
  if (day === undefined) return between(monthStart(year, month), monthStart(year, month + 1), timeZone)
  return between(period, new Date(Date.parse(period) + dayMs).toISOString().slice(0, 10), timeZone)
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
  return instantOf(Date.parse(`${date}T00:00:00Z`), timeZone)
}
