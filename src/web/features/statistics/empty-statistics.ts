import { countedYearLevels, type Share, type Statistics, type StatisticsFilters } from '#shared/statistics.ts'

const none: Share = { count: 0, percent: 0 }

/** What is shown when the figures can't be read: all of them zero (spec §8), never old ones. */
export function emptyStatistics(filters: StatisticsFilters): Statistics {
  return {
    ...filters,
    periodDates: null,
    total: 0,
    rotc: none,
    cwts: none,
    lts: none,
    archived: none,
    difference: null,
    gender: { male: none, female: none, other: none, ratio: '0:0' },
    courses: [],
    yearLevels: [...countedYearLevels, null].map((yearLevel) => ({ yearLevel, ...none })),
    registrations: { unit: 'month', buckets: [] },
  }
}
