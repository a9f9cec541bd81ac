import { z } from '@hono/zod-openapi'
import { selectionMs } from '#server/http/limits.ts'
import { createRouter, formBody, ok, staffRoutes } from '#server/http/router.ts'
import {
  ifMatchHeader,
  keyHeader,
  knownFilters,
  oneOf,
  searchText,
  wholeNumber,
} from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { limitStandings } from '#shared/attendance/standing.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { defaultPageSize, maxPage, maxPageSize, maxSearchLength } from '#shared/students/students.ts'
import {
  addedSchema,
  dropSchema,
  enrolmentLimits,
  enrolmentMessages,
  enrolmentSorts,
  enrolmentStatuses,
  missingOfEnrolments,
  moveSchema,
  sectionChangeSchema,
} from '#shared/terms/enrolments.ts'
import {
  enrolmentPageSchema,
  movedEnrolmentSchema,
  unplacedPageSchema,
} from '#shared/terms/enrolments-response.ts'
import { outcomes } from '#shared/terms/terms.ts'
import { batchSchema } from '#shared/terms/terms-response.ts'
import { createEnrolmentChanges } from './enrolment-change-service.ts'
import { createEnrolmentLists, type ListStanding } from './enrolment-list-service.ts'
import { levelQuery } from './mark-routes.ts'

const tag = 'terms'
const reader = staffRoutes(tag, 'terms.read')
const changer = staffRoutes(tag, 'enrolments')
const limits = { deadlineMs: selectionMs }

const page = {
  page: wholeNumber('page', maxPage, 1),
  pageSize: wholeNumber('number of rows', maxPageSize, defaultPageSize),
}

const listEnrolments = reader.get('/terms/{id}/enrolments', 'List who is in a term', {
  query: z.strictObject(
    {
      component: oneOf('component', ['all', ...nstpComponents]).default('all'),
      level: oneOf('level', ['all', '1', '2']).default('all'),
      section: z.uuid(enrolmentMessages.section).optional(),
      status: oneOf('status', ['all', ...enrolmentStatuses]).default('enrolled'),
      missing: oneOf('missing', missingOfEnrolments)
        .default('none')
        .describe('What they lack; mark needs the permission to read marks.'),
      outcome: oneOf('outcome', ['all', ...outcomes])
        .default('all')
        .describe('For who may read marks.'),
      standing: oneOf('standing', ['all', ...limitStandings])
        .default('all')
        .describe('Near or over the limits of absences, for who may call attendance.'),
      search: searchText(maxSearchLength, 'As in the list of students.'),
      sort: oneOf('sort', enrolmentSorts)
        .default('name')
        .describe('entry needs the permission to read marks.'),
      ...page,
    },
    knownFilters,
  ),
  responses: ok(enrolmentPageSchema, 'Of the components that the account sees.'),
})

// Privacy: beside the list of the term before, who waits for which level says who passed and who failed.
const listUnplaced = staffRoutes(tag, 'marks.read').get(
  '/terms/{id}/unplaced',
  'List who waits for a section',
  {
    description:
      'Students of the term’s academic year whose next level it is, and who aren’t enrolled in it; and who is enrolled ' +
      'without a section.',
    query: z.strictObject(
      {
        component: oneOf('component', nstpComponents),
        level: levelQuery,
        ...page,
      },
      knownFilters,
    ),
    responses: ok(unplacedPageSchema, 'Of one component and level.'),
  },
)

const addToTerm = changer.post('/terms/{id}/enrolments', 'Add students to a term', {
  description: `Who returns, repeats, transfers or enlists late: ${enrolmentLimits.addedAtOnce} at most, all or none.`,
  limits,
  headers: keyHeader('a repeated request adds nobody again.'),
  body: formBody(addedSchema, 'AddedEnrolments', 'Each in the component of the record.'),
  responses: ok(batchSchema, 'How many were added.'),
})

const changeSection = changer.post('/enrolments/section', 'Move students to a section', {
  description: 'Of one term, component and level; all or none.',
  limits,
  headers: keyHeader('a repeated request moves nobody again.'),
  body: formBody(sectionChangeSchema, 'SectionChange', 'No section: null.'),
  responses: ok(batchSchema, 'How many were moved.'),
  problems: ['not_found'],
})

const drop = changer.post('/enrolments/drop', 'Record that students dropped', {
  description: 'The enrollment stays, with its mark and history.',
  limits,
  headers: keyHeader('a repeated request drops nobody again.'),
  body: formBody(dropSchema, 'DroppedEnrolments', 'Of one term; all or none.'),
  responses: ok(batchSchema, 'How many dropped.'),
  problems: ['not_found'],
})

const move = changer.post('/enrolments/{id}/move', 'Move a student to another component, level or section', {
  description:
    'To another component or level, the enrollment stays with its mark, and another one takes its place. The record’s ' +
    'component follows.',
  headers: ifMatchHeader,
  body: formBody(moveSchema, 'EnrolmentMove', 'Where to.'),
  responses: ok(movedEnrolmentSchema, 'The enrollment in its place, with its version as ETag.'),
})

/** Lists of who is in a term, and what is done with them after placing. */
export function createEnrolmentRoutes(context: AppContext, listStanding: ListStanding) {
  const lists = createEnrolmentLists(context, listStanding)
  const changes = createEnrolmentChanges(context)

  return createRouter()
    .answer(listEnrolments, ({ id, query, actor }) => lists.list(id, query, actor))
    .answer(listUnplaced, ({ id, query, actor }) => lists.unplaced(id, query, actor))
    .answer(addToTerm, ({ id, body, key, actor }) => changes.add(id, body, key, actor))
    .answer(changeSection, ({ body, key, actor }) => changes.changeSection(body, key, actor))
    .answer(drop, ({ body, key, actor }) => changes.drop(body, key, actor))
    .answerVersion(move, ({ id, body, version, actor }) => changes.move(id, version, body, actor))
}
