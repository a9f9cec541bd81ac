import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { restrictions } from '#shared/privacy/privacy.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { enrolmentEntries, enrolmentStatuses } from './enrolments.ts'
import { levels, outcomes } from './terms.ts'
import { studentOfClass } from './terms-response.ts'

const listedStudent = z.object({
  ...studentOfClass.shape,
  academicYear: z.string(),
  restriction: z.enum(restrictions).nullable(),
})

export const place = {
  component: z.enum(nstpComponents),
  level: z.literal(levels),
  section: z
    .object({ id: z.uuid(), unit: z.string(), name: z.string() })
    .nullable()
    .describe('Null for none.'),
  status: z.enum(enrolmentStatuses).describe('moved: to another component or level, where another one is.'),
  statusOn: z.iso.date(),
  reason: z.string().describe('Of a drop or a move; empty without the permission to change enrollments.'),
  entry: z
    .enum(enrolmentEntries)
    .optional()
    .describe(
      'For who may read marks, as the mark and the outcome: a student who repeats a level failed it.',
    ),
  school: z.string().describe('The home school of who is cross-enrolled.'),
  officialAt: z.iso.datetime().nullable().describe('When the registrar’s list had it.'),
  mark: z.string().optional(),
  outcome: z.enum(outcomes).optional(),
}

export const enrolmentPageSchema = namedObject('EnrolmentPage', {
  items: z.array(z.object({ id: z.uuid(), version: z.int(), student: listedStudent, ...place })),
  total: z.int().describe('On all pages.'),
  page: z.int(),
  pageSize: z.int(),
})

export const unplacedPageSchema = namedObject('UnplacedPage', {
  items: z
    .array(
      z.object({
        student: listedStudent,
        enrolmentId: z.uuid().nullable().describe('Of who is enrolled without a section; else null.'),
        version: z.int().nullable().describe('Of that enrollment.'),
        entry: z.enum(enrolmentEntries),
      }),
    )
    .describe('In the order of names.'),
  total: z.int().describe('On all pages.'),
  page: z.int(),
  pageSize: z.int(),
})

export const movedEnrolmentSchema = namedObject('MovedEnrolment', {
  batchId: z.uuid(),
  id: z.uuid().describe('The same within a component and level; else the new one.'),
  version: z.int(),
})

export type EnrolmentPage = z.infer<typeof enrolmentPageSchema>
export type EnrolmentItem = EnrolmentPage['items'][number]
export type UnplacedPage = z.infer<typeof unplacedPageSchema>
export type UnplacedItem = UnplacedPage['items'][number]
export type ListedStudent = z.infer<typeof listedStudent>
