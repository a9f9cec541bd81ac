import type { CalendarDate } from '#shared/program-calendar.ts'

export function academicYearOf(day: CalendarDate, firstMonth: number): string {
  const year = Number(day.slice(0, 4))
  return yearFrom(Number(day.slice(5, 7)) < firstMonth ? year - 1 : year)
}

/** Five (product 25.3): two before the year of this day, and two after it. */
export function academicYearsAround(day: CalendarDate, firstMonth: number): string[] {
  const begin = Number(academicYearOf(day, firstMonth).slice(0, 4))
  return [-2, -1, 0, 1, 2].map((step) => yearFrom(begin + step))
}

/**
 * What the office has to look at in its years: new enlistments would be given a year that has ended, or, from a month
 * before the last year on offer begins, there is none to plan the next one with.
 */
export function agingYears(
  { chosen, offered, firstMonth }: { chosen: string; offered: readonly string[]; firstMonth: number },
  day: CalendarDate,
): { ended: string | null; last: string | null } {
  const last = [...offered].sort().at(-1) ?? null
  const [year, month] = [Number(last?.slice(0, 4)), firstMonth]
  const from = month === 1 ? [year - 1, 12] : [year, month - 1]
  const monthBefore = `${from[0]}-${String(from[1]).padStart(2, '0')}-01`
  return {
    ended: chosen !== '' && chosen < academicYearOf(day, firstMonth) ? chosen : null,
    last: last !== null && day >= monthBefore ? last : null,
  }
}

export function academicYearAfter(years: readonly string[]): string | null {
  const begins = years.map((year) => Number(year.slice(0, 4))).filter((year) => year > 0)
  return begins.length === 0 ? null : yearFrom(Math.max(...begins) + 1)
}

function yearFrom(begin: number): string {
  return `${begin}-${begin + 1}`
}
