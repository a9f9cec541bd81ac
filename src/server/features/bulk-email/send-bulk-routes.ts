import { createRoute } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { mailerSecurity, requireMailer } from '#server/http/require-mailer.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { listBatchSchema } from '#shared/mail-batch.ts'
import { bulkResultBody, idempotencyKey } from './schemas.ts'
import type { BulkSender } from './send-bulk.ts'

const send = createRoute({
  middleware: [requireMailer()],
  security: mailerSecurity,
  tags: ['mail'],
  method: 'post',
  path: '/send-bulk-emails',
  summary: 'Send a bulk e-mail',
  description:
    '`template` is the text, with placeholders such as {firstName}, when `useCustomTemplate` is true, else the name ' +
    'of a stored template. A short list is answered when its messages have ended, or after 3 seconds; a long one at ' +
    'once: its results say queued. A retry with the same Idempotency-Key sends nothing: it is answered as the first ' +
    'sending was, with what became of each recipient by then. Each stands under the address that was sent, also when ' +
    'its student has another one by now, and whoever had opted out is listed again. What was erased in between is ' +
    'named only by the address that the retry itself sends, as deleted.',
  request: {
    headers: idempotencyKey,
    body: { required: true, ...json(documented(listBatchSchema, 'BulkMailToSend'), 'Text and recipients.') },
  },
  responses: {
    200: json(bulkResultBody, 'What became of each recipient so far.'),
    ...problems('invalid', 'unauthenticated', 'conflict', 'too_big', 'unavailable', 'internal'),
  },
})

/** The bulk e-mail of the specification, for administrators and for programs with a token. */
export function createSendBulkRoutes({ sendBulk }: { sendBulk: BulkSender }) {
  return createRouter().openapi(send, async (c) => {
    const key = c.req.valid('header')['idempotency-key'] ?? null
    const result = await sendBulk(c.req.valid('json'), await actorOf(c), key)
    return c.json(result, 200)
  })
}
