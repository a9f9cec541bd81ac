import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import { backedUpTables } from '#server/features/backup/snapshot-repository.ts'

export async function readAllRows({
  longDb,
}: Pick<AppDatabase, 'longDb'>): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {}
  for (const table of backedUpTables) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(own)::text as line from ${sql.table(table)} own order by 1`.execute(longDb)
    all[table] = rows.map(({ line }) => line)
  }
  return all
}
