import type { Period } from '#shared/periods.ts'
import type { ComponentFilter } from '#shared/students/students.ts'

// Product 21.2.
export const popularCourses = 5
export const countedYearLevels = [1, 2, 3, 4, 5] as const
export const unknownCourse = 'Unknown'

export interface StatisticsFilters {
  period: Period
  component: ComponentFilter
}

export const defaultStatisticsFilters: StatisticsFilters = { period: 'all-time', component: 'all' }

/** One decimal, 0 without a whole (product 21.3). */
export function percentOf(count: number, total: number): number {
  return total === 0 ? 0 : Math.round((1000 * count) / total) / 10
}

export function genderRatio(male: number, female: number): string {
  if (male === 0 || female === 0) return `${male}:${female}`
  const larger = Math.round((100 * Math.max(male, female)) / Math.min(male, female)) / 100
  return male >= female ? `${larger}:1` : `1:${larger}`
}

// In days (product 8.5).
export const recentDays = 30

export const namedEnlistments = 3
