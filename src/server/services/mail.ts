import type { FilesService } from '#server/features/files/service.ts'
import { findHeader, guessColumns } from '#server/features/imports/guess-columns.ts'
import {
  createMailAccountService,
  createMailStatus,
  testAccount,
} from '#server/features/mail/account-service.ts'
import { createAnnouncementMailService } from '#server/features/mail/announcement-service.ts'
import {
  type Audiences,
  type AudiencesOptions,
  createAudiences,
  createRecipientFiles,
} from '#server/features/mail/audience-service.ts'
import { createBatches } from '#server/features/mail/batch-service.ts'
import type { Mailbox } from '#server/features/mail/mailbox-reader.ts'
import type { AccountSource, CurrentAccount, Mailer } from '#server/features/mail/mailer.ts'
import {
  createMailMessages,
  createMailRetention,
  type PreviewMessage,
} from '#server/features/mail/messages-service.ts'
import { createMailQueueService } from '#server/features/mail/queue-service.ts'
import {
  createMailLogo,
  createMailRenderer,
  createUnsubscribeTokens,
} from '#server/features/mail/rendering/renderer.ts'
import { createMailboxCheck, createReturnedMailService } from '#server/features/mail/returned-service.ts'
import { createServerStatus, createServerTestService } from '#server/features/mail/server-test-service.ts'
import {
  createMailPreviewService,
  createSingleEmailService,
  type StudentsOf,
} from '#server/features/mail/single-service.ts'
import {
  createOptOutService,
  createStudentMailService,
  createWelcomeMailService,
} from '#server/features/mail/student-mail-service.ts'
import { createMailSender } from '#server/features/mail/worker/mail-sender.ts'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { productVersion } from '#server/lib/version.ts'
import type { Settings } from '#shared/settings/settings.ts'
import type { AppContext } from './context.ts'

interface MailOptions {
  settings: () => Settings
  files: Pick<FilesService, 'readAsPng'>
  account: AccountSource
}

export function createMailServices(context: AppContext, { settings, files, account }: MailOptions) {
  const { env, database, notices, log, clock, secretKey, audit } = context
  const tokens = createUnsubscribeTokens(secretKey)
  const renderer = createMailRenderer({
    settings,
    publicUrl: env.PUBLIC_URL,
    readLogo: createMailLogo(files),
    tokens,
  })
  const optOuts = createOptOutService({ database, clock, publish: notices.publish, tokens })
  const quotas = () => ({ perDay: settings().mailPerDay, perMinute: settings().mailPerMinute })
  const sending = {
    render: renderer.render,
    quotas,
    schoolName: () => settings().schoolName || settings().systemName,
  }
  const sender = createMailSender({ database, notices, log, clock, account, ...sending })
  const { mailer, forecasts, problem } = sender
  const changes = { database, clock, audit, publish: notices.publish }
  const welcomes = createWelcomeMailService({ ...changes, log, mailer, settings })
  return {
    mailer,
    forecasts,
    // '' while mail is sent.
    problem,
    welcomes,
    renderer,
    optOuts,
    start: sender.start,
    close: sender.close,
    parts: {
      mailQueue: { queue: createMailQueueService({ db: database.db, clock, quotas, forecasts, problem }) },
      serverTest: {
        serverTest: createServerTestService({ ...changes, ...sending, account: account.current }),
      },
      optOuts: { optOuts },
      studentMail: { studentMail: createStudentMailService({ ...changes, optOuts, welcomes }) },
      mailPreview: { previews: createMailPreviewService({ renderer }) },
    },
  }
}

interface MailAccountServicesOptions {
  // '' while mail is sent.
  problem: () => string
}

export function createMailAccountServices(context: AppContext, { problem }: MailAccountServicesOptions) {
  const { env, database, secretKey, log } = context
  const account = createMailAccountService({
    ...context,
    secrets: createSealedSecrets({ secretKey, purpose: 'mail account' }),
    defaults: { host: env.SMTP_HOST, port: env.SMTP_PORT, secure: env.SMTP_SECURE === 'on' },
    test: testAccount,
  })
  const status = createMailStatus({ account, problem, log })
  const serverStatus = createServerStatus({
    ...context,
    db: database.db,
    dataDir: env.DATA_DIR,
    version: productVersion,
    email: status,
  })
  return {
    account,
    emailService: { status },
    parts: { mailAccount: { account, status }, serverStatus: { serverStatus } },
  }
}

interface ReturnedMailOptions {
  // Null where no mailbox is configured.
  mailbox: () => Mailbox | null
}

export function createReturnedMailServices(context: AppContext, { mailbox }: ReturnedMailOptions) {
  const { publish } = context.notices
  const check = createMailboxCheck({ ...context, mailbox })
  return {
    start: check.start,
    close: check.close,
    parts: {
      returnedMail: { returned: createReturnedMailService({ ...context, publish, mailbox, check }) },
    },
  }
}

interface SingleMailOptions {
  mailer: Mailer
  account: CurrentAccount
  withAddresses: StudentsOf
}

export function createSingleMailServices(context: AppContext, options: SingleMailOptions) {
  const { database, notices, clock, audit } = context
  const emails = createSingleEmailService({ ...options, database, clock, audit, publish: notices.publish })
  return { parts: { singleEmail: { emails } } }
}

interface BulkMailOptions {
  mailer: Mailer
  finishOf: (batchId: string) => Promise<Date | null>
  addressed: AudiencesOptions['addressed']
  withAddresses: AudiencesOptions['withAddresses']
  optedOutOf: AudiencesOptions['optedOutOf']
  preview: PreviewMessage
  // In months.
  retentionMonths: () => number
}

export function createBulkMailServices(context: AppContext, options: BulkMailOptions) {
  const { mailer, finishOf, addressed, withAddresses, optedOutOf, preview, retentionMonths } = options
  const { env, database, notices, clock, audit } = context
  const { db } = database
  const changes = { database, clock, audit, publish: notices.publish, mailer }
  const audiences = createAudiences({ db, addressed, withAddresses, optedOutOf })
  const timeZone = env.TZ_PROGRAM
  return {
    audiences,
    expire: createMailRetention({ db, clock, months: retentionMonths }),
    parts: {
      bulkMail: {
        audiences,
        // Headings are recognised as in the import of students.
        readRecipientFile: createRecipientFiles({ findHeader, guessColumns }),
        ...createBatches({ ...changes, audiences, optedOutOf, finishOf, timeZone }),
      },
      mailMessages: {
        messages: createMailMessages({ ...changes, preview, optedOutOf, timeZone }),
      },
    },
  }
}

interface AnnouncementMailOptions {
  mailer: Mailer
  audiences: Audiences
}

export function createAnnouncementMailServices(context: AppContext, options: AnnouncementMailOptions) {
  const { publish } = context.notices
  const mailings = createAnnouncementMailService({ ...context, ...options, publish })
  return { start: mailings.start, close: mailings.close, parts: { announcementMail: { mailings } } }
}
