import { createRoute, z } from '@hono/zod-openapi'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { StudentsService } from './service.ts'

const common = {
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['students'],
  description: 'Also those that were taken off the list of the settings.',
}

function heldBody(name: string) {
  return json(z.object({ items: z.array(z.string()) }).openapi(name), 'In order.')
}

const readYears = createRoute({
  ...common,
  method: 'get',
  path: '/students/academic-years',
  summary: 'The academic years that records hold',
  responses: { 200: heldBody('HeldAcademicYears'), ...problems('unauthenticated') },
})

const readCourses = createRoute({
  ...common,
  method: 'get',
  path: '/students/courses',
  summary: 'The courses that records hold',
  responses: { 200: heldBody('HeldCourses'), ...problems('unauthenticated') },
})

/** What students can be narrowed by, beside what is on offer. */
export function createHeldRoutes({ students }: { students: StudentsService }) {
  return createRouter()
    .openapi(readYears, async (c) => c.json({ items: await students.academicYears() }, 200))
    .openapi(readCourses, async (c) => c.json({ items: await students.courses() }, 200))
}
