import type { CalendarDate } from '#shared/program-calendar.ts'

export function academicYearOf(day: CalendarDate, firstMonth: number): string {
  const year = Number(day.slice(0, 4))
  return yearFrom(Number(day.slice(5, 7)) < firstMonth ? year - 1 : year)
}

/** Five, as the specification has: two before the year of this day, and two after it. */
export function academicYearsAround(day: CalendarDate, firstMonth: number): string[] {
  const begin = Number(academicYearOf(day, firstMonth).slice(0, 4))
  return [-2, -1, 0, 1, 2].map((step) => yearFrom(begin + step))
}

export function academicYearAfter(years: readonly string[]): string | null {
  const begins = years.map((year) => Number(year.slice(0, 4))).filter((year) => year > 0)
  return begins.length === 0 ? null : yearFrom(Math.max(...begins) + 1)
}

function yearFrom(begin: number): string {
  return `${begin}-${begin + 1}`
}
