import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** A file as it is stored. */
export interface StoredFile {
  /** In hexadecimal, a SHA-256 that tells the content; see `createFilesService`. */
  id: string
  mediaType: string
  bytes: Buffer
  /** Of images, in pixels. */
  width: number | null
  height: number | null
  /** Of attachments: what they are saved as. */
  fileName: string | null
}

/** Everything that refers to files, as one text each: their ids stand in it. A new place of reference is added here. */
const references = sql`(
  select image::text as said from announcements
  union all select attachment::text from announcements
  union all select image::text from slides
  union all select image::text from org_nodes
  union all select changed::text from settings
)`

/** The ids that something refers to. */
const inUse = sql`(
  select found[1] from ${references} as said, lateral regexp_matches(said.said, '/api/files/([0-9a-f]{64})', 'g') as found
)`

/** Where files are kept, by their content. */
export function createFilesRepository(db: Queryable) {
  return {
    /** Stores a file; the same bytes are there already. Then their time begins anew, so that no sweep takes them. */
    async put(file: StoredFile, now: Date): Promise<void> {
      await db
        .insertInto('files')
        .values({ ...file, createdAt: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ createdAt: now }))
        .execute()
    },

    /** Index: files_pkey. */
    async find(id: string): Promise<Pick<StoredFile, 'mediaType' | 'bytes' | 'fileName'> | undefined> {
      return await db
        .selectFrom('files')
        .select(['mediaType', 'bytes', 'fileName'])
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /**
     * Deletes those of the files that nothing refers to any more. In two statements: the first waits for a
     * transaction that is just storing the same bytes, the second sees what it refers to.
     */
    async deleteUnused(ids: readonly string[]): Promise<void> {
      await sql`select id from files where id = any(${[...ids]}::text[]) order by id for update`.execute(db)
      await sql`delete from files where id = any(${[...ids]}::text[]) and id not in ${inUse}`.execute(db)
    },

    /** Deletes what nobody refers to and was stored before an instant; gives their number. */
    async deleteOthers(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from files where created_at < ${before} and id not in ${inUse}`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}
