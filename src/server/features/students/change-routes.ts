import { z } from '@hono/zod-openapi'
import { selectionMs } from '#server/http/limits.ts'
import { adminRoutes, createRouter, json, jsonBody } from '#server/http/router.ts'
import { tagVersion } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { maxBulkStudents, maxSheetStudents } from '#shared/students/students.ts'
import { createDuplicates, createStudentBulkChanges, createStudentPrints } from './change-service.ts'
import { recordAnswer, studentRecordSchema } from './schema.ts'

const admin = adminRoutes('students')

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

const allOrNone = "All or none: if one of the records doesn't exist, nothing changes."
// 100,000 ids.
const limits = { body: { maxBytes: 4.5 * 1024 * 1024 }, deadlineMs: selectionMs }

const archiveStudents = admin.post('/students/archive', 'Archive students', {
  description: allOrNone,
  limits,
  request: {
    body: jsonBody(selection(maxBulkStudents, 'No students selected for archiving'), 'The students.'),
  },
  responses: { 200: bulkAnswer },
  problems: ['conflict'],
})

const unarchiveStudents = admin.post('/students/unarchive', 'Restore archived students', {
  description: allOrNone,
  limits,
  request: {
    body: jsonBody(selection(maxBulkStudents, 'No students selected for unarchiving'), 'The students.'),
  },
  responses: { 200: bulkAnswer },
  problems: ['conflict'],
})

const readSheets = admin.post('/students/sheets', 'Read students for printing', {
  description: 'Whole records in the given order. The audit trail records a print.',
  request: {
    body: jsonBody(selection(maxSheetStudents, 'No students selected for printing'), 'The students.'),
  },
  responses: {
    200: json(z.object({ items: z.array(studentRecordSchema) }).openapi('StudentSheets'), 'In order.'),
  },
  problems: ['conflict'],
})

const notePrint = admin.post('/students/prints', 'Record a print', {
  description: 'For prints of data that the browser already has.',
  request: {
    body: jsonBody(
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
  responses: { 204: { description: 'Recorded.' } },
})

const findDuplicates = admin.get('/students/{id}/duplicates', 'List possible duplicates', {
  description:
    'Records of the same academic year with the same name and birth date, e-mail address or ' +
    'student ID, unless marked as different people.',
  request: { params: z.object({ id: z.string() }) },
  responses: {
    200: json(
      z.object({ items: z.array(studentRecordSchema) }).openapi('StudentDuplicates'),
      'Oldest first.',
    ),
  },
  problems: ['not_found'],
})

const id = z.uuid('Please send the ids of two students.')
const version = z
  .number('Please send the versions that you saw.')
  .int('Please send the versions that you saw.')
  .min(1, 'Please send the versions that you saw.')

const choice = z.enum(['keep', 'drop'], "Please choose 'keep' or 'drop' for each field.").optional()

// Typed by hand because fromEntries loses the key type.
const choices = Object.fromEntries(studentFieldNames.map((field) => [field, choice])) as Record<
  StudentField,
  typeof choice
>

const mergeBody = z
  .strictObject({
    keepId: id,
    keepVersion: version,
    dropId: id,
    dropVersion: version,
    take: z
      .strictObject(choices, "Please choose 'keep' or 'drop' for fields of a student's record.")
      .openapi({ description: "Whose value each field gets; 'keep' by default." }),
  })
  .refine(({ keepId, dropId }) => keepId !== dropId, {
    path: ['dropId'],
    message: 'Please send the ids of two students.',
  })
  .openapi('StudentMerge')

const mergeStudents = admin.post('/students/merge', 'Merge two records', {
  description: 'The remaining record gets the chosen fields of the other one, which is deleted.',
  request: { body: jsonBody(mergeBody, 'The records, and whose values to use.') },
  responses: { 200: recordAnswer },
  problems: ['not_found', 'conflict'],
})

const dismissDuplicate = admin.post('/students/duplicates/dismiss', 'Mark two records as different people', {
  request: {
    body: jsonBody(
      z.strictObject({
        ids: z
          .tuple([id, id], 'Please send the ids of two students.')
          .refine(([one, other]) => one !== other, 'Please send the ids of two students.'),
      }),
      'The two records.',
    ),
  },
  responses: { 204: { description: 'Recorded.' } },
  problems: ['not_found'],
})

export function createBulkRoutes(context: AppContext) {
  const bulk = createStudentBulkChanges(context)
  const prints = createStudentPrints(context)
  const duplicates = createDuplicates(context)
  return createRouter()
    .openapi(archiveStudents, async (c) =>
      c.json(await bulk.archive(c.req.valid('json').ids, c.var.actor), 200),
    )
    .openapi(unarchiveStudents, async (c) =>
      c.json(await bulk.unarchive(c.req.valid('json').ids, c.var.actor), 200),
    )
    .openapi(readSheets, async (c) =>
      c.json({ items: await prints.sheets(c.req.valid('json').ids, c.var.actor) }, 200),
    )
    .openapi(notePrint, async (c) => {
      await prints.note(c.req.valid('json'), c.var.actor)
      return c.body(null, 204)
    })
    .openapi(findDuplicates, async (c) =>
      c.json({ items: await duplicates.find(c.req.valid('param').id, c.var.actor) }, 200),
    )
    .openapi(mergeStudents, async (c) =>
      c.json(tagVersion(c, await duplicates.merge(c.req.valid('json'), c.var.actor)), 200),
    )
    .openapi(dismissDuplicate, async (c) => {
      await duplicates.dismiss(c.req.valid('json').ids, c.var.actor)
      return c.body(null, 204)
    })
}
