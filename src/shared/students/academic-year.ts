import type { CalendarDate } from '#shared/program-calendar.ts'

/** The academic year of a day, when years begin in `firstMonth`: 2026-11-20 with June → '2026-2027'. */
export function academicYearOf(day: CalendarDate, firstMonth: number): string {
  const year = Number(day.slice(0, 4))
  return yearFrom(Number(day.slice(5, 7)) < firstMonth ? year - 1 : year)
}

/** The year after the latest of a list; null without one. */
export function academicYearAfter(years: readonly string[]): string | null {
  const begins = years.map((year) => Number(year.slice(0, 4))).filter((year) => year > 0)
  return begins.length === 0 ? null : yearFrom(Math.max(...begins) + 1)
}

function yearFrom(begin: number): string {
  return `${begin}-${begin + 1}`
}
