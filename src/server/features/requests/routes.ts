import { z } from '@hono/zod-openapi'
import { studentActorOf } from '#server/http/auth.ts'
import { created, createRouter, done, formBody, ok, staffRoutes, studentRoutes } from '#server/http/router.ts'
import { cursorQuery, knownFilters, oneOf, searchText } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { namedObject } from '#shared/named-object.ts'
import { requestLimits, studentRequestKinds } from '#shared/requests/request-kinds.ts'
import {
  officeRequestSchema,
  ownRequestsSchema,
  requestCountsSchema,
  requestPageSchema,
} from '#shared/requests/requests-response.ts'
import { decisionSchema, studentRequestSchema } from '#shared/requests/student-requests.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { languageOf } from '#shared/site/language.ts'
import { createOfficeRequests, type OfficeNeeds } from './office-service.ts'
import { createOwnRequests } from './own-service.ts'

const student = studentRoutes('my')

const listOwn = student.get('/my/requests', 'List the own requests', {
  responses: ok(ownRequestsSchema, 'The newest first.'),
})

const addOwn = student.post('/my/requests', 'Ask the office for something', {
  description:
    'A correction names fields and their wanted values, by the rules of an edit; a change of component the component. ' +
    'An excused absence names a training day, a ground and a reason. ' +
    `A copy, blocking and erasure are also on the screen Privacy. At most ${requestLimits.open} corrections, changes of ` +
    `component and excused absences are open, one of each other kind, and ${requestLimits.aDay} requests are made within a day.`,
  body: formBody(studentRequestSchema, 'NewStudentRequest', 'What is asked for.'),
  responses: created(namedObject('MadeRequest', { id: z.uuid() }), 'The office has it.'),
  problems: ['too_many_requests'],
})

const withdrawOwn = student.post('/my/requests/{id}/withdraw', 'Withdraw an own request', {
  responses: done('Withdrawn.'),
  problems: ['conflict'],
})

const staff = staffRoutes('requests', 'students.edit')

const list = staff.get('/requests', 'List requests of students', {
  description:
    'Open ones by when they were made, decided ones from the last. Of the components that the account sees.',
  query: z.strictObject(
    {
      state: oneOf('state', ['open', 'decided']).default('open'),
      kind: oneOf('kind', ['all', ...studentRequestKinds]).default('all'),
      search: searchText(100, 'Words of a name, or the reference.'),
      cursor: cursorQuery,
    },
    knownFilters,
  ),
  responses: ok(requestPageSchema, 'A page.'),
})

const counts = staff.get('/requests/counts', 'Count the open requests that the account can decide', {
  responses: ok(requestCountsSchema, 'How many, and since when.'),
})

const read = staff.get('/requests/{id}', 'Read a request', {
  description: 'It counts among the whole records of the hour, once with the record.',
  responses: ok(officeRequestSchema, 'The values of then, of now and the wanted ones.'),
  problems: ['proof_needed'],
})

const decide = staff.post('/requests/{id}/decide', 'Decide a request', {
  description:
    'Accepted fields are an edit of the record with the reason “student”, in one transaction. A refusal, also of a part, ' +
    'needs an answer, which the student reads. A granted absence is a call of the desk, and needs the permission ' +
    '`enrolments` and the component of its day. A copy, blocking and erasure also need the permission `privacy`, and close ' +
    'their request of the screen Privacy.',
  body: formBody(decisionSchema, 'RequestDecision', 'What is accepted, and the answer.'),
  responses: ok(
    namedObject('DecidedRequest', {
      movedIn: z
        .array(z.string())
        .describe('Terms whose enrollment moved to the new component, without a section.'),
    }),
    'Decided.',
  ),
  problems: ['conflict'],
})

interface RequestsNeeds extends OfficeNeeds {
  settings: () => Settings
}

/** What students ask for at /my, and how the office decides it. */
export function createRequests(context: AppContext, { settings, ...needs }: RequestsNeeds) {
  const own = createOwnRequests(context, settings)
  const office = createOfficeRequests(context, needs)
  const routes = createRouter()
    .answer(listOwn, ({ c }) => own.list(c.var.student.studentId))
    .answer(addOwn, async ({ c, body }) => {
      const { studentId } = c.var.student
      const language = languageOf(c.req.header('Cookie'), c.req.header('Accept-Language'))
      const by = { actor: studentActorOf(c), language }
      return { id: await own.add(studentId, body, by) }
    })
    .answer(withdrawOwn, ({ c, id }) => own.withdraw(c.var.student.studentId, id, studentActorOf(c)))
    .answer(list, ({ query, actor }) => office.list(query, actor))
    .answer(counts, ({ actor }) => office.countOpen(actor))
    .answer(read, ({ id, actor, admit }) => office.read(id, { actor, admit }))
    .answer(decide, ({ id, body, actor }) => office.decide(id, body, actor))
  return { routes, office }
}
