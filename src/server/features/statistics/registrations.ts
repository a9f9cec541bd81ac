import type { DateSpan } from '#shared/periods.ts'
import { type CalendarDate, dayAfter } from '#shared/program-calendar.ts'
import type { Registrations } from '#shared/statistics.ts'

/** All time is shown by months up to so many of them, then by years. */
const maxMonths = 36

type Unit = Registrations['unit']

/** The first date of the bucket that a date lies in. */
function bucketOf(date: CalendarDate, unit: Unit): CalendarDate {
  if (unit === 'day') return date
  return unit === 'month' ? `${date.slice(0, 7)}-01` : `${date.slice(0, 4)}-01-01`
}

/** The first date of the bucket after that of a date. */
function nextBucket(date: CalendarDate, unit: Unit): CalendarDate {
  if (unit === 'day') return dayAfter(date)
  const year = Number(date.slice(0, 4))
  const month = Number(date.slice(5, 7))
  if (unit === 'year' || month === 12) return `${String(year + 1).padStart(4, '0')}-01-01`
  return `${date.slice(0, 5)}${String(month + 1).padStart(2, '0')}-01`
}

function bucketStarts({ first, last }: DateSpan, unit: Unit): CalendarDate[] {
  const starts: CalendarDate[] = []
  for (let start = bucketOf(first, unit); start <= last; start = nextBucket(start, unit)) starts.push(start)
  return starts
}

/** Whether a span is long enough to be shown by years. */
function isLong({ first, last }: DateSpan): boolean {
  const months = (date: CalendarDate) => 12 * Number(date.slice(0, 4)) + Number(date.slice(5, 7))
  return months(last) - months(first) >= maxMonths
}

/**
 * The registrations over time: every bucket of the span, those without any included.
 *
 * @param counts by day or month, in any order; a bucket may come several times
 * @param span what the period covers; null for all time, which reaches from the first registration to today
 */
export function registrationsOverTime(
  counts: readonly { bucket: CalendarDate; count: number }[],
  { span, unit, today }: { span: DateSpan | null; unit: 'day' | 'month'; today: CalendarDate },
): Registrations {
  const days = counts.map(({ bucket }) => bucket).sort()
  const [first] = days
  if (!span && first === undefined) return { unit, buckets: [] }
  const shown = span ?? { first: first ?? today, last: later(today, days.at(-1) ?? today) }
  const step = !span && isLong(shown) ? 'year' : unit
  const sums = new Map(bucketStarts(shown, step).map((start) => [start, 0]))
  for (const { bucket, count } of counts) {
    const start = bucketOf(bucket, step)
    sums.set(start, (sums.get(start) ?? 0) + count)
  }
  const buckets = [...sums].map(([start, count]) => ({ start, count }))
  // A record dated ahead of the span's end, by a wrong clock, comes last in the map as well as in time.
  return { unit: step, buckets: buckets.sort((one, other) => (one.start < other.start ? -1 : 1)) }
}

function later(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one > other ? one : other
}
