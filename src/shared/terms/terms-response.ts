import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { continuingChoices, continuingGroups } from './continuing.ts'
import { leftReasons } from './placing.ts'
import { enrolmentChanges, levels, sectionTakes, semesters, termStates } from './terms.ts'

const count = z.int().min(0)

export const termSchema = namedObject('Term', {
  id: z.uuid(),
  academicYear: z.string().openapi({ example: '2026-2027' }),
  semester: z.literal(semesters).describe('3 is the summer.'),
  startsOn: z.iso.date(),
  endsOn: z.iso.date(),
  state: z.enum(termStates),
  version: z.int(),
})

export const termListSchema = namedObject('TermList', { items: z.array(termSchema) })

export const termSummarySchema = namedObject('TermSummary', {
  items: z
    .array(
      z.object({
        component: z.enum(nstpComponents),
        level: z.literal(levels),
        sections: count,
        capacity: count.describe('Of all sections.'),
        placed: count.describe('Enrolled students with a section.'),
        withoutSection: count.describe('Enrolled students without one.'),
        official: count.describe('Enrolled students whom the registrar’s list had.'),
        marked: count.optional().describe('Enrolled students with a mark, for who may read marks.'),
        waiting: count.describe('Students who aren’t enrolled, and whose next level it is.'),
      }),
    )
    .describe('One for each component that the account sees, and level.'),
})

export const sectionSchema = namedObject('Section', {
  id: z.uuid(),
  component: z.enum(nstpComponents),
  level: z.literal(levels),
  unit: z.string().describe("'' for none, as for adviser and meets."),
  name: z.string(),
  capacity: count,
  takes: z.enum(sectionTakes),
  courses: z.array(z.string()).describe('Empty: all.'),
  adviser: z.string(),
  meets: z.string(),
  students: count.describe('Enrolled now.'),
  official: count.describe('Of them, those whom the registrar’s list had.'),
  version: z.int(),
})

export const sectionListSchema = namedObject('SectionList', { items: z.array(sectionSchema) })

export const studentOfClass = z.object({
  id: z.uuid(),
  lastName: z.string(),
  firstName: z.string(),
  middleName: z.string(),
  extensionName: z.string(),
  studentId: z.string(),
  course: z.string(),
  sex: z.string(),
  contactNumber: z.string().describe("'' for who may not see it."),
})

export const classListsSchema = namedObject('ClassLists', {
  items: z.array(
    z.object({
      section: sectionSchema,
      students: z.array(studentOfClass).describe('In the order of names.'),
      leftOut: count.describe('Blocked records, which are on no list.'),
    }),
  ),
})

export const placementPreviewSchema = namedObject('PlacementPreview', {
  total: count.describe('Students without a section.'),
  placed: count,
  sections: z.array(z.object({ id: z.uuid(), before: count, after: count, capacity: count })),
  left: z
    .array(
      z.object({
        reason: z.enum(leftReasons),
        value: z.string().describe("The sex or the course that no section takes; '' where all are full."),
        count,
        students: z.array(z.object({ id: z.uuid(), name: z.string() })).describe('The first 50.'),
      }),
    )
    .describe('Who finds no place, and why.'),
  basis: z.string().describe('To be sent with the confirmation: it holds while nothing has changed.'),
})

export const earlierRecordsSchema = namedObject('EarlierRecords', {
  count,
  items: z
    .array(z.object({ id: z.uuid(), name: z.string(), earlierId: z.uuid(), academicYear: z.string() }))
    .describe('The first 50 students, each with the latest of these records.'),
})

export const continuationPreviewSchema = namedObject('ContinuationPreview', {
  groups: z
    .array(
      z.object({
        group: z.enum(continuingGroups),
        choice: z.enum(continuingChoices),
        count,
        students: z.array(z.object({ id: z.uuid(), name: z.string() })).describe('The first 50.'),
      }),
    )
    .describe('By the latest enrollment of the last two academic years.'),
  next: count.describe('To NSTP 2.'),
  again: count.describe('The same level again.'),
  left: count,
  sections: count.describe('Copied from earlier terms.'),
  withoutSection: count.describe('Of who continues.'),
  basis: z.string().describe('To be sent with the confirmation: it holds while nothing has changed.'),
})

export const batchSchema = namedObject('EnrolmentBatch', { batchId: z.uuid(), count })

export const recentBatchesSchema = namedObject('RecentEnrolmentBatches', {
  items: z.array(
    z.object({
      id: z.uuid(),
      at: z.iso.datetime(),
      by: z.string().nullable().describe('The name of the account.'),
      what: z.enum(enrolmentChanges).describe('section: a student who was in the term before.'),
      cells: z.array(z.object({ component: z.enum(nstpComponents), level: z.literal(levels) })),
      count,
      undoable: count.describe('Not changed since.'),
      mayUndo: z.boolean().describe('Whether it is one’s own, or the account has all components.'),
    }),
  ),
})

export const undoneBatchSchema = namedObject('UndoneEnrolmentBatch', {
  count,
  skipped: count.describe('Changed since: they stay as they are.'),
})

export type Term = z.infer<typeof termSchema>
export type TermSummary = z.infer<typeof termSummarySchema>
export type Section = z.infer<typeof sectionSchema>
export type EarlierRecords = z.infer<typeof earlierRecordsSchema>
export type PlacementPreview = z.infer<typeof placementPreviewSchema>
export type ContinuationPreview = z.infer<typeof continuationPreviewSchema>
export type ClassList = z.infer<typeof classListsSchema>['items'][number]
export type RecentBatch = z.infer<typeof recentBatchesSchema>['items'][number]
