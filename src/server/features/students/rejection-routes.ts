import { z } from '@hono/zod-openapi'
import { takeRemovals } from '#server/http/auth.ts'
import { selectionLimits, selectionMs } from '#server/http/limits.ts'
import { createRouter, jsonBody, ok, staffRoutes } from '#server/http/router.ts'
import { namedObject } from '#shared/named-object.ts'
import { idList, idMessage } from '#shared/students/student-response.ts'
import { maxBulkStudents } from '#shared/students/students.ts'
import type { Rejections } from './rejections.ts'

const admin = staffRoutes('students', 'students.reject')

const body = jsonBody(
  z.strictObject({ ids: idList(maxBulkStudents).min(1, 'No students selected') }, idMessage),
  'The students.',
)

const preview = admin.post(
  '/students/rejections/preview',
  'Preview what marking registrations as fake would remove',
  {
    limits: selectionLimits,
    body,
    responses: ok(
      namedObject('RejectionPreview', {
        total: z.int(),
        kept: z
          .number()
          .int()
          .describe(
            'Records that stay: blocked, made or updated by an import, or with a term, paper, credit or certificate.',
          ),
        mail: z.int().describe('Waiting e-mails that are cancelled.'),
        sample: z.array(
          z.object({
            id: z.uuid(),
            lastName: z.string(),
            firstName: z.string(),
            middleName: z.string(),
            email: z.string(),
            registrationDate: z.iso.datetime(),
            network: z.string().nullable(),
          }),
        ),
      }),
      'What would be removed, and the newest of them.',
    ),
  },
)

const reject = admin.post('/students/rejections', 'Mark registrations as fake', {
  description:
    'Removes the records and cancels their waiting e-mail; for a day it can be undone. All or none: if one of the ' +
    "records doesn't exist, nothing changes. Blocked records stay, and those that an import made or updated, or that " +
    'have a term, paper, credit or certificate. More than 100 an hour need a fresh sign-in; administrators are notified ' +
    'of the tenth.',
  limits: selectionLimits,
  body,
  responses: ok(namedObject('Rejection', { id: z.uuid(), count: z.int() }), 'The removed records.'),
  problems: ['conflict', 'proof_needed'],
})

const list = admin.get('/students/rejections', 'List the rejections that can be undone', {
  responses: ok(
    namedObject('Rejections', {
      items: z.array(
        z.object({
          id: z.uuid(),
          at: z.iso.datetime(),
          until: z.iso.datetime().describe('Then the records are deleted.'),
          actor: z.string(),
          count: z.int(),
        }),
      ),
    }),
    'Newest first.',
  ),
})

const undo = admin.post('/students/rejections/{id}/undo', 'Undo a rejection', {
  description: 'Within a day. A record whose form was sent again meanwhile is not restored.',
  limits: { deadlineMs: selectionMs },
  responses: ok(
    namedObject('UndoneRejection', { count: z.int(), skipped: z.int() }),
    'How many records are back, and how many are not.',
  ),
  problems: ['conflict'],
})

const networks = admin.get('/students/networks', 'List the networks of the registrations of 30 days', {
  responses: ok(
    namedObject('RegistrationNetworks', {
      items: z.array(z.object({ network: z.string(), count: z.int() })),
    }),
    'The 50 with the most registrations. IPv4 by /24, IPv6 by /48.',
  ),
})

export function createRejectionRoutes(rejections: Rejections) {
  return createRouter()
    .answer(preview, async ({ body, actor }) => {
      const { sample, ...figures } = await rejections.preview(body.ids, actor)
      const rows = sample.map((row) => ({ ...row, registrationDate: row.registrationDate.toISOString() }))
      return { ...figures, sample: rows }
    })
    .answer(reject, async ({ body, actor, admin }) => {
      const { ids } = body
      await takeRemovals(ids.length, admin)
      const rejection = await rejections.reject(ids, actor)
      await admin.noteRemovals(rejection.count, actor)
      return rejection
    })
    .answer(list, async () => ({ items: await rejections.list() }))
    .answer(undo, ({ id, actor }) => rejections.undo(id, actor))
    .answer(networks, async () => ({ items: await rejections.networks() }))
}
