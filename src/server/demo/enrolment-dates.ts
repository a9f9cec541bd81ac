import type { CalendarDate } from '#shared/program-calendar.ts'
import { academicYears } from '#shared/student-choices.ts'
import type { Random } from './random.ts'

const dayMs = 86_400_000
/** Academic years that the demo spans. */
const yearsSpanned = 3
/** Shares of the newest year's students who enlisted in the last days, so that the short periods show some. */
const lastMonthShare = 0.08
const lastWeekShare = 0.03

/**
 * The demo's school is in the Philippines, whatever the clock of the machine: eight hours ahead all year
 * round. Intl knows that too, but takes longer for each date than the rest of a record.
 */
export function dayInManila(instant: Date): CalendarDate {
  return new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
}

/** The three academic years up to the one that a day lies in, oldest first. They begin in June. */
export function demoAcademicYears(today: CalendarDate): string[] {
  const month = Number(today.slice(5, 7))
  const startYear = Number(today.slice(0, 4)) - (month < 6 ? 1 : 0)
  const begun = academicYears.filter((year) => Number(year.slice(0, 4)) <= startYear)
  return begun.length === 0 ? [academicYears[0]] : begun.slice(-yearsSpanned)
}

/** When a student of an academic year may have enlisted: before each semester mostly, never in the future. */
export function enrolmentDate(
  random: Random,
  { academicYear, isNewest, now }: { academicYear: string; isNewest: boolean; now: Date },
): Date {
  if (isNewest) {
    if (random.chance(lastWeekShare)) return daysBefore(random, now, 7)
    if (random.chance(lastMonthShare)) return daysBefore(random, now, 30)
  }
  const start = Number(academicYear.slice(0, 4))
  const windows = [
    { from: `${start}-06-10`, days: 82, weight: 78 },
    { from: `${start}-09-01`, days: 120, weight: 4 },
    { from: `${start + 1}-01-03`, days: 28, weight: 18 },
  ].filter(({ from }) => startOf(from) < now.getTime())
  if (windows.length === 0) return daysBefore(random, now, 30)
  const { from, days } = random.weigh(windows.map((window) => [window, window.weight]))
  const end = Math.min(startOf(from) + days * dayMs, now.getTime())
  const day = startOf(from) + Math.floor((random.next() * (end - startOf(from))) / dayMs) * dayMs
  return new Date(Math.min(day + timeOfDay(random), now.getTime()))
}

function daysBefore(random: Random, now: Date, days: number): Date {
  return new Date(now.getTime() - Math.floor(random.next() * days * dayMs))
}

/** Midnight in Manila, in milliseconds. */
function startOf(day: CalendarDate): number {
  return Date.parse(`${day}T00:00:00+08:00`)
}

/** From seven in the morning to eleven at night, in milliseconds. */
function timeOfDay(random: Random): number {
  return (7 + random.next() * 16) * 3_600_000
}
