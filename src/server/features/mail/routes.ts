import { z } from '@hono/zod-openapi'
import type { FilesService } from '#server/features/files/service.ts'
import { adminRoutes, createRouter, json } from '#server/http/router.ts'
import { cursorQuery, idParams } from '#server/http/schemas.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { productVersion } from '#server/lib/version.ts'
import { mailboxSchema, returnedPageSchema } from '#shared/mail/mail-response.ts'
import { returnedSentences } from '#shared/mail/returned-mail.ts'
import type { Settings } from '#shared/settings/settings.ts'
import { createEmailServiceRoutes, createMailAccountRoutes } from './account-routes.ts'
import { createMailAccountService, createMailStatus } from './account-service.ts'
import { createAnnouncementMailService } from './announcement-service.ts'
import { createAudiences, type Headings, type StudentMailing } from './audience-service.ts'
import { createBatches } from './batch-service.ts'
import { createBulkMailRoutes } from './bulk-routes.ts'
import { createMailMessageRoutes } from './messages-routes.ts'
import { createMailMessages, createMailRetention } from './messages-service.ts'
import { createMailLogo, createMailRenderer, createUnsubscribeTokens } from './rendering/renderer.ts'
import {
  createMailboxCheck,
  createReturnedMailService,
  type ReturnedMailService,
} from './returned-service.ts'
import { createServerStatus, createServerTestService } from './server-test-service.ts'
import { createSingleEmailRoutes, createWelcomeMailRoutes } from './single-routes.ts'
import { createMailPreviewService, createSingleEmailService } from './single-service.ts'
import {
  createOptOutService,
  createStudentMailService,
  createWelcomeMailService,
} from './student-mail-service.ts'
import { createMailSender } from './worker/mail-sender.ts'

interface MailOptions {
  settings: () => Settings
  files: Pick<FilesService, 'readAsPng'>
  students: StudentMailing
  headings: Headings
}

export function createMail(context: AppContext, { settings, files, students, headings }: MailOptions) {
  const { env, secretKey } = context
  const tokens = createUnsubscribeTokens(secretKey)
  const readLogo = createMailLogo(files)
  const renderer = createMailRenderer({ settings, publicUrl: env.PUBLIC_URL, readLogo, tokens })
  const quotas = () => ({ perDay: settings().mailPerDay, perMinute: settings().mailPerMinute })
  const sending = {
    ...context,
    render: renderer.render,
    quotas,
    schoolName: () => settings().schoolName || settings().systemName,
  }

  const accounts = createMailAccountService({
    ...context,
    secrets: createSealedSecrets({ secretKey, purpose: 'mail account' }),
    defaults: { host: env.SMTP_HOST, port: env.SMTP_PORT, secure: env.SMTP_SECURE === 'on' },
  })
  const { current: account, mailbox } = accounts
  const sender = createMailSender({ ...sending, account: accounts })
  const { mailer, problem, queue } = sender
  const status = createMailStatus({ ...context, account: accounts, problem })
  const serverStatus = createServerStatus({
    ...context,
    dataDir: env.DATA_DIR,
    version: productVersion,
    email: status,
  })
  const serverTest = createServerTestService({ ...sending, account })

  const optOuts = createOptOutService({ ...context, tokens })
  const changes = { ...context, mailer, optedOutOf: optOuts.optedOutAmong }
  const welcomes = createWelcomeMailService({ ...changes, settings })
  const audiences = createAudiences({ ...changes, students, headings })
  const batches = createBatches({ ...changes, audiences, finishOf: queue.finishOfBatch })
  const mailings = createAnnouncementMailService({ ...changes, audiences })
  const check = createMailboxCheck({ ...context, mailbox })
  const messages = createMailMessages({ ...changes, preview: renderer.preview })
  const emails = createSingleEmailService({ ...changes, students, account })

  const routes = createRouter()
    .route('/', createBulkMailRoutes(batches, audiences, mailings))
    .route(
      '/',
      createMailMessageRoutes(messages, queue, createStudentMailService({ ...context, optOuts, welcomes })),
    )
    .route('/', createReturnedMailRoutes(createReturnedMailService({ ...context, mailbox, check })))
    .route('/', createSingleEmailRoutes(emails, createMailPreviewService(renderer), optOuts))
    .route('/', createMailAccountRoutes(accounts, status, serverStatus, serverTest))

  return {
    routes,
    // Spec §7, mounted at /emailService.
    emailService: createEmailServiceRoutes(status).route('/', createWelcomeMailRoutes(welcomes)),
    welcomes,
    isConfigured: mailer.isConfigured,
    load: accounts.load,
    expire: createMailRetention({ ...context, months: () => settings().auditRetentionMonths }),

    async start() {
      await sender.start()
      check.start()
      mailings.start()
    },

    close: () => Promise.all([sender.close(), check.close(), mailings.close()]),
  }
}

const admin = adminRoutes('mail', returnedSentences.onlyAdmins)

const listReturned = admin.get('/mail/bounces', 'Bounced addresses', {
  description:
    'Returned messages that are not resolved, newest first. An entry is resolved when the student’s address changes.',
  request: {
    query: z.strictObject({ cursor: cursorQuery }),
  },
  responses: {
    200: json(returnedPageSchema, 'A page of the list.'),
  },
})

const resolveReturned = admin.post('/mail/bounces/{id}/resolve', 'Resolve an entry', {
  request: { params: idParams },
  responses: { 204: { description: 'Resolved.' } },
  problems: ['not_found'],
})

const checkMailbox = admin.post('/mail/bounces/check', 'Check the mailbox for returned messages', {
  description:
    'Responds when the mailbox was read, or after 15 seconds while reading continues. The mailbox is not changed.',
  responses: { 200: json(mailboxSchema, 'The result.') },
  problems: ['invalid'],
})

function createReturnedMailRoutes(returned: ReturnedMailService) {
  return createRouter()
    .openapi(listReturned, async (c) => c.json(await returned.list(c.req.valid('query').cursor), 200))
    .openapi(checkMailbox, async (c) => c.json(await returned.checkNow(), 200))
    .openapi(resolveReturned, async (c) => {
      await returned.resolve(c.req.valid('param').id, c.var.actor)
      return c.body(null, 204)
    })
}
