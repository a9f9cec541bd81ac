import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from './schema.ts'

/** The tags of statements: they give all rows, the first one, or whether there is any. */
export function queriesOf(db: Queryable) {
  async function all<Row>(text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> {
    const { rows } = await sql<Row>(text, ...values).execute(db)
    return rows
  }
  return {
    all,
    first: async <Row>(text: TemplateStringsArray, ...values: unknown[]) =>
      (await all<Row>(text, ...values))[0],
    exists: async (text: TemplateStringsArray, ...values: unknown[]) =>
      (await all(text, ...values)).length > 0,
  }
}

/** Counts the rows of a table, with conditions or joined. The caller names the index. */
export async function countIn(db: Queryable, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(db)
  return rows[0]?.count ?? 0
}
