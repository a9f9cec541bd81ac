import { parseAsStringLiteral } from 'nuqs/server'
import { periods } from '#shared/periods.ts'
import { defaultStatisticsFilters } from '#shared/statistics/statistics.ts'
import { componentFilters } from '#shared/students/students.ts'
import { createAddress } from '#web/lib/address.ts'

export const statisticsAddress = createAddress('/statistics', {
  period: parseAsStringLiteral(periods).withDefault(defaultStatisticsFilters.period),
  component: parseAsStringLiteral(componentFilters).withDefault(defaultStatisticsFilters.component),
})
