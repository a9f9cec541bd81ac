import { periods } from '#shared/periods.ts'
import { defaultStatisticsFilters, type StatisticsFilters } from '#shared/statistics/statistics.ts'
import { componentFilters } from '#shared/students/students.ts'

export const statisticsPath = '/statistics'

/** Reads the filters of an address. What it says wrongly counts as not said: an old link still opens the page. */
export function readStatisticsFilters(params: URLSearchParams): StatisticsFilters {
  const { period, component } = defaultStatisticsFilters
  return {
    period: periods.find((known) => known === params.get('period')) ?? period,
    component: componentFilters.find((known) => known === params.get('component')) ?? component,
  }
}

/** Writes the filters as a query string, defaults left out; '' when that leaves nothing. */
export function writeStatisticsFilters(filters: StatisticsFilters): string {
  const params = new URLSearchParams()
  for (const name of ['period', 'component'] as const) {
    if (filters[name] !== defaultStatisticsFilters[name]) params.set(name, filters[name])
  }
  const query = params.toString()
  return query && `?${query}`
}
