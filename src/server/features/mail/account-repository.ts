import { sql } from 'kysely'
import type { MailAccountTable, Queryable } from '#server/database/schema.ts'

// Lock order: a change of the account holds this until its transaction ends, also while there is no account.
const accountLock = 7_191_630_005

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

/** Found by mail_account_pkey. */
export function createMailAccountRepository(db: Queryable) {
  return {
    read(): Promise<StoredMailAccount | undefined> {
      return db.selectFrom('mailAccount').select(columns).executeTakeFirst()
    },

    // Locks the row until the transaction ends.
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
