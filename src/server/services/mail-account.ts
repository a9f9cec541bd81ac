import { createMailAccountService } from '#server/features/mail-account/service.ts'
import { createMailStatus } from '#server/features/mail-account/status-service.ts'
import { testAccount } from '#server/features/mail-account/test-account.ts'
import { createServerStatus } from '#server/features/server-status/service.ts'
import { createSealedSecrets } from '#server/sealed-secret.ts'
import { productVersion } from '#server/version.ts'
import type { Foundation } from './foundation.ts'

interface MailAccountServicesOptions {
  /** Why no mail goes out at the moment; '' when it does. */
  trouble: () => string
}

/** What mail is sent by: the account, and how it and the server are. */
export function createMailAccountServices(foundation: Foundation, { trouble }: MailAccountServicesOptions) {
  const { env, database, secretKey, log } = foundation
  const account = createMailAccountService({
    ...foundation,
    secrets: createSealedSecrets({ secretKey, purpose: 'mail account' }),
    defaults: { host: env.SMTP_HOST, port: env.SMTP_PORT, secure: env.SMTP_SECURE === 'on' },
    test: testAccount,
  })
  const status = createMailStatus({ account, trouble, log })
  const serverStatus = createServerStatus({
    ...foundation,
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
