import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import type { MailDecisions } from './decisions-service.ts'
import type { ResultsExport } from './results-export.ts'
import { createResultsRoutes } from './results-routes.ts'
import { historyQuery, messageBody, messageDetailsBody, messagePageBody, settleBody } from './schemas.ts'
import type { MailMessages } from './service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }
const one = z.object({ id: z.string() })

const list = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/messages',
  summary: 'The history of all messages',
  request: { query: historyQuery },
  responses: { 200: json(messagePageBody, 'Newest first.'), ...problems('invalid', 'unauthenticated') },
})

const read = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/messages/{id}',
  summary: 'Read a message',
  description: 'With its HTML and its plain text, as the recipient reads it.',
  request: { params: one },
  responses: { 200: json(messageDetailsBody, 'The message.'), ...problems('unauthenticated', 'not_found') },
})

const sendAgain = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/messages/{id}/send-again',
  summary: 'Send a message again',
  description:
    'One that failed or whose end is unknown: then its recipient may get it twice. It goes to the address that its ' +
    'student has by now.',
  request: { params: one },
  responses: {
    200: json(messageBody, 'It waits for its turn.'),
    ...problems('unauthenticated', 'not_found', 'conflict', 'unavailable'),
  },
})

const settle = createRoute({
  ...admin,
  method: 'post',
  path: '/mail/messages/{id}/settle',
  summary: 'Say how a message of unknown end ended',
  request: { params: one, body: { required: true, ...json(settleBody, 'What it is from now on.') } },
  responses: {
    200: json(messageBody, 'As it is now.'),
    ...problems('invalid', 'unauthenticated', 'not_found', 'conflict'),
  },
})

interface MailMessageRoutesOptions {
  messages: MailMessages
  decisions: MailDecisions
  exportResults: ResultsExport
}

/** Every message that was written, and what is decided about it. */
export function createMailMessageRoutes({ messages, decisions, exportResults }: MailMessageRoutesOptions) {
  return createRouter()
    .route('/', createResultsRoutes({ messages, decisions, exportResults }))
    .openapi(list, async (c) => c.json(await messages.history(c.req.valid('query')), 200))
    .openapi(read, async (c) => c.json(await messages.read(c.req.valid('param').id), 200))
    .openapi(sendAgain, async (c) => {
      const { id } = c.req.valid('param')
      await decisions.sendAgain(id, await actorOf(c))
      return c.json(await messages.item(id), 200)
    })
    .openapi(settle, async (c) => {
      const { id } = c.req.valid('param')
      await decisions.settle(id, c.req.valid('json').as, await actorOf(c))
      return c.json(await messages.item(id), 200)
    })
}
