import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { RetentionService } from './retention-service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['settings'] }

const readExpired = createRoute({
  ...admin,
  method: 'get',
  path: '/retention',
  summary: 'Count the records past the retention period',
  responses: {
    200: json(
      z
        .object({
          years: z.number().int().openapi({ description: 'How long records are stored after archiving.' }),
          before: z.iso.datetime().openapi({ description: 'Records archived before this instant.' }),
          count: z.number().int(),
        })
        .openapi('ExpiredRecords'),
      'Only archived records expire.',
    ),
    ...problems('unauthenticated'),
  },
})

const message = 'Please send the number of records that are to be deleted.'

const deleteExpired = createRoute({
  ...admin,
  method: 'post',
  path: '/retention/deletions',
  summary: 'Delete the records past the retention period',
  description:
    'Permanently, all or none. Send the number from the count, so that no other records are deleted.',
  request: {
    body: {
      required: true,
      ...json(
        z.strictObject({ count: z.number(message).int(message).min(1, message) }),
        'The number from the count.',
      ),
    },
  },
  responses: {
    200: json(z.object({ count: z.number().int() }), 'The number of deleted records.'),
    ...problems('unauthenticated', 'invalid', 'conflict'),
  },
})

export function createRetentionRoutes({ retention }: { retention: RetentionService }) {
  return createRouter()
    .openapi(readExpired, async (c) => c.json(await retention.expired(), 200))
    .openapi(deleteExpired, async (c) => {
      const { count } = c.req.valid('json')
      return c.json({ count: await retention.deleteExpired(count, await actorOf(c)) }, 200)
    })
}
