import { sql } from 'kysely'
import { expect } from 'vitest'
import type { AppDatabase } from '#server/database/pool.ts'

/** Waits until so many statements of this database wait for a lock. Tests beside this one have databases of their own. */
export async function untilWaiting({ db }: Pick<AppDatabase, 'db'>, count = 1): Promise<void> {
  const statements = sql`
    select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await expect.poll(async () => (await statements.execute(db)).rows.length).toBeGreaterThanOrEqual(count)
}
