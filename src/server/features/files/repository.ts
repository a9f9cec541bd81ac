import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'

export interface StoredFile {
  id: string
  mediaType: string
  bytes: Buffer
  width: number | null
  height: number | null
  fileName: string | null
}

export interface FileHead extends Pick<StoredFile, 'mediaType' | 'fileName'> {
  size: number
}

// PostgreSQL's own limit of a value.
const maxFileBytes = 2 ** 30

// All places that show files. Announcements and slides are those that pass the condition.
const referencesOf = (announcements: RawBuilder<SqlBool>, slides: RawBuilder<SqlBool>) => sql`(
  select concat(image, attachment) as said from announcements where ${announcements}
  union all select image::text from slides where ${slides}
  union all select image::text from org_nodes
  union all select changed::text from settings
)`

const references = referencesOf(sql`true`, sql`true`)

const publicReferences = (now: Date) =>
  referencesOf(
    sql`deleted_at is null and published_at <= ${now} and coalesce(expire_at, 'infinity') > ${now}`,
    sql`active`,
  )

const idsIn = (said: RawBuilder<unknown>) => sql<{ id: string }>`
  select found[1] as id from ${said} as said, lateral regexp_matches(said.said, '/api/files/([0-9a-f]{64})', 'g') as found`

const inUse = sql`(${idsIn(references)})`

export type FilesRepository = ReturnType<typeof createFilesRepository>

export function createFilesRepository(db: Queryable) {
  const { all } = queriesOf(db)
  return {
    // Race: storing the same bytes again renews the time, so that no sweep deletes them.
    async put(file: StoredFile, now: Date): Promise<void> {
      await db
        .insertInto('files')
        .values({ ...file, createdAt: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ createdAt: now }))
        .execute()
    },

    // Index: files_pkey. The length is known without reading the bytes.
    describe: (id: string): Promise<FileHead | undefined> =>
      db
        .selectFrom('files')
        .select(['mediaType', 'fileName', sql<number>`octet_length(bytes)`.as('size')])
        .where('id', '=', id)
        .executeTakeFirst(),

    // The result has hundreds of rows.
    async listPublic(now: Date): Promise<ReadonlySet<string>> {
      const { rows } = await idsIn(publicReferences(now)).execute(db)
      return new Set(rows.map(({ id }) => id))
    },

    // Reads no bytes: their length stands beside them.
    async countBytes(): Promise<number> {
      const rows = await all<{ bytes: number }>`
        select coalesce(sum(octet_length(bytes)), 0)::float8 as bytes from files`
      return rows[0]?.bytes ?? 0
    },

    /** Reads a part of a file. It is empty when there is no such file. */
    async readSlice(id: string, from = 0, length = maxFileBytes): Promise<Buffer> {
      const rows = await all<{ slice: Buffer }>`
        select substring(bytes from ${from + 1}::int for ${length}::int) as slice from files where id = ${id}`
      return rows[0]?.slice ?? Buffer.alloc(0)
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
