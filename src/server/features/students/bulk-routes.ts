import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { maxBulkStudents, maxSheetStudents } from '#shared/students/students.ts'
import type { StudentBulkChanges, StudentPrints } from './bulk-service.ts'
import { studentRecordSchema } from './schema.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['students'] }

const idMessage = 'Please send the ids of students as a list.'

const idList = (max: number) =>
  z
    .array(z.uuid(idMessage), idMessage)
    .max(max, `Please select ${max.toLocaleString('en')} students or fewer.`)

const selection = (max: number, nothing: string) =>
  z.strictObject({ ids: idList(max).min(1, nothing) }, idMessage)

const bulkAnswer = json(
  z
    .object({
      count: z.number().int(),
      ids: z.array(z.uuid()).openapi({ description: 'The changed records.' }),
    })
    .openapi('BulkChange'),
  "The changed records. Records already in that state don't count.",
)

const bulk = {
  ...admin,
  method: 'post',
  description: "All or none: if one of the records doesn't exist, nothing changes.",
} as const

const archiveStudents = createRoute({
  ...bulk,
  path: '/students/archive',
  summary: 'Archive students',
  request: {
    body: {
      required: true,
      ...json(selection(maxBulkStudents, 'No students selected for archiving'), 'The students.'),
    },
  },
  responses: { 200: bulkAnswer, ...problems('invalid', 'unauthenticated', 'conflict', 'too_big') },
})

const unarchiveStudents = createRoute({
  ...bulk,
  path: '/students/unarchive',
  summary: 'Restore archived students',
  request: {
    body: {
      required: true,
      ...json(selection(maxBulkStudents, 'No students selected for unarchiving'), 'The students.'),
    },
  },
  responses: { 200: bulkAnswer, ...problems('invalid', 'unauthenticated', 'conflict', 'too_big') },
})

const readSheets = createRoute({
  ...admin,
  method: 'post',
  path: '/students/sheets',
  summary: 'Read students for printing',
  description: 'Whole records in the given order. The audit trail records a print.',
  request: {
    body: {
      required: true,
      ...json(selection(maxSheetStudents, 'No students selected for printing'), 'The students.'),
    },
  },
  responses: {
    200: json(z.object({ items: z.array(studentRecordSchema) }).openapi('StudentSheets'), 'In order.'),
    ...problems('invalid', 'unauthenticated', 'conflict'),
  },
})

const notePrint = createRoute({
  ...admin,
  method: 'post',
  path: '/students/prints',
  summary: 'Record a print',
  description: 'For prints of data that the browser already has.',
  request: {
    body: {
      required: true,
      ...json(
        z
          .strictObject({
            kind: z.enum(['list', 'sheet'], "Please send what is printed: 'list' or 'sheet'."),
            count: z
              .number('Please send how many students are printed.')
              .int()
              .min(1, 'Please send how many students are printed.')
              .max(1_000_000_000, 'Please send how many students are printed.'),
            ids: idList(maxSheetStudents).optional(),
          })
          .openapi('PrintNote'),
        'The printed data.',
      ),
    },
  },
  responses: { 204: { description: 'Recorded.' }, ...problems('invalid', 'unauthenticated') },
})

interface StudentBulkRoutesOptions {
  bulk: StudentBulkChanges
  prints: StudentPrints
}

export function createStudentBulkRoutes({ bulk, prints }: StudentBulkRoutesOptions) {
  return createRouter()
    .openapi(archiveStudents, async (c) =>
      c.json(await bulk.archive(c.req.valid('json').ids, await actorOf(c)), 200),
    )
    .openapi(unarchiveStudents, async (c) =>
      c.json(await bulk.unarchive(c.req.valid('json').ids, await actorOf(c)), 200),
    )
    .openapi(readSheets, async (c) =>
      c.json({ items: await prints.sheets(c.req.valid('json').ids, await actorOf(c)) }, 200),
    )
    .openapi(notePrint, async (c) => {
      await prints.note(c.req.valid('json'), await actorOf(c))
      return c.body(null, 204)
    })
}
