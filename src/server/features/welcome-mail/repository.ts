import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** What is asked of the ledger before a welcome mail. */
export function createWelcomeRepository(db: Queryable) {
  return {
    /**
     * Whether an address may have another one. Others who ask for the same address wait for the end of this transaction.
     *
     * Index: mail_messages_welcome.
     */
    async mayWelcome(address: string, since: Date, most: number): Promise<boolean> {
      const { rows } = await sql<{ may: boolean }>`
        select may_welcome(${address}, ${since}, ${most}) as may`.execute(db)
      return rows[0]?.may ?? false
    },
  }
}
