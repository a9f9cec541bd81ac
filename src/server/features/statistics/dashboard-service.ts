import type { AppDatabase } from '#server/database/pool.ts'
import type { Clock } from '#server/lib/clock.ts'
import { lastDays } from '#shared/periods.ts'
import { recentDays } from '#shared/statistics/statistics.ts'
import type { DashboardCounts } from '#shared/statistics/statistics-response.ts'
import { createDashboardRepository } from './dashboard-repository.ts'

interface DashboardServiceOptions {
  database: AppDatabase
  timeZone: string
  countAnnouncements: () => Promise<number>
  clock: Clock
}

/** Spec §2, §9. The cards count active students, as the list that they open; archived ones are a separate figure. */
export function createDashboardService(options: DashboardServiceOptions) {
  const { database, timeZone, countAnnouncements, clock } = options
  const repository = createDashboardRepository(database, timeZone)
  return {
    async counts(): Promise<DashboardCounts> {
      const now = clock()
      const week = lastDays(7, now)
      const [students, enlistments, activeAnnouncements] = await Promise.all([
        repository.count({ recent: lastDays(recentDays, now), week }),
        repository.enlistments(week),
        countAnnouncements(),
      ])
      return { ...students, enlistments, activeAnnouncements }
    },
  }
}
