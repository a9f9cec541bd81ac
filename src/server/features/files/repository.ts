import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** A file as it is stored. */
export interface StoredFile {
  /** SHA-256 of the bytes, in hexadecimal. */
  id: string
  mediaType: string
  bytes: Buffer
  /** Of images, in pixels. */
  width: number | null
  height: number | null
}

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
    async find(id: string): Promise<Pick<StoredFile, 'mediaType' | 'bytes'> | undefined> {
      return await db
        .selectFrom('files')
        .select(['mediaType', 'bytes'])
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** Deletes what nobody refers to and was stored before an instant; gives their number. */
    async deleteOthers(inUse: readonly string[], before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from files where created_at < ${before} and id <> all(${[...inUse]}::text[])`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}
