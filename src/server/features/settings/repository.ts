import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

export interface StoredSettings {
  version: number
  changed: Record<string, unknown>
}

/** Found by settings_pkey. */
export function createSettingsRepository(db: Queryable) {
  return {
    async read(): Promise<StoredSettings> {
      const row = await db.selectFrom('settings').select(['version', 'changed']).executeTakeFirst()
      // A database that was filled by hand may lack the row: then nothing was changed.
      return row ?? { version: 1, changed: {} }
    },

    // Locks the row until the transaction ends.
    async readForChange(): Promise<StoredSettings> {
      await sql`insert into settings (version, changed) values (1, '{}') on conflict do nothing`.execute(db)
      return await db
        .selectFrom('settings')
        .select(['version', 'changed'])
        .forUpdate()
        .executeTakeFirstOrThrow()
    },

    async write({ version, changed }: StoredSettings, changedAt: Date): Promise<void> {
      await sql`
        update settings set version = ${version}, changed = ${JSON.stringify(changed)}::jsonb,
          changed_at = ${changedAt}`.execute(db)
    },
  }
}
