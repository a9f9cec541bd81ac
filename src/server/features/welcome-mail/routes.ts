import { createRoute } from '@hono/zod-openapi'
import { AppError } from '#server/errors.ts'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { mailerSecurity, requireMailer } from '#server/http/require-mailer.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { mailSentences } from '#shared/mail.ts'
import { type SentEmail, sentEmailSchema, singleEmailSentences } from '#shared/single-email.ts'
import { welcomeRequestSchema } from '#shared/welcome-mail.ts'
import type { WelcomeMailService } from './service.ts'

const sentBody = documented(sentEmailSchema, 'SentEmail')

const sendWelcome = createRoute({
  middleware: [requireMailer()],
  security: mailerSecurity,
  tags: ['mail'],
  method: 'post',
  path: '/send-welcome-email',
  summary: 'Send the welcome e-mail to a student',
  description:
    '`nstpComponent` is ROTC, CWTS or LTS. At most three a day to one address. The answer waits three seconds for the mail server.',
  request: {
    body: { required: true, ...json(documented(welcomeRequestSchema, 'WelcomeRequest'), 'The student.') },
  },
  responses: {
    200: json(sentBody, 'The mail server accepted it.'),
    202: json(sentBody, 'It waits in the outbox: `success` is false, and `message` says why it waits.'),
    ...problems('unauthenticated', 'invalid', 'too_many_requests', 'not_sent', 'unavailable'),
  },
})

/** The welcome mail of the e-mail service (spec §7), below /emailService. */
export function createWelcomeMailRoutes({ welcomes }: { welcomes: Pick<WelcomeMailService, 'send'> }) {
  return createRouter().openapi(sendWelcome, async (c) => {
    const { email, firstName, lastName, nstpComponent } = c.req.valid('json')
    const values = { firstName, lastName, nstpComponent, reference: '' }
    const { id, state, failure } = await welcomes.send({ email, values }, await actorOf(c))
    if (state === 'sent')
      return c.json({ success: true, message: mailSentences.sent, id, state } satisfies SentEmail, 200)
    if (state === 'queued' || state === 'sending') {
      return c.json(
        { success: false, message: singleEmailSentences.waiting(failure), id, state } satisfies SentEmail,
        202,
      )
    }
    const reason = state === 'unknown' ? singleEmailSentences.unknown(failure) : failure
    const detail = [mailSentences.failedToSendWelcome, reason].filter(Boolean).join(': ')
    throw new AppError('not_sent', { detail, mail: { id, state } })
  })
}
