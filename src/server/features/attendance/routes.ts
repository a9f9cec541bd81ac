import { z } from '@hono/zod-openapi'
import { selectionLimits, selectionMs } from '#server/http/limits.ts'
import { created, createRouter, done, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { ifMatchHeader, knownFilters, oneOf, seenVersionHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import {
  attendanceGridSchema,
  attendanceRuleResponse,
  calledAnswerSchema,
  closedDaySchema,
  closingPreviewSchema,
  standingCountsSchema,
  trainingDayListSchema,
  trainingDaySchema,
} from '#shared/attendance/attendance-response.ts'
import { callLimits, callsSchema } from '#shared/attendance/calls.ts'
import { ruleChangeSchema } from '#shared/attendance/standing.ts'
import {
  closingSchema,
  newTrainingDaysSchema,
  reopeningSchema,
  trainingDayEditSchema,
} from '#shared/attendance/training-days.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { createClosing } from './closing-service.ts'
import { createAttendance } from './service.ts'
import type { Standings } from './standing-service.ts'
import { createTrainingDays } from './training-day-service.ts'

const office = staffRoutes('attendance', 'enrolments')
const component = oneOf('component', nstpComponents)
const limits = { deadlineMs: selectionMs }

const listDays = office.get('/terms/{id}/training-days', 'List the training days of a term', {
  query: z.strictObject({ component }, knownFilters),
  responses: ok(trainingDayListSchema, 'Of one component, with the rule of its attendance.'),
})

const addDays = office.post('/terms/{id}/training-days', 'Add training days', {
  description: 'All or none. No two days of the same students begin at the same time.',
  body: formBody(newTrainingDaysSchema, 'NewTrainingDays', 'Of one component.'),
  responses: created(
    z.object({ items: z.array(trainingDaySchema) }).openapi('AddedTrainingDays'),
    'The new days.',
  ),
  problems: ['conflict'],
})

const editDay = office.patch('/training-days/{id}', 'Move, rename or cancel a training day', {
  description:
    'Recorded attendance of a cancelled day stays, and doesn’t count. A day that is closed, or on which students are excused or ask to be, ' +
    'keeps its date.',
  headers: ifMatchHeader,
  body: formBody(trainingDayEditSchema, 'TrainingDayEdit', 'All that can be changed.'),
  responses: ok(trainingDaySchema, 'The day after the change, with its version as ETag.'),
  problems: ['conflict'],
})

const deleteDay = office.delete('/training-days/{id}', 'Delete a training day without calls', {
  headers: seenVersionHeader,
  responses: done('Deleted.'),
  problems: ['conflict'],
})

const listStudents = office.get('/training-days/{id}/students', 'List the ids of who trains on a day', {
  description: 'Enrolled in its component, level and sections by now, without blocked records.',
  responses: ok(z.object({ ids: z.array(z.uuid()) }).openapi('StudentsOfTrainingDay'), 'All, without pages.'),
})

const readGrid = office.get('/terms/{id}/attendance', 'Read the attendance of a section', {
  description: `With the standing of each student; ${callLimits.atOnce.toLocaleString('en-US')} students at most.`,
  limits,
  query: z.strictObject(
    {
      component,
      level: oneOf('level', ['1', '2']).transform((level) => (level === '1' ? 1 : 2)),
      section: z
        .union([z.uuid(), z.enum(['none', 'all'])], 'Please choose one section.')
        .default('all')
        .describe('none: the students without a section.'),
      standing: oneOf('standing', ['all', 'near', 'over']).default('all'),
    },
    knownFilters,
  ),
  responses: ok(attendanceGridSchema, 'Days, students and calls.'),
  problems: ['too_big'],
})

const countStanding = office.get('/attendance/standing', 'Count who is near or over the limits of absences', {
  limits,
  responses: ok(standingCountsSchema, 'Of the components that the account sees.'),
})

const call = office.post('/terms/{id}/attendance', 'Call attendance', {
  description:
    'The later of two calls of a day and student holds. A call with an id that is already known is none, so that a request ' +
    'can be sent again. A closed day takes calls until its term closes, a day to come excuses alone.',
  limits: selectionLimits,
  body: formBody(callsSchema, 'AttendanceCalls', 'Without a state, the call before is taken back.'),
  responses: ok(calledAnswerSchema, 'How many were new.'),
  problems: ['conflict'],
})

const previewClosing = office.get('/training-days/{id}/closing', 'See what closing a day would write', {
  responses: ok(closingPreviewSchema, 'The sections that need a choice.'),
})

const closeDay = office.post('/training-days/{id}/closing', 'Close a training day', {
  description:
    'Who was enrolled on that day in its sections and not called is absent, but nobody on a make-up day. A day with ' +
    'sections that are left open stays open for them.',
  limits,
  headers: ifMatchHeader,
  body: formBody(closingSchema, 'Closing', 'A choice for each such section.'),
  responses: ok(closedDaySchema, 'The day, and how many are absent by it.'),
  problems: ['conflict'],
})

const reopenDay = office.post('/training-days/{id}/reopening', 'Reopen a training day', {
  description: 'The absences that closing wrote are taken back.',
  limits,
  headers: ifMatchHeader,
  body: formBody(reopeningSchema, 'Reopening', 'Why.'),
  responses: ok(trainingDaySchema, 'The day after the change, with its version as ETag.'),
  problems: ['conflict'],
})

const setRule = office.put('/terms/{id}/attendance-rule', 'Set from when absences are too many', {
  description:
    'Later terms have it too, until they have their own. It only shows who is near or over, and changes nothing. ' +
    'With `seen` it is refused where the rule is another one by now.',
  body: formBody(ruleChangeSchema, 'AttendanceRuleChange', 'Of one component.'),
  responses: ok(attendanceRuleResponse, 'The rule.'),
  problems: ['conflict'],
})

/** Training days of a term, who was there, and who was absent too often. */
export function createAttendanceRoutes(context: AppContext, { standings }: { standings: Standings }) {
  const days = createTrainingDays(context)
  const attendance = createAttendance(context)
  const closing = createClosing(context)

  return createRouter()
    .answer(listDays, ({ id, query, access }) => days.list(id, query.component, access))
    .answer(addDays, async ({ id, body, actor }) => ({ items: await days.add(id, body, actor) }))
    .answerVersion(editDay, ({ id, body, version, actor }) => days.edit(id, version, body, actor))
    .answer(deleteDay, ({ id, version, actor }) => days.delete(id, version, actor))
    .answer(listStudents, async ({ id, actor }) => ({ ids: await days.students(id, actor) }))
    .answer(readGrid, async ({ id, query, actor }) => {
      const { section, standing, ...cell } = query
      const listed = {
        ...cell,
        termId: id,
        section: section === 'none' ? null : section,
      }
      return await attendance.grid(listed, standing, actor)
    })
    .answer(countStanding, async ({ access }) => ({ items: await standings.count(access) }))
    .answer(call, ({ id, body, actor }) => attendance.call(id, body.calls, actor))
    .answer(previewClosing, ({ id, access }) => closing.preview(id, access))
    .answer(closeDay, ({ id, body, version, actor }) => closing.close(id, version, body, actor))
    .answerVersion(reopenDay, ({ id, body, version, actor }) =>
      closing.reopen(id, version, body.reason, actor),
    )
    .answer(setRule, ({ id, body, actor }) => days.setRule(id, body, actor))
}
