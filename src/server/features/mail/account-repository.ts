import { sql } from 'kysely'
import type { MailAccountTable, Queryable } from '#server/database/schema.ts'

/** Changes of the account take turns, also while there is none: each holds this until its transaction ends. */
const accountLock = 7_191_630_005

/** The account as it is stored, but for its version. */
export type MailAccountValues = Omit<MailAccountTable, 'onlyRow' | 'version' | 'updatedAt'>

export type StoredMailAccount = MailAccountValues & { version: number }

const columns = [
  'version',
  'senderAddress',
  'senderName',
  'userName',
  'password',
  'host',
  'port',
  'secure',
  'imapHost',
  'imapPort',
] as const

/** Where the mail account is kept: one row or none, found by mail_account_pkey. */
export function createMailAccountRepository(db: Queryable) {
  return {
    read(): Promise<StoredMailAccount | undefined> {
      return db.selectFrom('mailAccount').select(columns).executeTakeFirst()
    },

    /** The same, held until the transaction ends. */
    async readForChange(): Promise<StoredMailAccount | undefined> {
      await sql`select pg_advisory_xact_lock(${accountLock}::bigint)`.execute(db)
      return this.read()
    },

    async write(values: MailAccountValues, version: number, updatedAt: Date): Promise<void> {
      const row = { ...values, version, updatedAt }
      await db
        .insertInto('mailAccount')
        .values(row)
        .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(row))
        .execute()
    },

    async remove(): Promise<void> {
      await db.deleteFrom('mailAccount').execute()
    },
  }
}
