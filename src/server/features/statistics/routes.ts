import { Readable } from 'node:stream'
import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { attachment } from '#server/http/content-disposition.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { workbookType } from '#server/spreadsheet/workbook.ts'
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

const exportStatistics = createRoute({
  ...admin,
  method: 'get',
  path: '/statistics/export.xlsx',
  summary: 'Export the statistics',
  description: 'A workbook with a sheet for each table of the page.',
  request: { query: statisticsFiltersSchema },
  responses: {
    200: {
      content: { [workbookType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'An .xlsx file.',
    },
    ...problems('invalid', 'unauthenticated'),
  },
})

const notePrint = createRoute({
  ...admin,
  method: 'post',
  path: '/statistics/prints',
  summary: 'Note that the statistics were printed',
  request: { body: { content: { 'application/json': { schema: statisticsFiltersSchema } }, required: true } },
  responses: { 204: { description: 'Noted in the audit trail.' }, ...problems('invalid', 'unauthenticated') },
})

/** The statistics page's figures (spec §2 Statistics page). */
export function createStatisticsRoutes({ statistics }: { statistics: StatisticsService }) {
  return createRouter()
    .openapi(readStatistics, async (c) => c.json(await statistics.read(c.req.valid('query')), 200))
    .openapi(exportStatistics, async (c) => {
      const { fileName, workbook } = await statistics.export(c.req.valid('query'), await actorOf(c))
      // Nobody reads the body of a HEAD request; the workbook must not wait for it.
      if (c.req.method === 'HEAD') workbook.destroy()
      c.header('Content-Type', workbookType)
      c.header('Content-Disposition', attachment(fileName))
      return c.body(Readable.toWeb(workbook), 200)
    })
    .openapi(notePrint, async (c) => {
      await statistics.notePrint(c.req.valid('json'), await actorOf(c))
      return c.body(null, 204)
    })
}
