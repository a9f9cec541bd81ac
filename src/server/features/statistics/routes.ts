import { createRoute } from '@hono/zod-openapi'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { statisticsFiltersSchema, statisticsSchema } from './schemas.ts'
import type { StatisticsService } from './service.ts'

const admin = {
  // Spec §6 words it for this page.
  middleware: [requireAdmin('Authentication required. Please login.')],
  security: [{ session: [] }],
  tags: ['statistics'],
}

const readStatistics = createRoute({
  ...admin,
  method: 'get',
  path: '/statistics',
  summary: 'Statistics of the students',
  request: { query: statisticsFiltersSchema },
  responses: {
    200: json(statisticsSchema, 'As of this moment.'),
    ...problems('invalid', 'unauthenticated'),
  },
})

/** The statistics page's figures (spec §2 Statistics page). */
export function createStatisticsRoutes({ statistics }: { statistics: StatisticsService }) {
  return createRouter().openapi(readStatistics, async (c) =>
    c.json(await statistics.read(c.req.valid('query')), 200),
  )
}
