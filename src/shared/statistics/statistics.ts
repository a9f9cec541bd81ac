import type { DateSpan, Period } from '#shared/periods.ts'
import type { ComponentFilter } from '#shared/students/students.ts'

// Spec §9.
export const popularCourses = 5
// Spec §5.
export const countedYearLevels = [1, 2, 3, 4, 5] as const
// Spec §5.
export const unknownCourse = 'Unknown'

export interface StatisticsFilters {
  period: Period
  component: ComponentFilter
}

export const defaultStatisticsFilters: StatisticsFilters = { period: 'all-time', component: 'all' }

export interface Share {
  count: number
  percent: number
}

export interface CourseRank extends Share {
  rank: number
  course: string
  bar: number
}

export interface YearLevelShare extends Share {
  yearLevel: number | null
}

export interface Registrations {
  unit: 'day' | 'month' | 'year'
  buckets: {
    start: string
    count: number
  }[]
}

export interface Statistics extends StatisticsFilters {
  periodDates: DateSpan | null
  total: number
  rotc: Share
  cwts: Share
  lts: Share
  archived: Share
  difference: {
    count: number
    previousTotal: number
    previousDates: DateSpan
  } | null
  gender: {
    male: Share
    female: Share
    other: Share
    ratio: string
  }
  courses: CourseRank[]
  yearLevels: YearLevelShare[]
  registrations: Registrations
}

/** One decimal, 0 without a whole (spec §5). */
export function percentOf(count: number, total: number): number {
  return total === 0 ? 0 : Math.round((1000 * count) / total) / 10
}

export function genderRatio(male: number, female: number): string {
  if (male === 0 || female === 0) return `${male}:${female}`
  const larger = Math.round((100 * Math.max(male, female)) / Math.min(male, female)) / 100
  return male >= female ? `${larger}:1` : `1:${larger}`
}

// days (spec §9).
export const recentDays = 30

export const namedEnlistments = 3

/** Who is registered in the last 7 days, by the form or an import, and isn't archived. */
export interface Enlistments {
  count: number
  latest: { id: string; name: string; at: string }[]
}

export interface StudentCounts {
  totalStudents: number
  rotcStudents: number
  cwtsStudents: number
  ltsStudents: number
  recentRegistrations: number
  lastSevenDays: number
  archivedStudents: number
}

export interface DashboardCounts extends StudentCounts {
  activeAnnouncements: number
  enlistments: Enlistments
}
