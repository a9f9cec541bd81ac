import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json, jsonBody } from '#server/http/router.ts'
import type { RetentionService } from './retention-service.ts'

const admin = adminRoutes('settings')

const readExpired = admin.get('/retention', 'Count the records past the retention period', {
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
  },
})

const message = 'Please send the number of records that are to be deleted.'

const deleteExpired = admin.post('/retention/deletions', 'Delete the records past the retention period', {
  description:
    'Permanently, all or none. Send the number from the count, so that no other records are deleted.',
  request: {
    body: jsonBody(
      z.strictObject({ count: z.number(message).int(message).min(1, message) }),
      'The number from the count.',
    ),
  },
  responses: { 200: json(z.object({ count: z.number().int() }), 'The number of deleted records.') },
  problems: ['conflict'],
})

export function createRetentionRoutes({ retention }: { retention: RetentionService }) {
  return createRouter()
    .openapi(readExpired, async (c) => c.json(await retention.expired(), 200))
    .openapi(deleteExpired, async (c) => {
      const { count } = c.req.valid('json')
      return c.json({ count: await retention.deleteExpired(count, c.var.actor) }, 200)
    })
}
