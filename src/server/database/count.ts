import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from './schema.ts'

/** Counts the rows of a table, with conditions or joined. The caller names the index. */
export async function countIn(db: Queryable, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}
