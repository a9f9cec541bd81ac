import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

export interface StoredFile {
  id: string
  mediaType: string
  bytes: Buffer
  width: number | null
  height: number | null
  fileName: string | null
}

const references = sql`(
  select image::text as said from announcements
  union all select attachment::text from announcements
  union all select image::text from slides
  union all select image::text from org_nodes
  union all select changed::text from settings
)`

const inUse = sql`(
  select found[1] from ${references} as said, lateral regexp_matches(said.said, '/api/files/([0-9a-f]{64})', 'g') as found
)`

export function createFilesRepository(db: Queryable) {
  return {
    // Race: storing the same bytes again renews the time, so that no sweep deletes them.
    async put(file: StoredFile, now: Date): Promise<void> {
      await db
        .insertInto('files')
        .values({ ...file, createdAt: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ createdAt: now }))
        .execute()
    },

    // Index: files_pkey.
    async find(id: string): Promise<Pick<StoredFile, 'mediaType' | 'bytes' | 'fileName'> | undefined> {
      return await db
        .selectFrom('files')
        .select(['mediaType', 'bytes', 'fileName'])
        .where('id', '=', id)
        .executeTakeFirst()
    },

    // Race: two statements. The first waits for a transaction that stores the same bytes, the second sees its references.
    async deleteUnused(ids: readonly string[]): Promise<void> {
      await sql`select id from files where id = any(${[...ids]}::text[]) order by id for update`.execute(db)
      await sql`delete from files where id = any(${[...ids]}::text[]) and id not in ${inUse}`.execute(db)
    },

    async deleteOthers(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from files where created_at < ${before} and id not in ${inUse}`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}
