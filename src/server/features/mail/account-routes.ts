import { z } from '@hono/zod-openapi'
import { adminRoutes, createRouter, json, jsonBody, mailerRoutes } from '#server/http/router.ts'
import { documented, ifMatchHeader } from '#server/http/schemas.ts'
import { mailSentences, serverTestSteps } from '#shared/mail/mail.ts'
import { mailAccountSchema } from '#shared/mail/mail-account.ts'
import {
  mailAccountBody,
  mailServiceStatusBody,
  serverStatusBody,
  serverTestBody,
} from '#shared/mail/mail-response.ts'
import { problemSentences } from '#shared/problem.ts'
import type { MailAccountService, MailStatus } from './account-service.ts'
import type { ServerStatusService, ServerTestService } from './server-test-service.ts'

// In ms. Two external servers are involved, each of which may be slow.
const mailServersMs = 90_000

const mailConfigurationBody = z
  .object({
    account: mailAccountBody.nullable().openapi({ description: 'Without the password.' }),
    defaults: mailAccountBody.pick({ host: true, port: true, secure: true }),
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

// Spec §7, test tool.
const readServerStatus = mailerRoutes('operations').get(
  '/status',
  'State of the server: version, uptime, database, queue, disk, e-mail',
  { responses: { 200: json(serverStatusBody, 'What can’t be read is null.') } },
)

const stepMessage = 'Please choose what to test: connect, authenticate or send.'

// Spec §2, Server Test.
const runTest = admin.post('/mail/server-test', 'Test the configured mail server', {
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

export function createMailAccountRoutes(
  account: MailAccountService,
  status: MailStatus,
  readServer: ServerStatusService,
  testServer: ServerTestService,
) {
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
    .openapi(readServerStatus, async (c) => c.json(await readServer(), 200))
    .openapi(runTest, async (c) => c.json(await testServer(c.req.valid('json').step, c.var.actor), 200))
}

const readStatus = mailerRoutes('mail').get('/status', 'Check that e-mail can be sent', {
  responses: { 200: json(mailServiceStatusBody, 'Also when the check fails.') },
})

/** Spec §7 "e-mail service", mounted at /emailService. */
export function createEmailServiceRoutes(status: MailStatus) {
  return createRouter().openapi(readStatus, async (c) => c.json(await status(), 200))
}
