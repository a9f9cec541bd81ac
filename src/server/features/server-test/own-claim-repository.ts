import type { Queryable } from '#server/database/schema.ts'
import { createClaimsRepository } from '#server/mail/ledger/claims-repository.ts'
import type { Quotas } from '#server/mail/ledger/quota.ts'
import { createQuotaRepository } from '#server/mail/ledger/quota-repository.ts'

/** A message of the ledger that no worker may take: whoever wrote it sends it. */
export function createOwnClaimRepository(db: Queryable) {
  return {
    /** Whether the quotas leave a place. Until the transaction ends nobody else takes one. */
    async hasPlace(now: Date, quotas: Quotas): Promise<boolean> {
      await createClaimsRepository(db).lock()
      const { sending, inMinute, inDay } = await createQuotaRepository(db).count(now, quotas)
      return sending + inMinute < quotas.perMinute && sending + inDay < quotas.perDay
    },

    /** Takes a message that was written in this transaction, by its primary key. */
    async claim(id: string, claim: string, until: Date): Promise<void> {
      await db
        .updateTable('mailMessages')
        .set({ state: 'sending', claim, claimedUntil: until })
        .where('id', '=', id)
        .execute()
    },

    /** Writes how it ended. */
    async end(
      id: string,
      claim: string,
      { state, failure }: { state: 'sent' | 'failed' | 'unknown'; failure: string },
      at: Date,
    ): Promise<void> {
      await createClaimsRepository(db).end({ id, claim, state, failure, at, isAttempt: true })
    },
  }
}
