import { type Selectable, type SqlBool, sql } from 'kysely'
import type { ImportsTable, Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { ImportMapping } from '#shared/imports/imports.ts'

/** How long a process that works on an import may be silent before another one takes its work up, in seconds. */
export const workLeaseSeconds = 10

export type StoredImport = Selectable<ImportsTable>

export type NewImport = Pick<
  StoredImport,
  'id' | 'fileName' | 'createdAt' | 'createdBy' | 'rowCount' | 'headers' | 'guessedDateOrder'
>

/** Imports shown in the history. */
const longestHistory = 200
const lease = sql`now() + make_interval(secs => ${sql.lit(workLeaseSeconds)})`
const noWork = { workToken: null, workUntil: null, workRow: 0, progress: 0 } as const
const isWorking = sql<SqlBool>`state in ('checking', 'importing')`

export type ImportsRepository = ReturnType<typeof createImportsRepository>

/** The imports themselves, without their rows. By primary key unless told otherwise. */
export function createImportsRepository(db: Queryable) {
  return {
    async insert(row: NewImport): Promise<void> {
      await db
        .insertInto('imports')
        .values({ ...row, state: 'uploaded' })
        .execute()
    },

    /** What is known when the last row of the file has been read. */
    async describe(
      id: string,
      found: Pick<StoredImport, 'rowCount' | 'headers' | 'guessedDateOrder'>,
    ): Promise<void> {
      await db.updateTable('imports').set(found).where('id', '=', id).execute()
    },

    async find(id: string): Promise<StoredImport | undefined> {
      return await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
    },

    /** The same, and nobody else changes it before the transaction ends. */
    async findForChange(id: string): Promise<StoredImport | undefined> {
      return await db.selectFrom('imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    },

    /** Newest first. Index: imports_created. */
    async list(): Promise<StoredImport[]> {
      return await db
        .selectFrom('imports')
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(longestHistory)
        .execute()
    },

    /** Orders a check of the rows. Whoever works on an earlier order loses its token. */
    async orderCheck(
      id: string,
      order: Pick<StoredImport, 'updateBy' | 'held' | 'consentedAt'> & {
        mapping: ImportMapping
        actor: Actor
      },
    ): Promise<void> {
      await db
        .updateTable('imports')
        .set({
          ...noWork,
          state: 'checking',
          failure: null,
          ...order,
        })
        .where('id', '=', id)
        .execute()
    },

    async orderImport(id: string, actor: Actor): Promise<void> {
      await db
        .updateTable('imports')
        .set({ ...noWork, state: 'importing', failure: null, actor })
        .where('id', '=', id)
        .execute()
    },

    /** Takes work that nobody does: of several processes one gets it, as the row is locked while it is taken. */
    async claim(id: string, token: string): Promise<StoredImport | undefined> {
      return await db
        .updateTable('imports')
        .set({ workToken: token, workUntil: sql<Date>`${lease}` })
        .where('id', '=', id)
        .where(isWorking)
        .where(sql<SqlBool>`(work_until is null or work_until < now())`)
        .returningAll()
        .executeTakeFirst()
    },

    /** Notes progress and keeps the work. False: it was taken away. */
    async advance(
      id: string,
      token: string,
      done: { workRow?: number; progress?: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('imports')
        .set({ ...done, workUntil: sql<Date>`${lease}` })
        .where('id', '=', id)
        .where('workToken', '=', token)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    /** Lets the work go, for any process to take it up at once. */
    async release(id: string, token: string): Promise<void> {
      await db
        .updateTable('imports')
        .set({ workToken: null, workUntil: null })
        .where('id', '=', id)
        .where('workToken', '=', token)
        .execute()
    },

    /** Ends the work that the token stands for. False: it was taken away. */
    async finish(
      id: string,
      token: string,
      outcome: Partial<Pick<StoredImport, 'state' | 'failure' | 'importedCount' | 'importedAt' | 'undoneAt'>>,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('imports')
        .set({ ...noWork, ...outcome })
        .where('id', '=', id)
        .where('workToken', '=', token)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async markUndone(id: string, at: Date): Promise<void> {
      await db.updateTable('imports').set({ state: 'undone', undoneAt: at }).where('id', '=', id).execute()
    },

    /** Work that is under way somewhere, or that nobody goes on with. Index: imports_working. */
    async working(): Promise<{ id: string; isLeft: boolean }[]> {
      const { rows } = await sql<{ id: string; isLeft: boolean }>`
        select id, (work_until is null or work_until < now()) as is_left from imports where ${isWorking}`.execute(
        db,
      )
      return rows
    },

    /** Forgets an import that made no records. Its rows go with it. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('imports').where('id', '=', id).execute()
    },

    /** Deletes the rows and keeps the figures. Index: import_rows_pkey. */
    async removeRows(id: string, at: Date): Promise<void> {
      await db.deleteFrom('importRows').where('importId', '=', id).execute()
      await db.updateTable('imports').set({ rowsDeletedAt: at, mapping: null }).where('id', '=', id).execute()
    },

    /** Imports from before an instant whose rows are still there. Few rows, so no index. */
    async keptSince(before: Date): Promise<Pick<StoredImport, 'id' | 'state'>[]> {
      return await db
        .selectFrom('imports')
        .select(['id', 'state'])
        .where('createdAt', '<', before)
        .where('rowsDeletedAt', 'is', null)
        .execute()
    },
  }
}
