import { type InstantRange, startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, dayAfter } from '#shared/program-calendar.ts'

export interface CountedRange {
  grain: 'day' | 'month' | 'all'
  // The first day; null for all time.
  first: CalendarDate | null
  // The day after the last one; null without an end.
  end: CalendarDate | null
  // The whole range; null for all time.
  whole: InstantRange | null
  // Records before, after or within the whole days that are counted one by one.
  edges: Edge[]
}

interface Edge {
  range: InstantRange
  // 1 adds the records, -1 subtracts them.
  sign: 1 | -1
}

/**
 * Cuts a range into whole days, or months where it consists of months. Of a day that the range cuts, only the shorter
 * part is scanned: added to the neighbouring days, or subtracted from the day.
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

function nearestMidnight(instant: Date, timeZone: string): { day: CalendarDate; start: Date } {
  const day = calendarDateOf(instant, timeZone)
  const next = dayAfter(day)
  const start = startOfDay(day, timeZone)
  const end = startOfDay(next, timeZone)
  const isFirstHalf = instant.getTime() - start.getTime() <= end.getTime() - instant.getTime()
  return isFirstHalf ? { day, start } : { day: next, start: end }
}

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
