import { z } from '@hono/zod-openapi'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { adminRoutes, createRouter, json } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { periods } from '#shared/periods.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { defaultStatisticsFilters as defaults, namedEnlistments } from '#shared/statistics/statistics.ts'
import { componentFilters } from '#shared/students/students.ts'
import { createDashboardService } from './dashboard-service.ts'
import { createStatisticsService } from './service.ts'

const oneOf = <const T extends readonly string[]>(name: string, choices: T) =>
  z.enum(choices, `Please choose one of the listed options for ${name}: ${choices.join(', ')}.`)

// Unknown names are refused: a mistyped filter would count too much.
const statisticsFiltersSchema = z.strictObject(
  {
    period: oneOf('period', periods).default(defaults.period).openapi({
      description:
        'By registration date, in the program’s time zone: its semesters, the calendar year, the last 168 hours.',
    }),
    component: oneOf('component', componentFilters).default(defaults.component),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `Unknown filter: ${issue.keys.join(', ')}.` : undefined,
  },
)

const count = z.number().int()
const percent = z.number().openapi({ description: 'Of the total, with one decimal; 0 when the total is 0.' })
const share = z.object({ count, percent })
const span = z.object({ first: z.iso.date(), last: z.iso.date() })

const statisticsSchema = z
  .object({
    period: z.enum(periods),
    component: z.enum(componentFilters),
    periodDates: span.nullable().openapi({ description: 'What the period covers; null for all-time.' }),
    total: count.openapi({ description: 'All records of the period, archived ones too.' }),
    rotc: share,
    cwts: share,
    lts: share,
    archived: share,
    difference: z
      .object({
        count: count.openapi({ description: 'May be negative.' }),
        previousTotal: count,
        previousDates: span,
      })
      .nullable()
      .openapi({ description: 'Compared with the previous period; null for all-time.' }),
    gender: z.object({
      male: share,
      female: share,
      other: share,
      ratio: z.string().openapi({ description: 'Males to females.', example: '1.25:1' }),
    }),
    courses: z
      .array(
        z.object({
          rank: count,
          course: z.string(),
          count,
          percent,
          bar: z.number().openapi({ description: 'In percent of the top course.' }),
        }),
      )
      .openapi({ description: 'The five most popular.' }),
    yearLevels: z.array(
      z.object({
        yearLevel: count.nullable().openapi({ description: '1 to 5; null for the others.' }),
        count,
        percent,
      }),
    ),
    registrations: z
      .object({
        unit: z.enum(['day', 'month', 'year']),
        buckets: z.array(z.object({ start: z.iso.date(), count })),
      })
      .openapi({ description: 'Over time, without gaps.' }),
  })
  .openapi('Statistics')

// Spec §6 words it for this page.
const admin = adminRoutes('statistics', 'Authentication required. Please login.')

const readStatistics = admin.get('/statistics', 'Read the statistics', {
  request: { query: statisticsFiltersSchema },
  responses: { 200: json(statisticsSchema, 'Current values.') },
})

const exportStatistics = admin.get('/statistics/export.xlsx', 'Export the statistics', {
  description: 'A workbook with a sheet for each table.',
  request: { query: statisticsFiltersSchema },
  responses: { 200: workbookResponse },
})

const notePrint = admin.post('/statistics/prints', 'Record a print of the statistics', {
  request: { body: { content: { 'application/json': { schema: statisticsFiltersSchema } }, required: true } },
  responses: { 204: { description: 'Recorded in the audit trail.' } },
})

const countsSchema = z
  .object({
    totalStudents: count.openapi({ description: 'Active students.' }),
    rotcStudents: count.openapi({ description: 'Active students of ROTC.' }),
    cwtsStudents: count.openapi({ description: 'Active students of CWTS.' }),
    ltsStudents: count.openapi({ description: 'Active students of LTS.' }),
    recentRegistrations: count.openapi({ description: 'Active students registered in the last 30 days.' }),
    lastSevenDays: count.openapi({ description: 'Active students registered in the last 7 days.' }),
    archivedStudents: count.openapi({ description: 'Archived students.' }),
    activeAnnouncements: count.openapi({ description: 'Announcements that are public now.' }),
    enlistments: z
      .object({
        count: z.number().int(),
        latest: z
          .array(z.object({ id: z.uuid(), name: z.string(), at: z.iso.datetime() }))
          .openapi({ description: `The newest first, at most ${namedEnlistments}.` }),
      })
      .openapi({ description: 'Active students registered in the last 7 days, by the form or an import.' }),
  })
  .openapi('DashboardCounts')

const readDashboard = adminRoutes('students').get('/dashboard', 'Read the dashboard', {
  responses: { 200: json(countsSchema, 'Current values.') },
})

interface StatisticsOptions {
  settings: () => Settings
  countAnnouncements: () => Promise<number>
}

/** Spec §2 Statistics page. */
export function createStatistics(context: AppContext, { settings, countAnnouncements }: StatisticsOptions) {
  const statistics = createStatisticsService({ ...context, semesters: () => settings().semesters })
  const dashboard = createDashboardService({ ...context, countAnnouncements })
  return createRouter()
    .openapi(readDashboard, async (c) => c.json(await dashboard.counts(), 200))
    .openapi(readStatistics, async (c) => c.json(await statistics.read(c.req.valid('query')), 200))
    .openapi(exportStatistics, async (c) => {
      return sendWorkbook(c, await statistics.export(c.req.valid('query'), c.var.actor))
    })
    .openapi(notePrint, async (c) => {
      await statistics.notePrint(c.req.valid('json'), c.var.actor)
      return c.body(null, 204)
    })
}
