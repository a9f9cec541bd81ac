import type { DateOrder } from '#shared/imports.ts'
import { type CalendarDate, isCalendarDate } from '#shared/program-calendar.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Days that spreadsheets count from 30 December 1899; the range covers 1954 to 2064. */
const serial = /^[2-5]\d{4}$/
const serialEpoch = Date.UTC(1899, 11, 30)
const dayMs = 24 * 60 * 60 * 1000
/** A time of day behind the date. */
const clock = /[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([ap]\.?m\.?)?\s*Z?$/i

/** An instant as programs write it. Its day depends on the time zone, so it isn't read as a date. */
export const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/

export interface ReadDate {
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
