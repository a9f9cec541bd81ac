import { createHash } from 'node:crypto'
import type { Queryable } from '#server/database/schema.ts'

/** Hashes of one statement: PostgreSQL takes 65,535 values. */
const hashesAtOnce = 10_000

/** Who wants no announcements by mail: only the hashes of their addresses, found by mail_opt_outs_pkey. */
export function createOptOutRepository(db: Queryable) {
  return {
    /** Those of the addresses that are left out, as they were given. */
    async leftOut(addresses: readonly string[]): Promise<Set<string>> {
      const out = new Set<string>()
      for (let first = 0; first < addresses.length; first += hashesAtOnce) {
        const some = addresses
          .slice(first, first + hashesAtOnce)
          .map((address) => ({ address, hash: hashOf(address) }))
        const rows = await db
          .selectFrom('mailOptOuts')
          .select('addressHash')
          .where(
            'addressHash',
            'in',
            some.map(({ hash }) => hash),
          )
          .execute()
        const found = new Set(rows.map(({ addressHash }) => addressHash.toString('hex')))
        for (const { address, hash } of some) if (found.has(hash.toString('hex'))) out.add(address)
      }
      return out
    },

    /** Returns whether that changed anything. */
    async add(address: string, optedOutAt: Date): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('mailOptOuts')
        .values({ addressHash: hashOf(address), optedOutAt })
        .onConflict((conflict) => conflict.column('addressHash').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },

    /** Returns whether that changed anything. */
    async remove(address: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mailOptOuts')
        .where('addressHash', '=', hashOf(address))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

function hashOf(address: string): Buffer {
  return createHash('sha256').update(address.toLowerCase()).digest()
}
