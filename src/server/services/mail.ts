import { createSingleEmailService } from '#server/features/single-email/service.ts'
import { createCurrentAccount } from '#server/mail/current-account.ts'
import { renderPlain } from '#server/mail/plain-render.ts'
import { createMailWorker } from '#server/mail/worker.ts'
import { createSealedSecrets } from '#server/sealed-secret.ts'
import type { Settings } from '#shared/settings.ts'
import type { Foundation } from './foundation.ts'

interface MailOptions {
  settings: () => Settings
}

/** Outgoing mail: the account, the worker that sends what the ledger holds, and how far it is. */
export function createMailServices(foundation: Foundation, { settings }: MailOptions) {
  const { database, notices, log, clock, secretKey, audit } = foundation
  const account = createCurrentAccount({
    db: database.db,
    notices,
    secrets: createSealedSecrets({ secretKey, purpose: 'mail account' }),
    log,
  })
  const worker = createMailWorker({
    database,
    notices,
    log,
    clock,
    account: account.current,
    render: renderPlain,
    quotas: () => ({ perDay: settings().mailPerDay, perMinute: settings().mailPerMinute }),
  })
  const { mailer } = worker
  const changes = { database, clock, audit, publish: notices.publish }
  const emails = createSingleEmailService({ ...changes, mailer, account: account.current })
  return {
    mailer,
    /** Reads the account, then begins to send. */
    async start(): Promise<void> {
      await account.load()
      worker.start()
    },
    close: worker.close,
    parts: { singleEmail: { emails } },
  }
}
