import { Readable } from 'node:stream'
import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { attachment } from '#server/http/content-disposition.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { tagVersion } from '#server/http/version-tag.ts'
import { workbookType } from '#server/spreadsheet/workbook.ts'
import { createStudentBulkRoutes } from './bulk-routes.ts'
import type { StudentBulkChanges } from './bulk-service.ts'
import { createStudentChangeRoutes } from './change-routes.ts'
import type { StudentChanges } from './change-service.ts'
import { createDuplicateRoutes } from './duplicate-routes.ts'
import type { Duplicates } from './duplicates-service.ts'
import { createHeldRoutes } from './held-routes.ts'
import type { StudentPrints } from './print-service.ts'
import { studentFiltersSchema, studentListSchema } from './query.ts'
import { readingAnswer, studentIdsSchema, studentPageSchema } from './schemas.ts'
import type { StudentsService } from './service.ts'
import { createUnseenRoutes } from './unseen-routes.ts'
import type { UnseenStudents } from './unseen-service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['students'] }

const listStudents = createRoute({
  ...admin,
  method: 'get',
  path: '/students',
  summary: 'List students',
  description: 'A student is listed only if it passes every filter. Newest registration first by default.',
  request: { query: studentListSchema },
  responses: {
    200: json(studentPageSchema, 'One page, and how many there are in all.'),
    ...problems('invalid', 'unauthenticated'),
  },
})

const listStudentIds = createRoute({
  ...admin,
  method: 'get',
  path: '/students/ids',
  summary: 'Select all',
  description:
    'The ids of all listed students that are not archived, on every page, in the order of the list.',
  request: { query: studentFiltersSchema },
  responses: {
    200: json(studentIdsSchema, 'All at once, not by page.'),
    ...problems('invalid', 'unauthenticated', 'too_big'),
  },
})

const exportStudents = createRoute({
  ...admin,
  method: 'get',
  path: '/students/export.xlsx',
  summary: 'Export students',
  description: 'A workbook of exactly the listed students, with every field, streamed.',
  request: { query: studentFiltersSchema },
  responses: {
    200: {
      content: { [workbookType]: { schema: z.string().openapi({ format: 'binary' }) } },
      description: 'An .xlsx file.',
    },
    ...problems('invalid', 'unauthenticated', 'too_many_requests', 'unavailable'),
  },
})

const readStudent = createRoute({
  ...admin,
  method: 'get',
  path: '/students/{id}',
  summary: 'Read a student',
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: readingAnswer,
    ...problems('unauthenticated', 'not_found'),
  },
})

interface StudentRoutesOptions {
  students: StudentsService
  changes: StudentChanges
  bulk: StudentBulkChanges
  prints: StudentPrints
  duplicates: Duplicates
  unseen: UnseenStudents
}

/** The coordinator's way to the records (spec §2 Students tab). */
export function createStudentRoutes(options: StudentRoutesOptions) {
  const { students, changes, bulk, prints, duplicates, unseen } = options
  return (
    createRouter()
      .route('/', createStudentBulkRoutes({ bulk, prints }))
      .route('/', createDuplicateRoutes({ duplicates }))
      .route('/', createUnseenRoutes({ unseen }))
      .route('/', createHeldRoutes({ students }))
      .openapi(listStudents, async (c) => c.json(await students.list(c.req.valid('query')), 200))
      // Before {id}, which would take their names for one.
      .openapi(listStudentIds, async (c) => c.json(await students.activeIds(c.req.valid('query')), 200))
      .openapi(exportStudents, async (c) => {
        const { fileName, workbook } = await students.export(c.req.valid('query'), await actorOf(c))
        // Nobody reads the body of a HEAD request; the workbook must not wait for it.
        if (c.req.method === 'HEAD') workbook.destroy()
        c.header('Content-Type', workbookType)
        c.header('Content-Disposition', attachment(fileName))
        return c.body(Readable.toWeb(workbook), 200)
      })
      .openapi(readStudent, async (c) =>
        c.json(tagVersion(c, await students.read(c.req.valid('param').id, await actorOf(c))), 200),
      )
      .route('/', createStudentChangeRoutes({ changes }))
  )
}
