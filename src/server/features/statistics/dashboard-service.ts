import type { Clock } from '#server/lib/clock.ts'
import { lastDays } from '#shared/periods.ts'
import { type DashboardCounts, recentDays } from '#shared/statistics/statistics.ts'
import type { DashboardRepository } from './dashboard-repository.ts'

interface DashboardServiceOptions {
  repository: DashboardRepository
  /** How many announcements are public now. */
  countAnnouncements: () => Promise<number>
  clock: Clock
}

export type DashboardService = ReturnType<typeof createDashboardService>

/**
 * The figures of the dashboard (spec §2, §9). The cards count active students: each opens the students list,
 * which hides archived ones unless asked, and must show as many rows as the card says. How many are archived
 * is a figure of its own, so the two together are all records.
 */
export function createDashboardService({ repository, countAnnouncements, clock }: DashboardServiceOptions) {
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
