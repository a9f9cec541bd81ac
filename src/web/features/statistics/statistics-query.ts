import { periods } from '#shared/periods.ts'
import { defaultStatisticsFilters, type StatisticsFilters } from '#shared/statistics/statistics.ts'
import { componentFilters } from '#shared/students/students.ts'

export const statisticsPath = '/statistics'

/** Invalid parameters are ignored. */
export function readStatisticsFilters(params: URLSearchParams): StatisticsFilters {
  const { period, component } = defaultStatisticsFilters
  return {
    period: periods.find((choice) => choice === params.get('period')) ?? period,
    component: componentFilters.find((choice) => choice === params.get('component')) ?? component,
  }
}

export function writeStatisticsFilters(filters: StatisticsFilters): string {
  const params = new URLSearchParams()
  for (const name of ['period', 'component'] as const) {
    if (filters[name] !== defaultStatisticsFilters[name]) params.set(name, filters[name])
  }
  const query = params.toString()
  return query && `?${query}`
}
