import { createRoute } from '@hono/zod-openapi'
import { actorOf } from '#server/http/actor-of.ts'
import { documented } from '#server/http/documented.ts'
import { ifMatchHeader } from '#server/http/if-match.ts'
import { requireAdmin } from '#server/http/require-admin.ts'
import { createRouter, json, problems } from '#server/http/router.ts'
import { mailSentences } from '#shared/mail.ts'
import { mailAccountSchema } from '#shared/mail-account.ts'
import { changedAccountBody, mailConfigurationBody } from './schemas.ts'
import type { MailAccountService } from './service.ts'
import type { MailStatus } from './status-service.ts'

const admin = { middleware: [requireAdmin()], security: [{ session: [] }], tags: ['mail'] }

const readAccount = createRoute({
  ...admin,
  method: 'get',
  path: '/mail/account',
  summary: 'The mail account, and whether e-mail can be sent',
  responses: { 200: json(mailConfigurationBody, 'Without the password.'), ...problems('unauthenticated') },
})

const changeAccount = createRoute({
  ...admin,
  method: 'post',
  path: '/update-email-config',
  summary: 'Configure the mail account',
  description:
    'The mail server is connected to and signed in at before anything is kept; this takes up to half a minute. ' +
    'An empty emailPassword keeps the stored one, as long as the server, the user name and the server of returned ' +
    'mail stay the same. Other fields that are left out stay as they are.',
  request: {
    headers: ifMatchHeader.partial(),
    body: { required: true, ...json(documented(mailAccountSchema, 'MailAccountChange'), 'The account.') },
  },
  responses: {
    200: json(changedAccountBody, 'Tested, and kept.'),
    ...problems('unauthenticated', 'invalid', 'conflict'),
  },
})

const removeAccount = createRoute({
  ...admin,
  method: 'delete',
  path: '/mail/account',
  summary: 'Forget the mail account',
  description: 'Nothing is sent any more; what waits goes on waiting.',
  responses: { 204: { description: 'Forgotten.' }, ...problems('unauthenticated') },
})

interface MailAccountRoutesOptions {
  account: MailAccountService
  status: MailStatus
}

/** The mail account's side of the API. */
export function createMailAccountRoutes({ account, status }: MailAccountRoutesOptions) {
  return createRouter()
    .openapi(readAccount, async (c) => {
      // Reads the account, too, so that both tell of the same moment.
      const now = await status()
      return c.json({ account: account.account(), defaults: account.defaults, status: now }, 200)
    })
    .openapi(changeAccount, async (c) => {
      const version = c.req.valid('header')['if-match']
      const changed = await account.change(c.req.valid('json'), version, await actorOf(c))
      return c.json({ success: true as const, message: mailSentences.configured, account: changed }, 200)
    })
    .openapi(removeAccount, async (c) => {
      await account.remove(await actorOf(c))
      return c.body(null, 204)
    })
}
