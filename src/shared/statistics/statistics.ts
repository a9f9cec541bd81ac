import type { DateSpan, Period } from '#shared/periods.ts'
import type { ComponentFilter } from '#shared/students/students.ts'

/** How many courses the statistics name (spec §9). */
export const popularCourses = 5
/** The year levels that are told apart; every other one is among the others (spec §5). */
export const countedYearLevels = [1, 2, 3, 4, 5] as const
/** How a record without a course is counted (spec §5). */
export const unknownCourse = 'Unknown'

/** What the statistics are narrowed by. */
export interface StatisticsFilters {
  period: Period
  component: ComponentFilter
}

export const defaultStatisticsFilters: StatisticsFilters = { period: 'all-time', component: 'all' }

/** A part of the total. */
export interface Share {
  count: number
  /** Of the total, with one decimal; 0 when the total is 0. */
  percent: number
}

/** One place among the most popular courses. */
export interface CourseRank extends Share {
  /** From 1. */
  rank: number
  course: string
  /** The bar's length in percent of the top course's. */
  bar: number
}

export interface YearLevelShare extends Share {
  /** 1 to 5; null for the others. */
  yearLevel: number | null
}

/** How many registered over time. The buckets follow each other without a gap and add up to the total. */
export interface Registrations {
  unit: 'day' | 'month' | 'year'
  buckets: {
    /** The bucket's first calendar date. */
    start: string
    count: number
  }[]
}

/** The statistics page's figures. All records of the period count, archived ones too. */
export interface Statistics extends StatisticsFilters {
  /** What the period covers; null for all time. */
  periodDates: DateSpan | null
  total: number
  rotc: Share
  cwts: Share
  lts: Share
  /** How many of the total are archived. */
  archived: Share
  /** Against the period before, of the same kind; null for all time, which has none. */
  difference: {
    /** The total less that of the period before: may be negative. */
    count: number
    previousTotal: number
    previousDates: DateSpan
  } | null
  gender: {
    male: Share
    female: Share
    other: Share
    /** Males to females, the smaller side as 1: '1.25:1'. Without one of them, the counts: '3:0'. */
    ratio: string
  }
  /** The most popular first, at most five; empty when nobody is counted. */
  courses: CourseRank[]
  /** Year 1 to 5 and the others, always all six. */
  yearLevels: YearLevelShare[]
  registrations: Registrations
}

/** A part of the whole in percent with one decimal, 0 when there is no whole (spec §5). */
export function percentOf(count: number, total: number): number {
  return total === 0 ? 0 : Math.round((1000 * count) / total) / 10
}

/** Males to females, the smaller side as 1; the counts themselves when one side has nobody. */
export function genderRatio(male: number, female: number): string {
  if (male === 0 || female === 0) return `${male}:${female}`
  const larger = Math.round((100 * Math.max(male, female)) / Math.min(male, female)) / 100
  return male >= female ? `${larger}:1` : `1:${larger}`
}

/** How far back a registration counts as recent, in days (spec §9). */
export const recentDays = 30

/** So many enlistments are named one by one among the recent activity; more are one line. */
export const namedEnlistments = 3

/** Who is registered in the last 7 days, by the form or an import, and isn't archived. */
export interface Enlistments {
  count: number
  /** The newest first, at most `namedEnlistments`. Instants are ISO texts. */
  latest: { id: string; name: string; at: string }[]
}

/** What is counted of the students. */
export interface StudentCounts {
  totalStudents: number
  rotcStudents: number
  cwtsStudents: number
  ltsStudents: number
  /** Registrations of the last 30 days. */
  recentRegistrations: number
  /** Of those, the ones of the last 7 days: what the card opens. */
  lastSevenDays: number
  archivedStudents: number
}

/** The counts of the dashboard's cards. */
export interface DashboardCounts extends StudentCounts {
  /** Announcements that are public now. */
  activeAnnouncements: number
  enlistments: Enlistments
}
