import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { restrictions } from '#shared/privacy/privacy.ts'
import { everyField, fieldDefinition } from './student-fields.ts'
import { maxSheetStudents, studentListFields } from './students.ts'

const instant = z.iso.datetime()

// Typed by hand because fromEntries loses the key type.
const listMask = Object.fromEntries(studentListFields.map((field) => [field, true])) as Record<
  (typeof studentListFields)[number],
  true
>

export const studentRecordSchema = z
  .object({
    ...everyField((field) => z.string().describe(fieldDefinition(field).label)),
    id: z.uuid(),
    reference: z
      .string()
      .openapi({ description: "The student's reference code.", example: 'NSTP-7KQ4-M2XD' }),
    yearLevel: z.int().min(1).max(5),
    status: z.string().openapi({ example: 'Registered' }),
    registrationDate: instant,
    archived: z.boolean(),
    archivedDate: instant.nullable(),
    consentVersion: z.string().describe('The version of the privacy notice.'),
    consentedAt: instant.nullable().describe('Null for who may not see it.'),
    guardianConsentedAt: instant.nullable().describe('Of a student below 18.'),
    restriction: z
      .enum(restrictions)
      .nullable()
      .describe('Left out of bulk mail and exports; null for none.'),
    version: z.int().describe('Starts at 1 and grows with each change.'),
  })
  .openapi('Student', { description: 'Every field as typed; an empty string if missing.' })

const isDuplicate = z.boolean().describe('Possible duplicate of another record.')

export const editedStudentSchema = studentRecordSchema
  .extend({
    movedIn: z
      .array(z.string())
      .optional()
      .openapi({
        description: 'Terms whose enrollment moved to the new component, without a section.',
        example: ['First semester 2026-2027'],
      }),
  })
  .openapi('EditedStudent')

export const studentViewSchema = studentRecordSchema.extend({ isDuplicate }).openapi('StudentReading')

const studentListItemSchema = studentRecordSchema
  .pick(listMask)
  .extend({ isDuplicate })
  .openapi('StudentListItem')

export const studentPageSchema = namedObject('StudentPage', {
  items: z.array(studentListItemSchema),
  total: z.int().describe('On all pages.'),
  anyRegistered: z.boolean().describe('Whether any record exists, regardless of filters.'),
  page: z.int(),
  pageSize: z.int(),
  periodDates: z
    .object({ first: z.iso.date(), last: z.iso.date() })
    .nullable()
    .describe('The days that the period covers; null for all-time.'),
})

export const studentIdsSchema = namedObject('StudentIds', { ids: z.array(z.uuid()), total: z.int() })

export const bulkChangeSchema = namedObject('BulkChange', {
  count: z.int(),
  ids: z.array(z.uuid()).describe('The changed records.'),
})

export const idMessage = 'Please send the ids of students as a list.'

export const idList = (max: number) =>
  z
    .array(z.uuid(idMessage), idMessage)
    .max(max, `Please select ${max.toLocaleString('en')} students or fewer.`)

const countMessage = 'Please send how many students are printed.'

export const printNoteSchema = z
  .strictObject({
    kind: z.enum(['list', 'sheet'], "Please send what is printed: 'list' or 'sheet'."),
    count: z.number(countMessage).int().min(1, countMessage).max(1_000_000_000, countMessage),
    ids: idList(maxSheetStudents).optional(),
  })
  .refine(({ count, ids }) => ids === undefined || ids.length === count, {
    path: ['count'],
    message: countMessage,
  })
  .openapi('PrintNote')

export const studentId = z.uuid('Please send the ids of two students.')
const versionMessage = 'Please send the versions that you saw.'
const version = z.number(versionMessage).int(versionMessage).min(1, versionMessage)

const choice = z.enum(['keep', 'drop'], "Please choose 'keep' or 'drop' for each field.").optional()

export const studentMergeSchema = z
  .strictObject({
    keepId: studentId,
    keepVersion: version,
    dropId: studentId,
    dropVersion: version,
    take: z
      .strictObject(
        everyField(() => choice),
        "Please choose 'keep' or 'drop' for fields of a student's record.",
      )
      .describe("Whose value each field gets; 'keep' by default."),
  })
  .refine(({ keepId, dropId }) => keepId !== dropId, {
    path: ['dropId'],
    message: 'Please send the ids of two students.',
  })
  .openapi('StudentMerge')

export type StudentRecord = z.infer<typeof studentRecordSchema>
export type StudentView = z.infer<typeof studentViewSchema>
export type StudentListItem = z.infer<typeof studentListItemSchema>
export type StudentPage = z.infer<typeof studentPageSchema>
export type PrintNote = z.infer<typeof printNoteSchema>
export type StudentMerge = z.infer<typeof studentMergeSchema>
