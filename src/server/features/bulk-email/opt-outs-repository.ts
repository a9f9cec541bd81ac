import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** Which of some addresses (by `addressKey`) want no announcements. Index: mail_opt_outs_pkey. */
export async function optedOutOf(db: Queryable, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const byHash = new Map(keys.map((key) => [createHash('sha256').update(key).digest('hex'), key]))
  const result = await sql<{ hash: string }>`
    select encode(address_hash, 'hex') as hash from mail_opt_outs
    where address_hash in (select decode(hash, 'hex') from unnest(${[...byHash.keys()]}::text[]) as given(hash))`.execute(
    db,
  )
  return new Set(result.rows.flatMap(({ hash }) => byHash.get(hash) ?? []))
}
