import { createRoute, z } from '@hono/zod-openapi'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { StudentsService } from './service.ts'

const readYears = createRoute({
  method: 'get',
  path: '/students/academic-years',
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['students'],
  summary: 'The academic years that records hold',
  description: 'Also those that were taken off the list of the settings.',
  responses: {
    200: json(z.object({ items: z.array(z.string()) }).openapi('HeldAcademicYears'), 'In order.'),
    ...problems('unauthenticated'),
  },
})

/** What the list can be narrowed by, beside what is on offer. */
export function createYearsRoutes({ students }: { students: StudentsService }) {
  return createRouter().openapi(readYears, async (c) =>
    c.json({ items: await students.academicYears() }, 200),
  )
}
