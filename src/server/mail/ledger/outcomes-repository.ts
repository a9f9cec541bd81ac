import type { Queryable } from '#server/database/schema.ts'
import type { MailOutcome } from '#server/mail/mailer.ts'

/** How messages stand in the ledger. */
export function createOutcomesRepository(db: Queryable) {
  return {
    async read(ids: readonly string[]): Promise<(MailOutcome & { id: string })[]> {
      // The primary key.
      return db.selectFrom('mailMessages').select(['id', 'state', 'failure']).where('id', 'in', ids).execute()
    },
  }
}
