import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { limitToken } from '#server/http/auth.ts'
import type { AppEnv } from '#server/http/context.ts'
import { rateLimit } from '#server/http/limits.ts'
import {
  createRouter,
  formBody,
  json,
  mailerRoutes,
  ok,
  publicRoutes,
  staffRoutes,
} from '#server/http/router.ts'
import { documented, keyHeader } from '#server/http/schemas.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailSentences } from '#shared/mail/mail.ts'
import { batchTestSchema } from '#shared/mail/mail-batch.ts'
import { announcementChoiceSchema, optOutSentences } from '#shared/mail/mail-history.ts'
import { mailPreviewSchema } from '#shared/mail/mail-preview.ts'
import { announcementChoiceBody, previewBody, templateBody } from '#shared/mail/mail-response.ts'
import {
  type SentEmail,
  sentEmailSchema,
  singleEmailSchema,
  singleEmailSentences,
  testEmailSchema,
  welcomeRequestSchema,
} from '#shared/mail/single-email.ts'
import type { OptOutService } from './opt-outs-service.ts'
import type { MailPreviewService, SingleEmailService, SingleOutcome } from './single-service.ts'
import type { WelcomeMailService } from './welcome-service.ts'

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
  problems: ['too_many_requests', 'not_sent', 'unavailable'],
  limits: { failure: mailSentences.failedToSend },
} as const
const waiting = 'The response waits up to three seconds for the mail server. '

const sendEmail = mailerRoutes('mail', 'mail').post('/send-email', 'Send an e-mail to one person', {
  description:
    `${waiting}A message with tags is HTML, which is sanitised; any other is text with ` +
    'paragraphs, lists, **bold**, *italic* and links. `format` overrides the detection.',
  headers,
  body: formBody(singleEmailSchema, 'SingleEmail', 'The e-mail.'),
  ...answers,
})

const sendTest = staffRoutes('mail', 'mail').post('/mail/test', 'Send an e-mail to the sender address', {
  description: waiting,
  headers,
  body: formBody(testEmailSchema, 'TestEmail', 'The e-mail.'),
  ...answers,
})

const sendBatchTest = staffRoutes('mail', 'mail').post(
  '/mail/test/bulk',
  'Send the text of a bulk e-mail to the sender address',
  {
    description: `${waiting}It is rendered as the bulk e-mail will be, filled with \`values\`.`,
    headers,
    body: formBody(batchTestSchema, 'BulkMailToTest', 'Its text.'),
    ...answers,
  },
)

// Mounted below /emailService (product 27.2).
const sendWelcome = mailerRoutes('mail', 'mail').post(
  '/send-welcome-email',
  'Send the welcome e-mail to a student',
  {
    limits: { failure: mailSentences.failedToSendWelcome },
    description: `\`nstpComponent\` is ROTC, CWTS or LTS. At most three a day to one address. ${waiting}`,
    body: formBody(welcomeRequestSchema, 'WelcomeRequest', 'The student.'),
    responses,
    problems: ['too_many_requests', 'not_sent', 'unavailable'],
  },
)

export function createWelcomeMailRoutes(welcomes: WelcomeMailService) {
  return createRouter().answer(sendWelcome, async ({ c, body, actor }) => {
    const { email, ...student } = body
    await limitToken(c, [email])
    const values = { ...student, reference: '' }
    return sendOutcome(c, await welcomes.send({ email, values }, actor), (failure, isUnknown) => {
      const reason = isUnknown ? singleEmailSentences.unknown(failure) : failure
      return [mailSentences.failedToSendWelcome, reason].filter(Boolean).join(': ')
    })
  })
}

function sendOutcome(
  c: Context<AppEnv>,
  { id, state, failure }: SingleOutcome,
  sentenceOf: (failure: string, isUnknown: boolean) => string,
) {
  if (state === 'sent') {
    return c.json({ success: true, message: mailSentences.sent, id, state } satisfies SentEmail, 200)
  }
  if (state === 'queued' || state === 'sending') {
    const message = singleEmailSentences.waiting(failure)
    return c.json({ success: false, message, id, state } satisfies SentEmail, 202)
  }
  throw new AppError('not_sent', { detail: sentenceOf(failure, state === 'unknown'), mail: { id, state } })
}

function unsentText(failure: string, isUnknown: boolean): string {
  return isUnknown ? singleEmailSentences.unknown(failure) : singleEmailSentences.failed(failure)
}

const admin = staffRoutes('mail', 'mail')

const listTemplates = admin.get('/mail/templates', 'List the stored templates of bulk e-mails', {
  responses: ok(z.object({ items: z.array(templateBody) }), 'In display order.'),
})

const preview = admin.post('/mail/preview', 'Preview a message', {
  description:
    'Stores and sends nothing. With `values` placeholders are filled; unknown placeholders are refused. ' +
    'The HTML is a page for `<iframe sandbox srcdoc>`, without scripts and external resources.',
  body: formBody(mailPreviewSchema, 'MailPreviewRequest', 'The message.'),
  responses: ok(previewBody, 'As HTML and as plain text.'),
})

const readChoice = publicRoutes('mail').get(
  '/mail/opt-out',
  'The choice of the owner of an unsubscribe link',
  {
    query: z.object({
      token: z.string(optOutSentences.unknownLink).describe('From the link in an e-mail.'),
    }),
    responses: ok(announcementChoiceBody, 'The current state.'),
    problems: ['not_found', 'too_many_requests'],
  },
)

const changeChoice = publicRoutes('mail').post(
  '/mail/opt-out',
  'Stop or resume announcements to the owner of an unsubscribe link',
  {
    body: formBody(announcementChoiceSchema, 'NewAnnouncementChoice', 'The choice.'),
    responses: ok(announcementChoiceBody, 'The current state.'),
    problems: ['not_found', 'too_many_requests'],
  },
)

const noStore = { 'Cache-Control': 'no-store' }

// A large mail provider sends its one-click requests from few addresses.
export const optOutLimit = { points: 300, duration: 60 }

export function createSingleEmailRoutes(
  emails: SingleEmailService,
  previews: MailPreviewService,
  optOuts: OptOutService,
) {
  const limit = rateLimit(optOutLimit)
  return createRouter()
    .answer(sendEmail, async ({ c, body, key, actor }) => {
      await limitToken(c, [body.to])
      return sendOutcome(c, await emails.send(body, key, actor), unsentText)
    })
    .answer(sendTest, async ({ c, body, key, actor }) =>
      sendOutcome(c, await emails.sendToSelf(body, key, actor), unsentText),
    )
    .answer(sendBatchTest, async ({ c, body, key, actor }) =>
      sendOutcome(c, await emails.sendBatchToSelf(body, key, actor), unsentText),
    )
    .answer(listTemplates, () => ({ items: previews.templates() }))
    .answer(preview, ({ body }) => previews.preview(body))
    .answer(readChoice, async ({ c, query }) => {
      await limit.take(c)
      return c.json(await optOuts.byToken(query.token), 200, noStore)
    })
    .answer(changeChoice, async ({ c, body }) => {
      await limit.take(c)
      return c.json(await optOuts.changeByToken(body.token, body.announcements), 200, noStore)
    })
}
