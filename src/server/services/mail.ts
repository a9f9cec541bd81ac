import type { FilesService } from '#server/features/files/service.ts'
import { createOptOutService } from '#server/features/mail-opt-out/service.ts'
import { createMailPreviewService } from '#server/features/mail-preview/service.ts'
import { createMailQueueService } from '#server/features/mail-queue/service.ts'
import { createSendTest } from '#server/features/server-test/send-test.ts'
import { createServerTestService } from '#server/features/server-test/service.ts'
import { createStudentMailService } from '#server/features/student-mail/service.ts'
import { createWelcomeMailService } from '#server/features/welcome-mail/service.ts'
import { createMailLogo } from '#server/mail/rendering/logo.ts'
import { createMailRenderer } from '#server/mail/rendering/renderer.ts'
import { createUnsubscribeTokens } from '#server/mail/rendering/unsubscribe-tokens.ts'
import type { CurrentAccount } from '#server/mail/sending-account.ts'
import { createMailSender } from '#server/mail/worker/mail-sender.ts'
import type { Settings } from '#shared/settings.ts'
import type { Foundation } from './foundation.ts'

interface MailOptions {
  settings: () => Settings
  files: Pick<FilesService, 'readAsPng'>
  account: CurrentAccount
}

/** Outgoing mail: the worker that sends what the ledger holds, and how far it is. */
export function createMailServices(foundation: Foundation, { settings, files, account }: MailOptions) {
  const { env, database, notices, log, clock, secretKey, audit } = foundation
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
  const { mailer, forecasts, trouble } = sender
  const changes = { database, clock, audit, publish: notices.publish }
  const sendTest = createSendTest({ ...changes, ...sending })
  const welcomes = createWelcomeMailService({ ...changes, log, mailer, settings })
  return {
    mailer,
    /** When what waits will be sent. */
    forecasts,
    /** Why nothing goes out at the moment; '' when it does. */
    trouble,
    welcomes,
    renderer,
    optOuts,
    /** Begins to send; when the account was read. */
    start: sender.start,
    close: sender.close,
    parts: {
      mailQueue: { queue: createMailQueueService({ db: database.db, clock, quotas, forecasts, trouble }) },
      serverTest: { serverTest: createServerTestService({ account, sendTest }) },
      optOuts: { optOuts },
      studentMail: { studentMail: createStudentMailService({ ...changes, optOuts, welcomes }) },
      mailPreview: { previews: createMailPreviewService({ renderer }) },
    },
  }
}
