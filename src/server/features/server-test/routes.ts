import { createRoute, z } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { notShown, serverTestSteps } from '#shared/server-test.ts'
import type { ServerTestService } from './service.ts'

const serverTestBody = z
  .object({
    step: z.enum(serverTestSteps),
    ok: z.boolean(),
    verdict: z.string(),
    lines: z
      .array(z.object({ by: z.enum(['client', 'server', 'note']), text: z.string() }))
      .openapi({ description: `What was said. Secrets read ${notShown}.` }),
    tookMs: z.number().int(),
  })
  .openapi('ServerTestResult')

const stepMessage = 'Please choose what to test: connect, authenticate or send.'

const runTest = createRoute({
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['mail'],
  method: 'post',
  path: '/mail/server-test',
  summary: 'Talk to the configured mail server, and see what is said',
  description:
    'Each step does what the one before does, too. `send` sends a test message to the address that mail is sent from. ' +
    'An answer comes also when the server refuses; it may take a minute.',
  request: {
    body: {
      required: true,
      ...json(z.object({ step: z.enum(serverTestSteps, { error: stepMessage }) }), 'How far to go.'),
    },
  },
  responses: {
    200: json(serverTestBody, 'What happened, as a sentence and word for word.'),
    ...problems('unauthenticated', 'invalid', 'unavailable'),
  },
})

/** The tool that talks to the mail server (spec §2, Server Test). */
export function createServerTestRoutes({ serverTest }: { serverTest: ServerTestService }) {
  return createRouter().openapi(runTest, async (c) =>
    c.json(await serverTest.run(c.req.valid('json').step, await actorOf(c)), 200),
  )
}
