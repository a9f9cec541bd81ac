import type { Clock } from '#server/clock.ts'
import {
  datesOf,
  type PeriodCalendar,
  periodRange,
  previousRange,
  type SemesterDefinition,
} from '#shared/periods.ts'
import { calendarDateOf } from '#shared/program-calendar.ts'
import type { Statistics, StatisticsFilters } from '#shared/statistics.ts'
import { composeStatistics } from './compose.ts'
import { registrationsOverTime } from './registrations.ts'
import type { StatisticsRepository } from './repository.ts'

interface StatisticsServiceOptions {
  repository: StatisticsRepository
  clock: Clock
  /** The program's, whose calendar decides periods and days. */
  timeZone: string
  /** Asked each time, because settings may change them. */
  semesters: () => readonly SemesterDefinition[]
}

export type StatisticsService = ReturnType<typeof createStatisticsService>

/** What the statistics page shows (spec §2 Statistics page, §5 Statistics rules). */
export function createStatisticsService(options: StatisticsServiceOptions) {
  const { repository, clock, timeZone, semesters } = options

  return {
    async read({ period, component }: StatisticsFilters): Promise<Statistics> {
      const calendar: PeriodCalendar = { now: clock(), timeZone, semesters: semesters() }
      const registered = periodRange(period, calendar)
      const before = previousRange(period, calendar)
      const unit = period === 'last-7-days' ? 'day' : 'month'
      const { buckets, values, previousTotal } = await repository.read({
        component,
        registered,
        before,
        unit,
        timeZone,
      })
      const periodDates = registered && datesOf(registered, calendar)
      const counted = composeStatistics(buckets, values)
      return {
        period,
        component,
        periodDates,
        ...counted,
        difference:
          before && previousTotal !== null
            ? {
                count: counted.total - previousTotal,
                previousTotal,
                previousDates: datesOf(before, calendar),
              }
            : null,
        registrations: registrationsOverTime(buckets, {
          span: periodDates,
          unit,
          today: calendarDateOf(calendar.now, timeZone),
        }),
      }
    },
  }
}
