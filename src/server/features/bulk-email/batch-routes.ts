import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { batchSchema } from '#shared/mail-batch.ts'
import type { BatchChanges } from './batch-changes.ts'
import type { BatchReadings } from './batch-readings.ts'
import type { BatchRepeat } from './repeat-batch.ts'
import { batchBody, batchPageBody, idempotencyKey } from './schemas.ts'
import type { BatchStart } from './start-batch.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }
const one = z.object({ id: z.string() })

const start = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/batches',
  summary: 'Start a bulk e-mail',
  description:
    'To a list of recipients, or to students by the filters of their list. Who opted out, whose address came ' +
    'before and what is no address is left out and counted.',
  request: {
    headers: idempotencyKey,
    body: { required: true, ...json(documented(batchSchema, 'NewBulkMail'), 'Text and recipients.') },
  },
  responses: {
    202: json(batchBody, 'Its messages wait in the queue.'),
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_big', 'unavailable'),
  },
})

const list = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/batches',
  summary: 'The history of bulk e-mails',
  request: {
    query: z.strictObject({
      cursor: z.string().default('').openapi({ description: 'The nextCursor of the piece before.' }),
    }),
  },
  responses: { 200: json(batchPageBody, 'Newest first.'), ...problems('invalid', 'unauthenticated') },
})

const read = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/batches/{id}',
  summary: 'Read a bulk e-mail',
  description: 'How many of its messages stand where; the topic `mail` tells its progress.',
  request: { params: one },
  responses: { 200: json(batchBody, 'The bulk e-mail.'), ...problems('unauthenticated', 'not_found') },
})

function change(name: 'pause' | 'resume' | 'cancel', summary: string, description: string) {
  return createRoute({
    ...admin,
    method: 'post',
    path: `/mail/batches/{id}/${name}`,
    summary,
    description,
    request: { params: one },
    responses: {
      200: json(batchBody, 'As it is now.'),
      ...problems('unauthenticated', 'not_found', 'conflict'),
    },
  })
}

const pause = change('pause', 'Pause a bulk e-mail', 'Nothing more of it goes out for now.')
const resume = change('resume', 'Go on with a bulk e-mail', 'After a pause.')
const cancel = change('cancel', 'Cancel a bulk e-mail', 'What has not gone out never will.')

const repeat = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/batches/{id}/repeat',
  summary: 'Send again to the failed ones',
  description:
    'A new bulk e-mail with the messages that certainly failed, each once: what was sent again before is not ' +
    'among them, nor what may have been accepted. They go to the addresses that the students have by now.',
  request: { params: one, headers: idempotencyKey },
  responses: {
    202: json(batchBody, 'The new bulk e-mail.'),
    ...problems('invalid', 'unauthenticated', 'not_found', 'conflict', 'unavailable'),
  },
})

export interface BatchRoutesOptions {
  startBatch: BatchStart
  repeatBatch: BatchRepeat
  readings: BatchReadings
  changes: BatchChanges
}

/** Bulk e-mails: begun, watched, held and gone on with. */
export function createBatchRoutes({ startBatch, repeatBatch, readings, changes }: BatchRoutesOptions) {
  return createRouter()
    .openapi(start, async (c) => {
      const key = c.req.valid('header')['idempotency-key'] ?? null
      const form = { ...c.req.valid('json'), bodyFormat: 'text' } as const
      const { id } = await startBatch(form, { actor: await actorOf(c), key })
      return c.json(await readings.read(id), 202)
    })
    .openapi(list, async (c) => c.json(await readings.list(c.req.valid('query').cursor), 200))
    .openapi(read, async (c) => c.json(await readings.read(c.req.valid('param').id), 200))
    .openapi(pause, async (c) => {
      const { id } = c.req.valid('param')
      await changes.pause(id, await actorOf(c))
      return c.json(await readings.read(id), 200)
    })
    .openapi(resume, async (c) => {
      const { id } = c.req.valid('param')
      await changes.resume(id, await actorOf(c))
      return c.json(await readings.read(id), 200)
    })
    .openapi(cancel, async (c) => {
      const { id } = c.req.valid('param')
      await changes.cancel(id, await actorOf(c))
      return c.json(await readings.read(id), 200)
    })
    .openapi(repeat, async (c) => {
      const key = c.req.valid('header')['idempotency-key'] ?? null
      const id = await repeatBatch(c.req.valid('param').id, { actor: await actorOf(c), key })
      return c.json(await readings.read(id), 202)
    })
}
