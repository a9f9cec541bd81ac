import { type InstantRange, startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, dayAfter } from '#shared/program-calendar.ts'

/** A range of registration dates as the counts can answer it. */
export interface CountedRange {
  /** Which counts answer for its whole days. */
  grain: 'day' | 'month' | 'all'
  /** The first of those days; null for all time. */
  first: CalendarDate | null
  /** The day after the last of them; null without an end. */
  end: CalendarDate | null
  /** The instants of those days; null for all time. */
  whole: InstantRange | null
  /** The parts of days before and after: these records are counted themselves. */
  edges: InstantRange[]
}

/** Cuts a range into whole days, or months where it consists of months, and what is left at its ends. */
export function countedRange(range: InstantRange | null, timeZone: string): CountedRange {
  if (!range) return { grain: 'all', first: null, end: null, whole: null, edges: [] }
  const { from, until } = range
  const first = firstWholeDay(from, timeZone)
  const firstStart = startOfDay(first, timeZone)
  const end = until && calendarDateOf(until, timeZone)
  const endStart = end === null ? null : startOfDay(end, timeZone)
  // Within a single day.
  if (until && endStart && endStart < firstStart) {
    return { grain: 'day', first, end: first, whole: { from: firstStart, until: firstStart }, edges: [range] }
  }
  const edges: InstantRange[] = []
  if (from < firstStart) edges.push({ from, until: firstStart })
  if (until && endStart && endStart < until) edges.push({ from: endStart, until })
  const isMonths = edges.length === 0 && isMonthStart(first) && (end === null || isMonthStart(end))
  return {
    grain: isMonths ? 'month' : 'day',
    first,
    end,
    whole: { from: firstStart, until: endStart },
    edges,
  }
}

function firstWholeDay(from: Date, timeZone: string): CalendarDate {
  const day = calendarDateOf(from, timeZone)
  return startOfDay(day, timeZone).getTime() === from.getTime() ? day : dayAfter(day)
}

function isMonthStart(day: CalendarDate): boolean {
  return day.endsWith('-01')
}
