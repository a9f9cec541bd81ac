import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { SealedSecrets } from '#server/sealed-secret.ts'
import type { SendingAccount } from './sending-account.ts'

interface Options {
  db: Queryable
  notices: Pick<Notices, 'subscribe'>
  secrets: SealedSecrets
  log: Logger
}

/** Keeps the account in memory. */
export function createCurrentAccount({ db, notices, secrets, log }: Options) {
  let known: SendingAccount | null = null

  async function load(): Promise<void> {
    // The primary key: there is one row.
    const row = await db.selectFrom('mailAccount').selectAll().executeTakeFirst()
    const password = row && secrets.open(row.password)
    known = row && password ? { ...row, userName: row.userName || row.senderAddress, password } : null
  }

  notices.subscribe((topic) => {
    if (topic !== 'mail-account') return
    load().catch((error: unknown) => log.warn({ err: error }, 'mail account not read'))
  })
  return { load, current: () => known }
}
