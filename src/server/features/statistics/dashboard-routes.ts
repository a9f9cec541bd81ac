import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json } from '#server/http/router.ts'
import { namedEnlistments } from '#shared/statistics/statistics.ts'
import type { DashboardService } from './service.ts'

const count = (description: string) => z.number().int().openapi({ description })

const countsSchema = z
  .object({
    totalStudents: count('Active students.'),
    rotcStudents: count('Active students of ROTC.'),
    cwtsStudents: count('Active students of CWTS.'),
    ltsStudents: count('Active students of LTS.'),
    recentRegistrations: count('Active students registered in the last 30 days.'),
    lastSevenDays: count('Active students registered in the last 7 days.'),
    archivedStudents: count('Archived students.'),
    activeAnnouncements: count('Announcements that are public now.'),
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

export function createDashboardRoutes({ dashboard }: { dashboard: DashboardService }) {
  return createRouter().openapi(readDashboard, async (c) => c.json(await dashboard.counts(), 200))
}
