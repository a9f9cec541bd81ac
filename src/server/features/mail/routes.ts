import type { FilesService } from '#server/features/files/service.ts'
import { createRouter } from '#server/http/router.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { productVersion } from '#server/lib/version.ts'
import type { Settings } from '#shared/settings/settings.ts'
import {
  createEmailServiceRoutes,
  createMailAccountRoutes,
  createServerStatusRoutes,
  createServerTestRoutes,
  createWelcomeMailRoutes,
} from './account-routes.ts'
import { createMailAccountService, createMailStatus, testAccount } from './account-service.ts'
import { createAnnouncementMailService } from './announcement-service.ts'
import {
  type AudiencesOptions,
  createAudiences,
  createRecipientFiles,
  type RecipientFilesOptions,
} from './audience-service.ts'
import { createBatches } from './batch-service.ts'
import { createAnnouncementMailRoutes, createBulkMailRoutes } from './bulk-routes.ts'
import { createMailMessageRoutes, createMailQueueRoutes, createStudentMailRoutes } from './messages-routes.ts'
import { createMailMessages, createMailRetention } from './messages-service.ts'
import { createMailLogo, createMailRenderer, createUnsubscribeTokens } from './rendering/renderer.ts'
import { createReturnedMailRoutes } from './returned-routes.ts'
import { createMailboxCheck, createReturnedMailService } from './returned-service.ts'
import { createServerStatus, createServerTestService } from './server-test-service.ts'
import { createMailPreviewRoutes, createOptOutRoutes, createSingleEmailRoutes } from './single-routes.ts'
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
  students: Pick<AudiencesOptions, 'addressed' | 'withAddresses'>
  // Headings are recognised as in the import of students.
  headings: RecipientFilesOptions
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
    test: testAccount,
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
  const audiences = createAudiences({ ...changes, ...students })
  const batches = createBatches({ ...changes, audiences, finishOf: queue.finishOfBatch })
  const mailings = createAnnouncementMailService({ ...changes, audiences })
  const check = createMailboxCheck({ ...context, mailbox })

  const routes = createRouter()
    .route(
      '/',
      createBulkMailRoutes({ audiences, readRecipientFile: createRecipientFiles(headings), ...batches }),
    )
    .route(
      '/',
      createMailMessageRoutes({ messages: createMailMessages({ ...changes, preview: renderer.preview }) }),
    )
    .route('/', createAnnouncementMailRoutes({ mailings }))
    .route(
      '/',
      createReturnedMailRoutes({ returned: createReturnedMailService({ ...context, mailbox, check }) }),
    )
    .route(
      '/',
      createSingleEmailRoutes({ emails: createSingleEmailService({ ...changes, ...students, account }) }),
    )
    .route('/', createMailPreviewRoutes({ previews: createMailPreviewService({ renderer }) }))
    .route('/', createOptOutRoutes({ optOuts }))
    .route('/', createMailQueueRoutes({ queue }))
    .route(
      '/',
      createStudentMailRoutes({ studentMail: createStudentMailService({ ...context, optOuts, welcomes }) }),
    )
    .route('/', createMailAccountRoutes({ account: accounts, status }))
    .route('/', createServerStatusRoutes({ serverStatus }))
    .route('/', createServerTestRoutes({ serverTest }))

  return {
    routes,
    // Spec §7, mounted at /emailService.
    emailService: createEmailServiceRoutes({ status }).route('/', createWelcomeMailRoutes({ welcomes })),
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
