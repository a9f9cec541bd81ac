import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { sha256, signatureOf } from '#server/lib/digest.ts'
import type { KeptKeys } from '#server/lib/kept-keys.ts'

export type OptOutHash = ReturnType<typeof createOptOutHash>

/**
 * The hash needs the key, so a copy of the table alone confirms no address. The HMAC (RFC 2104) in SQL is for
 * addresses in tables.
 */
export function createOptOutHash({ optOuts: key }: Pick<KeptKeys, 'optOuts'>) {
  const padded = (byte: number) =>
    Buffer.from(Buffer.alloc(64, byte).map((value, at) => value ^ (key[at] ?? 0)))
  const [inner, outer] = [padded(0x36), padded(0x5c)]
  const keyed = (hash: RawBuilder<unknown>) =>
    sql`sha256(${outer}::bytea || sha256(${inner}::bytea || ${hash}))`
  return {
    of: (address: string): Buffer => signatureOf(key, sha256(address.toLowerCase())),
    // Index: mail_opt_outs_pkey.
    isStored: (address: RawBuilder<unknown>) => sql<SqlBool>`exists (
      select from mail_opt_outs where address_hash = ${keyed(sql`sha256(convert_to(lower(${address}), 'UTF8'))`)})`,
    mark: signatureOf(key, 'mark').subarray(0, 4),
    keyed,
  }
}

/** Keys the hashes of earlier versions. @returns how many were made with another key, and so aren't found */
export async function keyOptOuts(db: Queryable, { keyed, mark }: OptOutHash): Promise<number> {
  await sql`update mail_opt_outs set address_hash = ${keyed(sql`address_hash`)}, key_mark = ${mark}
    where key_mark is null`.execute(db)
  const others = await db
    .selectFrom('mailOptOuts')
    .select('addressHash')
    .where('keyMark', '<>', mark)
    .execute()
  return others.length
}

export function createOptOutRepository(db: Queryable, hash: OptOutHash) {
  return {
    async optedOutAmong(addresses: readonly string[]): Promise<Set<string>> {
      const rows = await db
        .selectFrom('mailOptOuts')
        .select('addressHash')
        .where(sql<SqlBool>`address_hash = any(${addresses.map(hash.of)}::bytea[])`)
        .execute()
      const found = new Set(rows.map(({ addressHash }) => addressHash.toString('hex')))
      return new Set(addresses.filter((address) => found.has(hash.of(address).toString('hex'))))
    },

    async add(address: string, optedOutAt: Date): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('mailOptOuts')
        .values({ addressHash: hash.of(address), optedOutAt, keyMark: hash.mark })
        .onConflict((conflict) => conflict.column('addressHash').doNothing())
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },

    async remove(address: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('mailOptOuts')
        .where('addressHash', '=', hash.of(address))
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
