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
  /** What those days lack or have too much: these records are counted themselves. */
  edges: Edge[]
}

interface Edge {
  range: InstantRange
  /** 1 to add its records, -1 to take them away. */
  sign: 1 | -1
}

/**
 * Cuts a range into whole days, or months where it consists of months. Of a day that the range cuts, the shorter
 * part is looked at: added to the days before or after, or taken away from the day.
 */
export function countedRange(range: InstantRange | null, timeZone: string): CountedRange {
  if (!range) return { grain: 'all', first: null, end: null, whole: null, edges: [] }
  const { from, until } = range
  const isWithinDay = until !== null && calendarDateOf(from, timeZone) === calendarDateOf(until, timeZone)
  const { day: first, start } = nearestMidnight(from, timeZone)
  if (isWithinDay) {
    const none = { from: start, until: start }
    return { grain: 'day', first, end: first, whole: none, edges: [{ range, sign: 1 }] }
  }
  const last = until && nearestMidnight(until, timeZone)
  const edges = [...edgeAt(from, start, -1), ...(until && last ? edgeAt(until, last.start, 1) : [])]
  const isMonths = edges.length === 0 && isMonthStart(first) && (last === null || isMonthStart(last.day))
  return {
    grain: isMonths ? 'month' : 'day',
    first,
    end: last?.day ?? null,
    whole: { from: start, until: last?.start ?? null },
    edges,
  }
}

/** The beginning of the day that an instant lies in or of the next one, whichever is nearer. */
function nearestMidnight(instant: Date, timeZone: string): { day: CalendarDate; start: Date } {
  const day = calendarDateOf(instant, timeZone)
  const next = dayAfter(day)
  const start = startOfDay(day, timeZone)
  const end = startOfDay(next, timeZone)
  const isFirstHalf = instant.getTime() - start.getTime() <= end.getTime() - instant.getTime()
  return isFirstHalf ? { day, start } : { day: next, start: end }
}

/** What lies between an end of the range and the midnight beside it. */
function edgeAt(instant: Date, midnight: Date, signAfterMidnight: 1 | -1): Edge[] {
  if (midnight < instant) return [{ range: { from: midnight, until: instant }, sign: signAfterMidnight }]
  if (instant < midnight) {
    return [{ range: { from: instant, until: midnight }, sign: signAfterMidnight === 1 ? -1 : 1 }]
  }
  return []
}

function isMonthStart(day: CalendarDate): boolean {
  return day.endsWith('-01')
}
