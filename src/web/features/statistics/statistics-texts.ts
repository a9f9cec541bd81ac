import { type DateSpan, periodLabels } from '#shared/periods.ts'
import type { StatisticsFilters } from '#shared/statistics/statistics.ts'
import type { Registrations, Share, Statistics } from '#shared/statistics/statistics-response.ts'
import { figureText } from '#web/lib/number-texts.ts'
import { rangeOf } from '#web/lib/relative-time.ts'

/** One decimal; 0 when the total is 0. */
export function percentText({ percent }: Pick<Share, 'percent'>, total: number): string {
  return total === 0 ? '0%' : `${percent.toFixed(1)}%`
}

/** '+12 from last period' */
export function differenceText(difference: Statistics['difference']): string {
  if (!difference) return 'No earlier period to compare'
  return `${signedText(difference.count)} from last period`
}

function signedText(count: number): string {
  return `${count < 0 ? '−' : '+'}${figureText(Math.abs(count))}`
}

/** 'Last Semester: 120 (+34)' */
export function comparedText(count: number, other: number, period: string): string {
  return `${period}: ${figureText(other)} (${signedText(count - other)})`
}

/** 'Current Semester (Aug 1 – Dec 31, 2026)' */
export function describePeriod({ period }: Pick<Statistics, 'period'>, dates: DateSpan | null): string {
  return periodLabels[period] + (dates ? ` (${rangeOf(dates)})` : '')
}

/** 'Current Semester (Aug 1 – Dec 31, 2026) · ROTC' */
export function describeFilters(filters: StatisticsFilters, dates: DateSpan | null): string {
  return `${describePeriod(filters, dates)} · ${filters.component === 'all' ? 'All components' : filters.component}`
}

/** 'Year 3', or 'Others' */
export function yearLevelText(yearLevel: number | null): string {
  return yearLevel === null ? 'Others' : `Year ${yearLevel}`
}

const write = (options: Intl.DateTimeFormatOptions) =>
  // Calendar dates have no time zone; UTC reads them as they are written.
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options })

const axisFormats = {
  day: [write({ month: 'short', day: 'numeric' })],
  month: [write({ month: 'short' }), write({ year: 'numeric' })],
  year: [write({ year: 'numeric' })],
} satisfies Record<Registrations['unit'], Intl.DateTimeFormat[]>

const fullFormats = {
  day: write({ dateStyle: 'medium' }),
  month: write({ month: 'long', year: 'numeric' }),
  year: write({ year: 'numeric' }),
} satisfies Record<Registrations['unit'], Intl.DateTimeFormat>

export function axisLines(start: string, unit: Registrations['unit']): string[] {
  return axisFormats[unit].map((format) => format.format(Date.parse(start)))
}

export function bucketText(start: string, unit: Registrations['unit']): string {
  return fullFormats[unit].format(Date.parse(start))
}
