import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** What the database tells of itself and of the mail in it. */
export function createServerFacts(db: Queryable) {
  return {
    async readDatabase(): Promise<{ version: string; sizeBytes: number | null }> {
      const { rows } = await sql<{ version: string; sizeBytes: string | null }>`
        select current_setting('server_version') as version,
          pg_database_size(current_database()) as size_bytes`.execute(db)
      const [row] = rows
      if (!row) return { version: '', sizeBytes: null }
      return { version: row.version, sizeBytes: row.sizeBytes === null ? null : Number(row.sizeBytes) }
    },

    /** How many messages stand where: the whole table is counted, by no index. */
    countMessages(): Promise<{ state: string; count: number }[]> {
      return db
        .selectFrom('mailMessages')
        .select(['state', (eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('count')])
        .groupBy('state')
        .execute()
    },
  }
}
