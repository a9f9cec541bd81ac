import type { Readable } from 'node:stream'
import type { Actor } from '#server/actor.ts'
import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { writeSheets } from '#server/spreadsheet/workbook.ts'
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
import { statisticsSheets } from './sheets.ts'

interface StatisticsServiceOptions {
  repository: StatisticsRepository
  /** Where the audit trail is written. */
  database: Pick<AppDatabase, 'db'>
  audit: Audit
  clock: Clock
  /** The program's, whose calendar decides periods and days. */
  timeZone: string
  /** Asked each time, because settings may change them. */
  semesters: () => readonly SemesterDefinition[]
}

/** A workbook on its way. */
export interface StatisticsExport {
  fileName: string
  workbook: Readable
}

export type StatisticsService = ReturnType<typeof createStatisticsService>

/** What the statistics page shows (spec §2 Statistics page, §5 Statistics rules). */
export function createStatisticsService(options: StatisticsServiceOptions) {
  const { repository, database, audit, clock, timeZone, semesters } = options

  async function read({ period, component }: StatisticsFilters): Promise<Statistics> {
    const calendar: PeriodCalendar = { now: clock(), timeZone, semesters: semesters() }
    const registered = periodRange(period, calendar)
    const before = previousRange(period, calendar)
    const unit = period === 'last-7-days' ? 'day' : 'month'
    const selection = { component, registered, before, unit, timeZone } as const
    const { buckets, values, previousTotal } = await repository.read(selection)
    const periodDates = registered && datesOf(registered, calendar)
    const counted = composeStatistics(buckets, values)
    return {
      period,
      component,
      periodDates,
      ...counted,
      difference:
        before && previousTotal !== null
          ? { count: counted.total - previousTotal, previousTotal, previousDates: datesOf(before, calendar) }
          : null,
      registrations: registrationsOverTime(buckets, {
        span: periodDates,
        unit,
        today: calendarDateOf(calendar.now, timeZone),
      }),
    }
  }

  return {
    read,

    /** The same figures as a workbook, a sheet for each table. */
    async export(filters: StatisticsFilters, actor: Actor): Promise<StatisticsExport> {
      const statistics = await read(filters)
      await audit.record(database.db, entry('statistics-exported', filters, actor))
      const now = clock()
      const workbook = writeSheets({
        title: 'NSTP statistics',
        creator: 'NSTP Portal',
        created: now,
        timeZone,
        sheets: statisticsSheets(statistics),
      })
      return { fileName: `NSTP statistics ${calendarDateOf(now, timeZone)}.xlsx`, workbook }
    },

    /** Notes that the page was printed. */
    async notePrint(filters: StatisticsFilters, actor: Actor): Promise<void> {
      await audit.record(database.db, entry('statistics-printed', filters, actor))
    },
  }
}

/** Figures are of nobody in particular: the entry tells the filters. */
function entry(
  action: 'statistics-exported' | 'statistics-printed',
  filters: StatisticsFilters,
  actor: Actor,
) {
  return { action, actor, affected: 0, detail: { ...filters } }
}
