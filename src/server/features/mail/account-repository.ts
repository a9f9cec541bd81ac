import { type Selectable, sql } from 'kysely'
import type { MailAccountTable, Queryable } from '#server/database/schema.ts'

// Lock order: a change of the account holds this until its transaction ends, also while there is no account.
const accountLock = 7_191_630_005

export type StoredAccount = Omit<Selectable<MailAccountTable>, 'onlyRow' | 'updatedAt'>

// Index of this query and the others: mail_account_pkey.
export function readAccount(db: Queryable): Promise<StoredAccount | undefined> {
  return db
    .selectFrom('mailAccount')
    .select(['version', 'senderAddress', 'senderName', 'userName', 'password'])
    .select(['host', 'port', 'secure', 'imapHost', 'imapPort'])
    .select(['signIn', 'tokenEndpoint', 'tokenScope', 'clientId', 'clientSecret', 'refreshToken'])
    .executeTakeFirst()
}

export async function lockAccount(tx: Queryable): Promise<StoredAccount | undefined> {
  await sql`select pg_advisory_xact_lock(${accountLock}::bigint)`.execute(tx)
  return await readAccount(tx)
}

export async function writeAccount(tx: Queryable, row: StoredAccount & { updatedAt: Date }): Promise<void> {
  await tx
    .insertInto('mailAccount')
    .values(row)
    .onConflict((conflict) => conflict.column('onlyRow').doUpdateSet(row))
    .execute()
}

/** The new token is stored even while the account is in use: nothing else of the account changes. */
export async function writeRefreshToken(tx: Queryable, refreshToken: Buffer): Promise<void> {
  await tx.updateTable('mailAccount').set({ refreshToken }).execute()
}

export async function deleteAccount(tx: Queryable): Promise<void> {
  await tx.deleteFrom('mailAccount').execute()
}

/**
 * Reads the administrators who get a notice to the office, and the address that sends it. @returns undefined while no
 * account is stored
 */
export async function readNoticeAddresses(db: Queryable) {
  const sender = await db.selectFrom('mailAccount').select('senderAddress').executeTakeFirst()
  if (!sender) return undefined
  const admins = await db
    .selectFrom('admins')
    .select('email')
    .where('role', '=', 'administrator')
    .where('disabledAt', 'is', null)
    .execute()
  return { sender: sender.senderAddress, administrators: admins.map(({ email }) => email) }
}
