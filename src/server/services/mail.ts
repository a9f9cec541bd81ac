import type { FilesService } from '#server/features/files/service.ts'
import { createOptOutService } from '#server/features/mail-opt-out/service.ts'
import { createMailPreviewService } from '#server/features/mail-preview/service.ts'
import { createSingleEmailService } from '#server/features/single-email/service.ts'
import { createCurrentAccount } from '#server/mail/current-account.ts'
import { createMailLogo } from '#server/mail/logo.ts'
import { createMailRenderer } from '#server/mail/renderer.ts'
import { createUnsubscribeTokens } from '#server/mail/unsubscribe-tokens.ts'
import { createMailWorker } from '#server/mail/worker.ts'
import { createSealedSecrets } from '#server/sealed-secret.ts'
import type { Settings } from '#shared/settings.ts'
import type { Foundation } from './foundation.ts'

interface MailOptions {
  settings: () => Settings
  files: Pick<FilesService, 'readAsPng'>
}

/** Outgoing mail: the account, the worker that sends what the ledger holds, and how far it is. */
export function createMailServices(foundation: Foundation, { settings, files }: MailOptions) {
  const { env, database, notices, log, clock, secretKey, audit } = foundation
  const account = createCurrentAccount({
    db: database.db,
    notices,
    secrets: createSealedSecrets({ secretKey, purpose: 'mail account' }),
    log,
  })
  const tokens = createUnsubscribeTokens(secretKey)
  const renderer = createMailRenderer({
    settings,
    publicUrl: env.PUBLIC_URL,
    readLogo: createMailLogo(files),
    tokens,
  })
  const optOuts = createOptOutService({ database, clock, publish: notices.publish, tokens })
  const worker = createMailWorker({
    database,
    notices,
    log,
    clock,
    account: account.current,
    render: renderer.render,
    quotas: () => ({ perDay: settings().mailPerDay, perMinute: settings().mailPerMinute }),
  })
  const { mailer } = worker
  const changes = { database, clock, audit, publish: notices.publish }
  const emails = createSingleEmailService({ ...changes, mailer, account: account.current })
  return {
    mailer,
    renderer,
    optOuts,
    /** Reads the account, then begins to send. */
    async start(): Promise<void> {
      await account.load()
      worker.start()
    },
    close: worker.close,
    parts: {
      singleEmail: { emails },
      optOuts: { optOuts },
      mailPreview: { previews: createMailPreviewService({ renderer }) },
    },
  }
}
