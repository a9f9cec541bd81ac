import { z } from '@hono/zod-openapi'
import { sendWorkbook, workbookResponse } from '#server/http/download.ts'
import { createRouter, done, formBody, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import { oneOf } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { namedObject } from '#shared/named-object.ts'
import {
  breachSchema,
  closedOutcomes,
  outcomes,
  requestKindNames,
  requestSchema,
} from '#shared/privacy/privacy.ts'
import { createPrivacyService, type PrivacyNeeds, told } from './service.ts'

const admin = staffRoutes('privacy', 'privacy')

const readFile = admin.get('/students/{id}/file.xlsx', 'Download all that is held on one person', {
  needs: 'fresh sign-in',
  description:
    'The record, consent, changes, readings, mail, import rows and requests: RA 10173, sections 16 and 18.',
  responses: workbookResponse,
})

const instant = z.iso.datetime()

const overview = namedObject('PrivacyOverview', {
  today: z.iso.date(),
  requests: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(requestKindNames),
      reference: z.string(),
      receivedOn: z.iso.date(),
      dueOn: z.iso.date(),
      closedOn: z.iso.date().nullable(),
      outcome: z.enum(closedOutcomes).nullable(),
    }),
  ),
  breaches: z.array(
    z.object({
      id: z.uuid(),
      noticedAt: instant,
      happened: z.string(),
      data: z.string(),
      measures: z.string(),
      people: z.int(),
      commissionAt: instant.nullable(),
      peopleAt: instant.nullable(),
    }),
  ),
  toArchive: z
    .array(z.object({ academicYear: z.string(), count: z.int() }))
    .describe('Active records of academic years that ended more than a year ago.'),
})

const readOverview = admin.get('/privacy', 'Read requests, breaches and what retention proposes', {
  responses: ok(overview, 'Newest first.'),
})

const added = { 201: { description: 'Recorded.' } }

const addRequest = admin.post('/privacy/requests', 'Record the request of a person', {
  body: formBody(requestSchema, 'PrivacyRequest', 'The request.'),
  responses: added,
})

const closeRequest = admin.post('/privacy/requests/{id}/close', 'Close a request', {
  body: jsonBody(
    z.strictObject({
      outcome: oneOf('outcome', outcomes),
      guardianAgreed: z
        .boolean()
        .default(false)
        .describe('Of a request that a student below 18 made at /my: whether the guardian was asked.'),
    }),
    'How it ended.',
  ),
  responses: done('Closed.'),
})

const addBreach = admin.post('/privacy/breaches', 'Record a data breach', {
  body: formBody(breachSchema, 'Breach', 'The breach.'),
  responses: added,
})

const noteTold = admin.post('/privacy/breaches/{id}/told', 'Record who was notified of a breach', {
  body: jsonBody(z.strictObject({ whom: oneOf('whom', told) }), 'Who.'),
  responses: done('Recorded.'),
})

export function createPrivacy(context: AppContext, needs: PrivacyNeeds) {
  const service = createPrivacyService(context, needs)

  const routes = createRouter()
    .answer(readFile, async ({ c, id, actor }) => sendWorkbook(c, await service.fileOf(id, actor)))
    .answer(readOverview, service.overview)
    .answer(addRequest, ({ body, actor }) => service.addRequest(body, actor))
    .answer(closeRequest, ({ id, body, actor }) => service.closeRequest(id, body, actor))
    .answer(addBreach, ({ body, actor }) => service.addBreach(body, actor))
    .answer(noteTold, ({ id, body, actor }) => service.noteTold(id, body.whom, actor))
  return { routes, fileOf: service.fileOf }
}
