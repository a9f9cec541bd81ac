import { z } from '@hono/zod-openapi'
import { namedObject } from '#shared/named-object.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { levels } from '#shared/terms/terms.ts'
import { studentOfClass } from '#shared/terms/terms-response.ts'
import { attendanceStates } from './calls.ts'
import { excuseGrounds } from './excuse-grounds.ts'
import { standingLevels } from './standing.ts'
import { dayStates } from './training-days.ts'

const count = z.int().min(0)
const limit = z.int().nullable()

export const trainingDaySchema = namedObject('TrainingDay', {
  id: z.uuid(),
  component: z.enum(nstpComponents),
  level: z.literal(levels).nullable().describe('Null: both.'),
  sectionIds: z.array(z.uuid()).describe('Empty: all.'),
  heldOn: z.iso.date(),
  title: z.string(),
  startsAt: z.string().describe("'07:30', or ''."),
  hours: z.number(),
  state: z.enum(dayStates).describe('planned: also while sections are left open.'),
  closedAt: z.iso.datetime().nullable().describe('When absences were last written.'),
  cancelledSectionIds: z.array(z.uuid()),
  reopenReason: z.string(),
  replacesId: z.uuid().nullable().describe('Of a make-up day: the day in whose place it is.'),
  version: z.int(),
})

export const calledDaySchema = trainingDaySchema
  .extend({ present: count, late: count, absent: count, excused: count })
  .openapi('CalledTrainingDay')

const rule = z.object({
  absences: limit,
  percent: limit,
  inRow: limit,
  hoursMissed: limit,
  lates: limit,
  hours: count.describe('That the training has to reach.'),
})

export const attendanceRuleResponse = namedObject('StoredAttendanceRule', {
  component: z.enum(nstpComponents),
  ...rule.shape,
})

export const trainingDayListSchema = namedObject('TrainingDayList', {
  items: z.array(calledDaySchema).describe('In the order of their dates.'),
  rule: attendanceRuleResponse,
})

const calledSchema = z.object({
  dayId: z.uuid(),
  studentId: z.uuid(),
  state: z.enum(attendanceStates),
  minutes: z.int().nullable().describe('Late by so many.'),
  ground: z.enum(['', ...excuseGrounds]),
})

export const standingSchema = z.object({
  days: count.describe('Days on which the student was called, or absent by closing.'),
  present: count,
  late: count,
  absent: count,
  excused: count,
  hours: z.number().describe('Attended; lates in full.'),
  inRow: count.describe('Most absences in a row.'),
  level: z.enum(standingLevels).describe('near: over with one more absence.'),
  left: count.nullable().describe('How many of the next days can be missed; null without a limit.'),
})

export const attendanceGridSchema = namedObject('AttendanceGrid', {
  days: z.array(trainingDaySchema).describe('Those of the section, in the order of their dates.'),
  rule: attendanceRuleResponse,
  students: z
    .array(
      z.object({
        student: studentOfClass.omit({ course: true, sex: true, contactNumber: true }),
        sectionId: z.uuid().nullable(),
        section: z.string().describe("'' for none."),
        standing: standingSchema,
      }),
    )
    .describe('In the order of names.'),
  calls: z.array(calledSchema),
  leftOut: count.describe('Blocked records, which are on no list.'),
})

export const standingCountsSchema = namedObject('StandingCounts', {
  items: z
    .array(
      z.object({
        termId: z.uuid(),
        component: z.enum(nstpComponents),
        level: z.literal(levels),
        near: count,
        over: count,
      }),
    )
    .describe('Of the open term: components and levels where somebody is near or over.'),
})

export const calledAnswerSchema = namedObject('CalledAttendance', {
  count: count.describe('New calls; a repeated one is none.'),
  left: z
    .array(z.uuid())
    .describe(
      'The ids of calls that are left out: with onlyEmpty, of who had been called already; of a roll also those outside of it, ' +
        'of who is excused, and of whom the office called since.',
    ),
})

export const closingPreviewSchema = namedObject('ClosingPreview', {
  sections: z.array(
    z.object({
      sectionId: z.uuid().nullable().describe('Null: students without a section.'),
      label: z.string(),
      students: count.describe('Enrolled on the day.'),
      called: count.describe('0: the section needs a choice.'),
      absent: count.describe('Enrolled on the day and not called.'),
      later: count.describe('Enrolled after the day, and not called.'),
    }),
  ),
})

export const closedDaySchema = namedObject('ClosedTrainingDay', {
  day: trainingDaySchema,
  absent: count.describe('Marked absent by closing.'),
})

export type StandingCount = z.infer<typeof standingCountsSchema>['items'][number]
export type TrainingDay = z.infer<typeof trainingDaySchema>
export type CalledDay = z.infer<typeof calledDaySchema>
export type TrainingDayList = z.infer<typeof trainingDayListSchema>
export type AttendanceGrid = z.infer<typeof attendanceGridSchema>
export type GridStudent = AttendanceGrid['students'][number]
export type Called = AttendanceGrid['calls'][number]
export type ClosingPreview = z.infer<typeof closingPreviewSchema>
