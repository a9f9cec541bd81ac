import { z } from '@hono/zod-openapi'
import type { FilesService } from '#server/features/files/service.ts'
import { createRouter, done, formBody, jsonBody, mailerRoutes, ok, staffRoutes } from '#server/http/router.ts'
import { cursorQuery, ifMatchHeader } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { mailSentences, serverTestSteps } from '#shared/mail/mail.ts'
import { mailAccountSchema } from '#shared/mail/mail-account.ts'
import {
  mailAccountBody,
  mailboxSchema,
  mailServiceStatusBody,
  returnedPageSchema,
  serverStatusBody,
  serverTestBody,
} from '#shared/mail/mail-response.ts'
import { returnedSentences } from '#shared/mail/returned-mail.ts'
import { namedObject } from '#shared/named-object.ts'
import { problemSentences } from '#shared/problem.ts'
import type { Settings } from '#shared/settings/settings.ts'
import {
  createMailAccountService,
  createMailStatus,
  type MailAccountService,
  type MailStatus,
} from './account-service.ts'
import { createAccountNotice } from './alert-service.ts'
import { createAnnouncementMailService } from './announcement-service.ts'
import { createAudiences } from './audience-service.ts'
import { createBatches } from './batch-service.ts'
import { createBatchStarts } from './batch-start-service.ts'
import { createBulkCall } from './bulk-call-service.ts'
import { createBulkMailRoutes } from './bulk-routes.ts'
import { createCodeMail, createCodeSecrets } from './code-service.ts'
import type { MailContext, PublicAddress, StudentMailing } from './mail-context.ts'
import { createMailMessageRoutes } from './messages-routes.ts'
import { createMailMessages, createMailRetention } from './messages-service.ts'
import { createOptOutService } from './opt-outs-service.ts'
import type { Tables } from './recipient-file.ts'
import { createMailLogo, createMailRenderer, createUnsubscribeTokens } from './rendering/renderer.ts'
import {
  createMailboxCheck,
  createReturnedMailService,
  type ReturnedMailService,
} from './returned-service.ts'
import {
  createServerStatus,
  createServerTestService,
  type ServerStatusService,
  type ServerTestService,
} from './server-test-service.ts'
import { createSingleEmailRoutes, createWelcomeMailRoutes } from './single-routes.ts'
import { createMailPreviewService, createSingleEmailService } from './single-service.ts'
import { createMailServerRule } from './smtp/allowed-server.ts'
import { createStudentMailService } from './student-mail-service.ts'
import { createWelcomeMailService } from './welcome-service.ts'
import { createMailSender } from './worker/mail-sender.ts'

interface MailOptions {
  settings: () => Settings
  files: Pick<FilesService, 'readAsPng'>
  students: StudentMailing
  tables: Tables
}

export function createMail(context: AppContext, { settings, files, students, tables }: MailOptions) {
  const { env, secretKey, keptKeys } = context
  const tokens = createUnsubscribeTokens(keptKeys)
  const optOuts = createOptOutService(context, tokens)
  const ownAddress = env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin
  const publicAddress = () => ownAddress ?? settings().publicAddress
  const renderer = createMailRenderer({
    ...createCodeSecrets(context),
    settings,
    publicAddress,
    readLogo: createMailLogo(files),
    tokens,
  })
  const noticeChange = createAccountNotice(context)
  const accounts = createMailAccountService({
    ...context,
    secrets: createSealedSecrets({ secretKey, purpose: 'mail account' }),
    rule: createMailServerRule(env),
    defaults: { host: env.SMTP_HOST, port: env.SMTP_PORT, secure: env.SMTP_SECURE === 'on' },
    noticeChange: (actor) => noticeChange(actor, mailer),
  })
  const sending = {
    ...context,
    settings,
    render: renderer.render,
    quotas: () => ({ perDay: settings().mailPerDay, perMinute: settings().mailPerMinute }),
    publicAddress,
    schoolName: () => settings().schoolName || settings().systemName,
  }
  const sender = createMailSender({ ...sending, optOuts: optOuts.hash, account: accounts })
  const { mailer, problem, queue } = sender
  const mail: MailContext = { ...sending, mailer, account: accounts.current, students, optOuts }

  const status = createMailStatus({ ...context, account: accounts, problem })
  const welcomes = createWelcomeMailService(mail)
  const audiences = createAudiences(mail)
  const starts = createBatchStarts(mail, audiences)
  const batches = createBatches(mail, queue.finishOfBatch)
  const mailings = createAnnouncementMailService(mail, audiences)
  const check = createMailboxCheck({ ...context, mailbox: accounts.mailbox })
  const returned = createReturnedMailService(context, accounts.mailbox, check)

  const routes = createRouter()
    .route(
      '/',
      createBulkMailRoutes(starts, batches, createBulkCall(mail, starts, batches), {
        audiences,
        mailings,
        tables,
      }),
    )
    .route(
      '/',
      createMailMessageRoutes(
        createMailMessages(mail, renderer),
        queue,
        createStudentMailService(mail, welcomes),
      ),
    )
    .route('/', createReturnedMailRoutes(returned))
    .route(
      '/',
      createSingleEmailRoutes(createSingleEmailService(mail), createMailPreviewService(renderer), optOuts),
    )
    .route(
      '/',
      createMailAccountRoutes(accounts, {
        status,
        serverStatus: createServerStatus(context, status),
        serverTest: createServerTestService(mail),
        publicAddress,
        isFixed: ownAddress !== undefined,
      }),
    )

  return {
    routes,
    // Mounted at /emailService (product 27.2).
    emailService: createRouter().answer(readStatus, status).route('/', createWelcomeMailRoutes(welcomes)),
    welcomes,
    mailer,
    codes: createCodeMail(mail),
    isConfigured: mailer.isConfigured,
    hindrance: () =>
      !mailer.isConfigured()
        ? mailSentences.notConfigured
        : publicAddress() === ''
          ? mailSentences.noPublicAddress
          : '',
    load: () => Promise.all([accounts.load(), optOuts.load()]),
    expire: createMailRetention({ ...context, months: () => settings().auditRetentionMonths }),

    async start() {
      await sender.start()
      check.start()
      mailings.start()
    },

    close: () => Promise.all([sender.close(), check.close(), mailings.close()]),
  }
}

const returnedAdmin = staffRoutes('mail', 'mail', returnedSentences.onlyAdmins)

const listReturned = returnedAdmin.get('/mail/bounces', 'Bounced addresses', {
  description:
    'Returned messages that are not resolved, newest first. An entry is resolved when the student’s address changes.',
  query: z.strictObject({ cursor: cursorQuery }),
  responses: ok(returnedPageSchema, 'A page of the list.'),
})

const resolveReturned = returnedAdmin.post('/mail/bounces/{id}/resolve', 'Resolve an entry', {
  responses: done('Resolved.'),
})

const checkMailbox = returnedAdmin.post('/mail/bounces/check', 'Check the mailbox for returned messages', {
  description:
    'Responds when the mailbox was read, or after 15 seconds while reading continues. The mailbox is not changed.',
  responses: ok(mailboxSchema, 'The result.'),
  problems: ['invalid'],
})

function createReturnedMailRoutes(returned: ReturnedMailService) {
  return createRouter()
    .answer(listReturned, ({ query, actor }) => returned.list(query.cursor, actor))
    .answer(checkMailbox, returned.checkNow)
    .answer(resolveReturned, ({ id, actor }) => returned.resolve(id, actor))
}

// The deadline in ms. Two external servers are involved, each of which may be slow.
const mailServersMs = 90_000

const mailConfigurationBody = namedObject('MailConfiguration', {
  account: z.union([mailAccountBody, z.null()]).describe('Without its secrets.'),
  defaults: mailAccountBody.pick({ host: true, port: true, secure: true }),
  status: mailServiceStatusBody,
  publicAddress: z.string().describe('Where links in e-mails lead; empty while it is not known.'),
  isFixed: z.boolean().describe('Whether PUBLIC_URL sets the public address.'),
})

const changedAccountBody = namedObject('ChangedMailAccount', {
  success: z.literal(true),
  message: z.string(),
  account: mailAccountBody,
})

const admin = staffRoutes('mail', 'mail.account')

const readAccount = admin.get('/mail/account', 'Read the mail account and its state', {
  responses: ok(mailConfigurationBody, 'Without the secrets.'),
})

const changeAccount = admin.post('/update-email-config', 'Configure the mail account', {
  needs: 'fresh sign-in',
  limits: { deadlineMs: mailServersMs, failure: problemSentences.internal },
  description:
    'Signs in at the mail server before anything is stored; this takes up to half a minute. ' +
    'An empty emailPassword keeps the stored one, as long as the server, the user name and the bounce ' +
    'mailbox server stay the same. So do an empty clientSecret and an empty refreshToken of OAuth 2, as long as the client ID ' +
    'and the token address stay the same too. Without signIn a password means a sign-in by password. Other fields that are ' +
    'left out stay as they are.',
  headers: ifMatchHeader.partial(),
  body: formBody(mailAccountSchema, 'MailAccountChange', 'The account.'),
  responses: ok(changedAccountBody, 'Tested and stored.'),
})

const removeAccount = admin.delete('/mail/account', 'Remove the mail account', {
  needs: 'fresh sign-in',
  description: 'Nothing is sent any more; queued messages stay queued.',
  responses: done('Removed.'),
})

const readServerStatus = mailerRoutes('operations', 'mail.account').get(
  '/status',
  'State of the server: version, uptime, database, queue, disk, e-mail',
  { responses: ok(serverStatusBody, 'What can’t be read is null.') },
)

const stepMessage = 'Please choose what to test: connect, authenticate or send.'

const runTest = admin.post('/mail/server-test', 'Test the configured mail server', {
  limits: { deadlineMs: mailServersMs },
  description:
    'Each step includes the previous ones. `send` sends a test message to the sender address. ' +
    'The response is 200 also when the server refuses; it may take a minute.',
  body: jsonBody(z.object({ step: z.enum(serverTestSteps, { error: stepMessage }) }), 'The last step.'),
  responses: ok(serverTestBody, 'The result and the conversation.'),
  problems: ['unavailable'],
})

interface MailAccountRoutesOptions {
  status: MailStatus
  serverStatus: ServerStatusService
  serverTest: ServerTestService
  publicAddress: PublicAddress
  isFixed: boolean
}

function createMailAccountRoutes(
  account: MailAccountService,
  { status, serverStatus, serverTest, publicAddress, isFixed }: MailAccountRoutesOptions,
) {
  return createRouter()
    .answer(readAccount, async () => {
      // Reading the status loads the account too, so that both belong to the same version.
      const now = await status()
      const links = { publicAddress: publicAddress(), isFixed }
      return { account: account.account(), defaults: account.defaults, status: now, ...links }
    })
    .answer(changeAccount, async ({ body, version, actor }) => {
      const changed = await account.change(body, version, actor)
      return { success: true as const, message: mailSentences.configured, account: changed }
    })
    .answer(removeAccount, ({ actor }) => account.remove(actor))
    .answer(readServerStatus, serverStatus)
    .answer(runTest, ({ body, actor }) => serverTest(body.step, actor))
}

const readStatus = mailerRoutes('mail', 'mail').get('/status', 'Check that e-mail can be sent', {
  responses: ok(mailServiceStatusBody, 'Also when the check fails.'),
})
