import { z } from '@hono/zod-openapi'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { selectionMs } from '#server/http/limits.ts'
import { created, createRouter, done, formBody, ok, staffRoutes } from '#server/http/router.ts'
import { ifMatchHeader, keyHeader, knownFilters, oneOf, seenVersionHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { confirmedPlacementSchema, placementSchema } from '#shared/terms/placing.ts'
import {
  mostListed,
  newSectionsSchema,
  newTermSchema,
  sectionEditSchema,
  termEditSchema,
} from '#shared/terms/terms.ts'
import {
  batchSchema,
  classListsSchema,
  earlierRecordsSchema,
  placementPreviewSchema,
  recentBatchesSchema,
  sectionListSchema,
  sectionSchema,
  termListSchema,
  termSchema,
  termSummarySchema,
  undoneBatchSchema,
} from '#shared/terms/terms-response.ts'
import { createBatches } from './batch-service.ts'
import { createClassLists } from './class-list-service.ts'
import { createContinuingRoutes } from './continuing-routes.ts'
import { createCreditRoutes } from './credit-routes.ts'
import type { ListStanding } from './enrolment-list-service.ts'
import { createEnrolmentRoutes } from './enrolment-routes.ts'
import { createMarkRoutes, levelQuery } from './mark-routes.ts'
import { createMarksList } from './marks-list-service.ts'
import { createPlacing } from './placing-service.ts'
import { registrarList } from './registrar-list-service.ts'
import { createSectionsService, createTermsService } from './service.ts'
import { createTermSummaries } from './summary-service.ts'

const tag = 'terms'
const reader = staffRoutes(tag, 'terms.read')
const terms = staffRoutes(tag, 'terms')
const sections = staffRoutes(tag, 'enrolments')

const listTerms = reader.get('/terms', 'List the terms', {
  responses: ok(termListSchema, 'All of them, the latest first.'),
})

const addTerm = terms.post('/terms', 'Open or plan a term', {
  description: 'One is open at a time. A planned one can have sections and students too.',
  body: formBody(newTermSchema, 'NewTerm', 'The term.'),
  responses: created(termSchema, 'The term, with its version as ETag.'),
})

const editTerm = terms.patch('/terms/{id}', 'Change the dates of a term, open or close it', {
  description: 'A closed term keeps its sections and students as they are; it can be opened again.',
  headers: ifMatchHeader,
  body: formBody(termEditSchema, 'TermEdit', 'All that can be changed.'),
  responses: ok(termSchema, 'The term after the change, with its version as ETag.'),
})

const deleteTerm = terms.delete('/terms/{id}', 'Delete a term without students, and its sections', {
  headers: seenVersionHeader,
  responses: done('Deleted.'),
})

const readSummary = reader.get('/terms/{id}/summary', 'Count sections and students of a term', {
  responses: ok(termSummarySchema, 'By component and level.'),
})

const listSections = reader.get('/terms/{id}/sections', 'List the sections of a term', {
  responses: ok(sectionListSchema, 'In order, of the components that the account sees.'),
})

const addSections = sections.post('/terms/{id}/sections', 'Add sections to a term', {
  description: 'All or none, behind those that the component and level has.',
  body: formBody(newSectionsSchema, 'NewSections', 'Of one component and level.'),
  responses: created(sectionListSchema, 'All sections of the term.'),
  problems: ['conflict'],
})

const editSection = sections.patch('/sections/{id}', 'Change a section', {
  description: 'Its students stay, also those whom it would no longer take.',
  headers: ifMatchHeader,
  body: formBody(sectionEditSchema, 'SectionEdit', 'All that can be changed.'),
  responses: ok(sectionSchema, 'The section after the change, with its version as ETag.'),
})

const deleteSection = sections.delete('/sections/{id}', 'Delete a section without students', {
  headers: seenVersionHeader,
  responses: done('Deleted.'),
})

const listedSections = z.strictObject(
  {
    section: z
      .uuid('Please choose one section.')
      .optional()
      .describe('Without it, those of a component and level.'),
    component: oneOf('component', ['all', ...nstpComponents]).default('all'),
    level: oneOf('level', ['all', '1', '2']).default('all'),
  },
  knownFilters,
)

const readClassLists = reader.get('/terms/{id}/class-lists', 'Read class lists', {
  description:
    `For printing: ${mostListed} students at most. Each counts among the whole records of the hour: more than 300, or 99 of ` +
    'assistants and registrars, need a fresh sign-in.',
  query: listedSections,
  responses: ok(classListsSchema, 'Section by section, without blocked records.'),
  problems: ['too_big', 'proof_needed'],
})

const exportClassLists = staffRoutes(tag, 'students.take-out').get(
  '/terms/{id}/class-lists.xlsx',
  'Export class lists',
  {
    needs: 'fresh sign-in',
    description: 'The same as a workbook with a sheet for each section.',
    query: listedSections,
    responses: workbookResponse,
  },
)

const limits = { deadlineMs: selectionMs }

const previewPlacement = sections.post(
  '/terms/{id}/placements/preview',
  'Preview who gets into which section',
  {
    description:
      'Students of the term’s academic year whose next level it is, and who aren’t enrolled in it; and who is enrolled ' +
      'without a section.',
    limits,
    body: formBody(placementSchema, 'Placement', 'Whom, and how.'),
    responses: ok(placementPreviewSchema, 'What the confirmation will do.'),
    problems: ['conflict'],
  },
)

const findEarlier = sections.get(
  '/terms/{id}/earlier-records',
  'Find earlier records of who has no section',
  {
    description: 'Records of earlier academic years with the same full name and birth date, or student ID.',
    query: z.strictObject({ component: oneOf('component', nstpComponents), level: levelQuery }, knownFilters),
    responses: ok(earlierRecordsSchema, 'Without pairs that were marked as different people.'),
  },
)

const place = sections.post('/terms/{id}/placements', 'Place students in sections', {
  description:
    'Exactly as in the preview whose basis is sent, or nobody. No section gets more students than it has places for.',
  limits,
  headers: keyHeader('a repeated request places nobody again.'),
  body: formBody(confirmedPlacementSchema, 'ConfirmedPlacement', 'With the basis of the preview.'),
  responses: ok(batchSchema, 'How many were placed.'),
})

const listBatches = sections.get(
  '/terms/{id}/batches',
  'List the changes of many enrollments in the last day',
  { responses: ok(recentBatchesSchema, 'The latest first.') },
)

const undoBatch = sections.post('/enrolment-batches/{id}/undo', 'Undo a change of many enrollments', {
  description: 'Within 24 hours, by who made it or an office-wide account. What was changed since stays.',
  limits,
  responses: ok(undoneBatchSchema, 'How many are as before.'),
  problems: ['conflict'],
})

/** Semesters, their sections and who is in them. */
export function createTerms(
  context: AppContext,
  { settings, listStanding }: { settings: () => Settings; listStanding: ListStanding },
) {
  const service = createTermsService(context)
  const countTerm = createTermSummaries(context)
  const ofSections = createSectionsService(context)
  const placing = createPlacing(context)
  const batches = createBatches(context)
  const classLists = createClassLists(context, listStanding)

  const routes = createRouter()
    .answer(listTerms, async () => ({ items: await service.list() }))
    .answerVersion(addTerm, ({ body, actor }) => service.add(body, actor))
    .answerVersion(editTerm, ({ id, body, version, actor }) => service.edit(id, version, body, actor))
    .answer(deleteTerm, ({ id, version, actor }) => service.delete(id, version, actor))
    .answer(readSummary, ({ id, access }) => countTerm(id, access))
    .answer(listSections, async ({ id, access }) => ({ items: await ofSections.list(id, access) }))
    .answer(addSections, async ({ id, body, actor }) => ({ items: await ofSections.add(id, body, actor) }))
    .answerVersion(editSection, ({ id, body, version, actor }) => ofSections.edit(id, version, body, actor))
    .answer(deleteSection, ({ id, version, actor }) => ofSections.delete(id, version, actor))
    .answer(readClassLists, async ({ id, query, actor, admit }) => ({
      items: await classLists.read(id, query, { actor, admit }),
    }))
    .answer(exportClassLists, async ({ c, id, query, actor }) =>
      sendWorkbook(c, await classLists.export(id, query, actor)),
    )
    .answer(previewPlacement, ({ id, body, access }) => placing.preview(id, body, access))
    .answer(findEarlier, ({ id, query, access }) => placing.findEarlier(id, query, access))
    .answer(place, ({ id, body, key, actor }) => placing.place(id, body, key, actor))
    .answer(listBatches, async ({ id, actor }) => ({ items: await batches.list(id, actor) }))
    .answer(undoBatch, ({ id, actor }) => batches.undo(id, actor))
    .route('/', createEnrolmentRoutes(context, listStanding))
    .route('/', createMarkRoutes(context, { settings }))
    .route('/', createContinuingRoutes(context))
    .route('/', createCreditRoutes(context))
  const marking = () => settings().marking
  const marks = createMarksList({ marking, timeZone: context.timeZone })
  return { routes, lists: { registrar: registrarList, marks } }
}
