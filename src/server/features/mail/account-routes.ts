import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json, jsonBody, mailerRoutes } from '#server/http/router.ts'
import { documented, ifMatchHeader } from '#server/http/schemas.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailSentences, notShown, serverTestSteps } from '#shared/mail/mail.ts'
import { mailAccountSchema } from '#shared/mail/mail-account.ts'
import { mailServiceStatusBody } from '#shared/mail/mail-response.ts'
import {
  type SentEmail,
  sentEmailSchema,
  singleEmailSentences,
  welcomeRequestSchema,
} from '#shared/mail/single-email.ts'
import { problemSentences } from '#shared/problem.ts'
import type { MailAccountService, MailStatus } from './account-service.ts'
import type { ServerStatusService, ServerTestService } from './server-test-service.ts'
import type { WelcomeMailService } from './student-mail-service.ts'

// In ms. Two external servers are involved, each of which may be slow.
const mailServersMs = 90_000

const mailAccountBody = z
  .object({
    senderAddress: z.string(),
    senderName: z.string().openapi({ description: "Empty for the school's name." }),
    userName: z.string().openapi({ description: "Empty for the sender's address." }),
    host: z.string(),
    port: z.number().int(),
    secure: z.boolean().openapi({ description: 'TLS from the start; otherwise STARTTLS is required.' }),
    imapHost: z.string().openapi({ description: 'The IMAP server of the bounce mailbox; empty for none.' }),
    imapPort: z.number().int(),
    version: z.number().int(),
  })
  .openapi('MailAccount')

const mailConfigurationBody = z
  .object({
    account: mailAccountBody.nullable().openapi({ description: 'Without the password.' }),
    defaults: z.object({ host: z.string(), port: z.number().int(), secure: z.boolean() }),
    status: mailServiceStatusBody,
  })
  .openapi('MailConfiguration')

const changedAccountBody = z
  .object({ success: z.literal(true), message: z.string(), account: mailAccountBody })
  .openapi('ChangedMailAccount')

const admin = adminRoutes('mail')

const readAccount = admin.get('/mail/account', 'Read the mail account and its state', {
  responses: { 200: json(mailConfigurationBody, 'Without the password.') },
})

const changeAccount = admin.post('/update-email-config', 'Configure the mail account', {
  limits: { deadlineMs: mailServersMs, failure: problemSentences.internal },
  description:
    'Signs in at the mail server before anything is stored; this takes up to half a minute. ' +
    'An empty emailPassword keeps the stored one, as long as the server, the user name and the bounce ' +
    'mailbox server stay the same. Other fields that are left out stay as they are.',
  request: {
    headers: ifMatchHeader.partial(),
    body: jsonBody(documented(mailAccountSchema, 'MailAccountChange'), 'The account.'),
  },
  responses: { 200: json(changedAccountBody, 'Tested and stored.') },
  problems: ['conflict'],
})

const removeAccount = admin.delete('/mail/account', 'Remove the mail account', {
  description: 'Nothing is sent any more; queued messages stay queued.',
  responses: { 204: { description: 'Removed.' } },
})

interface MailAccountRoutesOptions {
  account: MailAccountService
  status: MailStatus
}

export function createMailAccountRoutes({ account, status }: MailAccountRoutesOptions) {
  return createRouter()
    .openapi(readAccount, async (c) => {
      // Also loads the account, so that both belong to the same version.
      const now = await status()
      return c.json({ account: account.account(), defaults: account.defaults, status: now }, 200)
    })
    .openapi(changeAccount, async (c) => {
      const version = c.req.valid('header')['if-match']
      const changed = await account.change(c.req.valid('json'), version, c.var.actor)
      return c.json({ success: true as const, message: mailSentences.configured, account: changed }, 200)
    })
    .openapi(removeAccount, async (c) => {
      await account.remove(c.var.actor)
      return c.body(null, 204)
    })
}

const readStatus = mailerRoutes('mail').get('/status', 'Check that e-mail can be sent', {
  responses: { 200: json(mailServiceStatusBody, 'Also when the check fails.') },
})

interface EmailServiceRoutesOptions {
  status: MailStatus
}

/** Spec §7 "e-mail service", mounted at /emailService. */
export function createEmailServiceRoutes({ status }: EmailServiceRoutesOptions) {
  return createRouter().openapi(readStatus, async (c) => c.json(await status(), 200))
}

const count = z.number().int()

const serverStatusBody = z
  .object({
    version: z.string(),
    startedAt: z.string(),
    uptimeSeconds: count,
    database: z.object({ reachable: z.boolean(), version: z.string(), sizeBytes: count.nullable() }),
    queue: z
      .object({ queued: count, sending: count, sent: count, failed: count, unknown: count, cancelled: count })
      .nullable()
      .openapi({ description: 'The number of e-mails by state.' }),
    disk: z.object({ freeBytes: count, totalBytes: count }).nullable(),
    email: mailServiceStatusBody,
  })
  .openapi('ServerStatus')

const readServerStatus = mailerRoutes('operations').get(
  '/status',
  'State of the server: version, uptime, database, queue, disk, e-mail',
  { responses: { 200: json(serverStatusBody, 'What can’t be read is null.') } },
)

/** Spec §7, test tool. */
export function createServerStatusRoutes({ serverStatus }: { serverStatus: ServerStatusService }) {
  return createRouter().openapi(readServerStatus, async (c) => c.json(await serverStatus(), 200))
}

const sentBody = documented(sentEmailSchema, 'SentEmail')

const sendWelcome = mailerRoutes('mail').post('/send-welcome-email', 'Send the welcome e-mail to a student', {
  limits: { failure: mailSentences.failedToSendWelcome },
  description:
    '`nstpComponent` is ROTC, CWTS or LTS. At most three a day to one address. The response waits up to three seconds for the mail server.',
  request: { body: jsonBody(documented(welcomeRequestSchema, 'WelcomeRequest'), 'The student.') },
  responses: {
    200: json(sentBody, 'The mail server accepted it.'),
    202: json(sentBody, 'Queued: `success` is false, and `message` says why it is waiting.'),
  },
  problems: ['too_many_requests', 'not_sent', 'unavailable'],
})

/** Spec §7, mounted below /emailService. */
export function createWelcomeMailRoutes({ welcomes }: { welcomes: Pick<WelcomeMailService, 'send'> }) {
  return createRouter().openapi(sendWelcome, async (c) => {
    const { email, firstName, lastName, nstpComponent } = c.req.valid('json')
    const values = { firstName, lastName, nstpComponent, reference: '' }
    const { id, state, failure } = await welcomes.send({ email, values }, c.var.actor)
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

const serverTestBody = z
  .object({
    step: z.enum(serverTestSteps),
    ok: z.boolean(),
    verdict: z.string(),
    lines: z
      .array(z.object({ by: z.enum(['client', 'server', 'note']), text: z.string() }))
      .openapi({ description: `The conversation. Secrets are replaced by ${notShown}.` }),
    tookMs: z.number().int(),
  })
  .openapi('ServerTestResult')

const stepMessage = 'Please choose what to test: connect, authenticate or send.'

const runTest = adminRoutes('mail').post('/mail/server-test', 'Test the configured mail server', {
  limits: { deadlineMs: mailServersMs },
  description:
    'Each step includes the previous ones. `send` sends a test message to the sender address. ' +
    'The response is 200 also when the server refuses; it may take a minute.',
  request: {
    body: jsonBody(z.object({ step: z.enum(serverTestSteps, { error: stepMessage }) }), 'The last step.'),
  },
  responses: { 200: json(serverTestBody, 'The result and the conversation.') },
  problems: ['unavailable'],
})

/** Spec §2, Server Test. */
export function createServerTestRoutes({ serverTest }: { serverTest: ServerTestService }) {
  return createRouter().openapi(runTest, async (c) =>
    c.json(await serverTest.run(c.req.valid('json').step, c.var.actor), 200),
  )
}
