import { z } from '@hono/zod-openapi'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { createRouter, done, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import { knownFilters, oneOf } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { periods } from '#shared/periods.ts'
import { defaultStatisticsFilters as defaults } from '#shared/statistics/statistics.ts'
import { dashboardSchema, statisticsSchema } from '#shared/statistics/statistics-response.ts'
import { componentFilters } from '#shared/students/students.ts'
import { createDashboardService, createStatisticsService, type DashboardOptions } from './service.ts'

const filterFields = {
  period: oneOf('period', periods)
    .default(defaults.period)
    .describe(
      'By registration date, in the program’s time zone: its semesters, the calendar year, the last 168 hours.',
    ),
  component: oneOf('component', componentFilters).default(defaults.component),
}

const statisticsFiltersSchema = z.strictObject(filterFields, knownFilters)

const exportSchema = z.strictObject(
  {
    ...filterFields,
    compare: oneOf('compare', periods).optional().describe('A second period, in columns beside the first.'),
  },
  knownFilters,
)

// Product 32.4.
const admin = staffRoutes('statistics', 'statistics', 'Authentication required. Please login.')

const readStatistics = admin.get('/statistics', 'Read the statistics', {
  query: statisticsFiltersSchema,
  responses: ok(statisticsSchema, 'Current values.'),
})

const exportStatistics = admin.get('/statistics/export.xlsx', 'Export the statistics', {
  description: 'A workbook with a sheet for each table.',
  query: exportSchema,
  responses: workbookResponse,
})

const notePrint = admin.post('/statistics/prints', 'Record a print of the statistics', {
  body: jsonBody(statisticsFiltersSchema, 'What was printed.'),
  responses: done('Recorded in the audit trail.'),
})

const readDashboard = staffRoutes('students', 'students.read').get('/dashboard', 'Read the dashboard', {
  responses: ok(dashboardSchema, 'Current values.'),
})

export function createStatistics(context: AppContext, needs: Omit<DashboardOptions, keyof AppContext>) {
  const statistics = createStatisticsService({ ...context, ...needs })
  const dashboard = createDashboardService({ ...context, ...needs })

  const routes = createRouter()
    .answer(readDashboard, ({ access }) => dashboard.counts(access))
    .answer(readStatistics, ({ query, access }) => statistics.read(query, access))
    .answer(exportStatistics, async ({ c, query, actor }) =>
      sendWorkbook(c, await statistics.export(query, actor)),
    )
    .answer(notePrint, ({ body, actor }) => statistics.notePrint(body, actor))
  return { routes }
}
