import { z } from '@hono/zod-openapi'
import { rateLimit } from '#server/http/limits.ts'
import { adminRoutes, createRouter, json, jsonBody, mailerRoutes, publicRoutes } from '#server/http/router.ts'
import { documented, keyHeader } from '#server/http/schemas.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { batchTestSchema } from '#shared/mail/mail-batch.ts'
import { announcementChoiceSchema, optOutSentences } from '#shared/mail/mail-history.ts'
import { mailPreviewSchema } from '#shared/mail/mail-preview.ts'
import {
  type SentEmail,
  sentEmailSchema,
  singleEmailSchema,
  singleEmailSentences,
  testEmailSchema,
} from '#shared/mail/single-email.ts'
import type { MailPreviewService, SingleEmailService, SingleOutcome } from './single-service.ts'
import type { OptOutService } from './student-mail-service.ts'

const headers = keyHeader(
  'a retry with the same key sends no second e-mail and returns the result of the first one.',
)
const sentBody = documented(sentEmailSchema, 'SentEmail')
const responses = {
  200: json(sentBody, 'The mail server accepted it.'),
  202: json(sentBody, 'Queued: `success` is false, and `message` says why it is waiting.'),
}
const answers = {
  responses,
  problems: ['conflict', 'too_many_requests', 'not_sent', 'unavailable'],
  limits: { failure: mailSentences.failedToSend },
} as const
const waiting = 'The response waits up to three seconds for the mail server. '

const sendEmail = mailerRoutes('mail').post('/send-email', 'Send an e-mail to one person', {
  description:
    `${waiting}A message with tags is HTML, which is sanitised; any other is text with ` +
    'paragraphs, lists, **bold**, *italic* and links. `format` overrides the detection.',
  request: { headers, body: jsonBody(documented(singleEmailSchema, 'SingleEmail'), 'The e-mail.') },
  ...answers,
})

const sendTest = adminRoutes('mail').post('/mail/test', 'Send an e-mail to the sender address', {
  description: waiting,
  request: { headers, body: jsonBody(documented(testEmailSchema, 'TestEmail'), 'The e-mail.') },
  ...answers,
})

const sendBatchTest = adminRoutes('mail').post(
  '/mail/test/bulk',
  'Send the text of a bulk e-mail to the sender address',
  {
    description: `${waiting}It is rendered as the bulk e-mail will be, filled with \`values\`.`,
    request: { headers, body: jsonBody(documented(batchTestSchema, 'BulkMailToTest'), 'Its text.') },
    ...answers,
  },
)

export function createSingleEmailRoutes({ emails }: { emails: SingleEmailService }) {
  return createRouter()
    .openapi(sendEmail, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const outcome = await emails.send(c.req.valid('json'), key, c.var.actor)
      return outcome.state === 'sent' ? c.json(accepted(outcome), 200) : c.json(stillWaiting(outcome), 202)
    })
    .openapi(sendTest, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const outcome = await emails.sendToSelf(c.req.valid('json'), key, c.var.actor)
      return outcome.state === 'sent' ? c.json(accepted(outcome), 200) : c.json(stillWaiting(outcome), 202)
    })
    .openapi(sendBatchTest, async (c) => {
      const key = c.req.valid('header')['idempotency-key']
      const outcome = await emails.sendBatchToSelf(c.req.valid('json'), key, c.var.actor)
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

const admin = adminRoutes('mail')

const listTemplates = admin.get('/mail/templates', 'List the stored templates of bulk e-mails', {
  responses: {
    200: json(
      z.object({
        items: z.array(
          z.object({
            name: z.string().openapi({ description: 'The `template` of a bulk e-mail.' }),
            title: z.string(),
            subject: z.string(),
            text: z.string().openapi({ description: 'With placeholders, as a start for an own text.' }),
          }),
        ),
      }),
      'In display order.',
    ),
  },
})

const preview = admin.post('/mail/preview', 'Preview a message', {
  description:
    'Stores and sends nothing. With `values` placeholders are filled; unknown placeholders are refused. ' +
    'The HTML is a page for `<iframe sandbox srcdoc>`, without scripts and external resources.',
  request: { body: jsonBody(documented(mailPreviewSchema, 'MailPreviewRequest'), 'The message.') },
  responses: {
    200: json(
      z.object({ subject: z.string(), html: z.string(), text: z.string() }),
      'As HTML and as plain text.',
    ),
  },
})

export function createMailPreviewRoutes({ previews }: { previews: MailPreviewService }) {
  return createRouter()
    .openapi(listTemplates, (c) => c.json({ items: previews.templates() }, 200))
    .openapi(preview, async (c) => c.json(await previews.preview(c.req.valid('json')), 200))
}

const choice = z
  .object({
    address: z
      .string()
      .openapi({ description: 'Masked: its first letter and its host.', example: 'a…@example.com' }),
    announcements: z.boolean(),
  })
  .openapi('AnnouncementChoice')

const readChoice = publicRoutes('mail').get(
  '/mail/opt-out',
  'The choice of the owner of an unsubscribe link',
  {
    request: {
      query: z.object({
        token: z.string(optOutSentences.unknownLink).openapi({ description: 'From the link in an e-mail.' }),
      }),
    },
    responses: { 200: json(choice, 'The current state.') },
    problems: ['not_found', 'too_many_requests'],
  },
)

const changeChoice = publicRoutes('mail').post(
  '/mail/opt-out',
  'Stop or resume announcements to the owner of an unsubscribe link',
  {
    request: { body: jsonBody(documented(announcementChoiceSchema, 'NewAnnouncementChoice'), 'The choice.') },
    responses: { 200: json(choice, 'The current state.') },
    problems: ['not_found', 'too_many_requests'],
  },
)

const noStore = { 'Cache-Control': 'no-store' }

// A large mail provider sends its one-click requests from few addresses.
export const optOutLimit = { points: 300, duration: 60 }

export function createOptOutRoutes({
  optOuts,
}: {
  optOuts: Pick<OptOutService, 'byToken' | 'changeByToken'>
}) {
  const limit = rateLimit(optOutLimit)
  return createRouter()
    .openapi(readChoice, async (c) => {
      await limit.take(c)
      return c.json(await optOuts.byToken(c.req.valid('query').token), 200, noStore)
    })
    .openapi(changeChoice, async (c) => {
      await limit.take(c)
      const { token, announcements } = c.req.valid('json')
      return c.json(await optOuts.changeByToken(token, announcements), 200, noStore)
    })
}
