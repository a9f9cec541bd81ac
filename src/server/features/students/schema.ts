import { z } from '@hono/zod-openapi'
import { json } from '#server/http/router.ts'
import { studentListFields } from '#shared/students/student.ts'
import { fieldDefinition, type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'

const instant = z.iso.datetime()

// Typed by hand because fromEntries loses the key type.
const fieldTexts = Object.fromEntries(
  studentFieldNames.map((field) => [
    field,
    z.string().openapi({ description: fieldDefinition(field).label }),
  ]),
) as Record<StudentField, z.ZodString>

// For the same reason.
const listMask = Object.fromEntries(studentListFields.map((field) => [field, true])) as Record<
  (typeof studentListFields)[number],
  true
>

export const studentRecordSchema = z
  .object({
    ...fieldTexts,
    id: z.uuid(),
    reference: z
      .string()
      .openapi({ description: "The student's reference code.", example: 'NSTP-7KQ4-M2XD' }),
    yearLevel: z.number().int().min(1).max(5),
    status: z.string().openapi({ example: 'Registered' }),
    registrationDate: instant,
    archived: z.boolean(),
    archivedDate: instant.nullable(),
    consentVersion: z.string().openapi({ description: 'The version of the privacy notice.' }),
    consentedAt: instant,
    version: z.number().int().openapi({ description: 'Starts at 1 and grows with each change.' }),
  })
  .openapi('Student', { description: 'Every field as typed; an empty string if missing.' })

const isDuplicate = z.boolean().openapi({ description: 'Possible duplicate of another record.' })

const recordHeaders = z.object({
  ETag: z.string().openapi({ description: 'The version, quoted.', example: '"1"' }),
})

export const recordAnswer = { ...json(studentRecordSchema, 'The whole record.'), headers: recordHeaders }

export const studentResponse = {
  ...json(studentRecordSchema.extend({ isDuplicate }).openapi('StudentReading'), 'The whole record.'),
  headers: recordHeaders,
}

const studentListItemSchema = studentRecordSchema
  .pick(listMask)
  .extend({ isDuplicate })
  .openapi('StudentListItem')

export const studentPageSchema = z
  .object({
    items: z.array(studentListItemSchema),
    total: z.number().int().openapi({ description: 'On all pages.' }),
    anyRegistered: z.boolean().openapi({ description: 'Whether any record exists, regardless of filters.' }),
    page: z.number().int(),
    pageSize: z.number().int(),
    periodDates: z
      .object({ first: z.iso.date(), last: z.iso.date() })
      .nullable()
      .openapi({ description: 'The days that the period covers; null for all-time.' }),
  })
  .openapi('StudentPage')

export const studentIdsSchema = z
  .object({ ids: z.array(z.uuid()), total: z.number().int() })
  .openapi('StudentIds')
