import { createRoute, z } from '@hono/zod-openapi'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { MailQueueService } from './service.ts'

const count = (description: string) => z.number().int().openapi({ description })

const queueStatusBody = z
  .object({
    counts: z.object({
      queued: count('They wait for their turn.'),
      sending: count('A worker has them.'),
      sent: count('Accepted by the mail server within the last 24 hours.'),
      failed: count('Certainly not accepted; ended within the last 24 hours.'),
      unknown: count('Perhaps accepted: all that nobody has decided about.'),
      cancelled: count('With their batch, within the last 24 hours.'),
    }),
    trouble: z.string().openapi({ description: 'Why nothing goes out at the moment; empty when it does.' }),
    sentToday: count('What counts against the quota of 24 hours.'),
    perDay: count(
      'How many may go out in 24 hours. A tenth, at least one, is kept for welcome, single and test mails: bulk mails do not use it.',
    ),
    perMinute: count('How many may go out in a minute.'),
    finishesAt: z
      .string()
      .nullable()
      .openapi({ format: 'date-time', description: 'When the last of the queue will probably be sent.' }),
  })
  .openapi('MailQueueStatus')

const readQueue = createRoute({
  method: 'get',
  path: '/mail/queue',
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['mail'],
  summary: 'How far the outgoing mail is',
  responses: { 200: json(queueStatusBody, 'As of this moment.'), ...problems('unauthenticated') },
})

/** The queue of outgoing mail. */
export function createMailQueueRoutes({ queue }: { queue: MailQueueService }) {
  return createRouter().openapi(readQueue, async (c) => c.json(await queue.status(), 200))
}
