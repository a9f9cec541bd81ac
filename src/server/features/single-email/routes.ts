import { createRoute } from '@hono/zod-openapi'
import { AppError } from '#server/errors.ts'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { keyHeader } from '#server/http/key-header.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { mailerSecurity, requireMailer } from '#server/http/require-mailer.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { mailSentences } from '#shared/mail.ts'
import { batchTestSchema } from '#shared/mail-batch.ts'
import {
  type SentEmail,
  sentEmailSchema,
  singleEmailSchema,
  singleEmailSentences,
  testEmailSchema,
} from '#shared/single-email.ts'
import type { SingleEmailService, SingleOutcome } from './service.ts'

const headers = keyHeader(
  'a retry with the same key sends no second e-mail and tells how the first one ended.',
)
const sentBody = documented(sentEmailSchema, 'SentEmail')
const responses = {
  200: json(sentBody, 'The mail server accepted it.'),
  202: json(sentBody, 'It waits in the outbox: `success` is false, and `message` says why it waits.'),
  ...problems('unauthenticated', 'invalid', 'conflict', 'too_many_requests', 'not_sent', 'unavailable'),
}
const waiting = 'The answer waits three seconds for the mail server. '

const sendEmail = createRoute({
  middleware: [requireMailer()],
  security: mailerSecurity,
  tags: ['mail'],
  method: 'post',
  path: '/send-email',
  summary: 'Send an e-mail to one person',
  description:
    `${waiting}A message with tags is HTML, of which scripts and the like are taken out; any other is text with ` +
    'paragraphs, lists, **bold**, *italic* and links. `format` says it where it should not be guessed.',
  request: {
    headers,
    body: { required: true, ...json(documented(singleEmailSchema, 'SingleEmail'), 'The e-mail.') },
  },
  responses,
})

const sendTest = createRoute({
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['mail'],
  method: 'post',
  path: '/mail/test',
  summary: 'Send an e-mail to the address that mail is sent from',
  description: waiting,
  request: {
    headers,
    body: { required: true, ...json(documented(testEmailSchema, 'TestEmail'), 'The e-mail.') },
  },
  responses,
})

const sendBatchTest = createRoute({
  middleware: [requireAdmin()],
  security: [{ session: [] }],
  tags: ['mail'],
  method: 'post',
  path: '/mail/test/bulk',
  summary: 'Send the text of a bulk e-mail to the address that mail is sent from',
  description: `${waiting}It is made as the bulk e-mail will be, filled with \`values\` as one recipient's.`,
  request: {
    headers,
    body: { required: true, ...json(documented(batchTestSchema, 'BulkMailToTest'), 'Its text.') },
  },
  responses,
})

/** Mail to one person. */
export function createSingleEmailRoutes({ emails }: { emails: SingleEmailService }) {
  return createRouter()
    .openapi(sendEmail, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const outcome = await emails.send(c.req.valid('json'), key, await actorOf(c))
      return outcome.state === 'sent' ? c.json(accepted(outcome), 200) : c.json(stillWaiting(outcome), 202)
    })
    .openapi(sendTest, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const outcome = await emails.sendToSelf(c.req.valid('json'), key, await actorOf(c))
      return outcome.state === 'sent' ? c.json(accepted(outcome), 200) : c.json(stillWaiting(outcome), 202)
    })
    .openapi(sendBatchTest, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const outcome = await emails.sendBatchToSelf(c.req.valid('json'), key, await actorOf(c))
      return outcome.state === 'sent' ? c.json(accepted(outcome), 200) : c.json(stillWaiting(outcome), 202)
    })
}

function accepted({ id, state }: SingleOutcome): SentEmail {
  return { success: true, message: mailSentences.sent, id, state }
}

/** @throws AppError `not_sent` when it waits no longer */
function stillWaiting({ id, state, failure }: SingleOutcome): SentEmail {
  if (state === 'queued' || state === 'sending') {
    return { success: false, message: singleEmailSentences.waiting(failure), id, state }
  }
  const sentence = state === 'unknown' ? singleEmailSentences.unknown : singleEmailSentences.failed
  throw new AppError('not_sent', { detail: sentence(failure), mail: { id, state } })
}
