import { type Selectable, type SqlBool, sql } from 'kysely'
import type { ImportsTable, Queryable } from '#server/database/schema.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { ImportMapping } from '#shared/imports/imports.ts'

// seconds without a heartbeat before another process may claim the work.
export const workLeaseSeconds = 10

export type StoredImport = Selectable<ImportsTable>

export type NewImport = Pick<
  StoredImport,
  'id' | 'fileName' | 'createdAt' | 'createdBy' | 'rowCount' | 'headers' | 'guessedDateOrder'
>

const longestHistory = 200
const lease = sql`now() + make_interval(secs => ${sql.lit(workLeaseSeconds)})`
const noWork = { workToken: null, workUntil: null, workRow: 0, progress: 0 } as const
const isWorking = sql<SqlBool>`state in ('checking', 'importing')`

export type ImportsRepository = ReturnType<typeof createImportsRepository>

/** By primary key unless noted. */
export function createImportsRepository(db: Queryable) {
  return {
    async insert(row: NewImport): Promise<void> {
      await db
        .insertInto('imports')
        .values({ ...row, state: 'uploaded' })
        .execute()
    },

    async describe(
      id: string,
      found: Pick<StoredImport, 'rowCount' | 'headers' | 'guessedDateOrder'>,
    ): Promise<void> {
      await db.updateTable('imports').set(found).where('id', '=', id).execute()
    },

    async find(id: string): Promise<StoredImport | undefined> {
      return await db.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst()
    },

    // Locks the import until the transaction ends.
    async findForChange(id: string): Promise<StoredImport | undefined> {
      return await db.selectFrom('imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    },

    // Index: imports_created.
    async list(): Promise<StoredImport[]> {
      return await db
        .selectFrom('imports')
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(longestHistory)
        .execute()
    },

    // Invalidates the token of an earlier check.
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

    // Race: the row is locked, so one process gets the work.
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

    // False when another process took the work over.
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

    async release(id: string, token: string): Promise<void> {
      await db
        .updateTable('imports')
        .set({ workToken: null, workUntil: null })
        .where('id', '=', id)
        .where('workToken', '=', token)
        .execute()
    },

    // False when another process took the work over.
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

    // Index: imports_working.
    async working(): Promise<{ id: string; isAbandoned: boolean }[]> {
      const { rows } = await sql<{ id: string; isAbandoned: boolean }>`
        select id, (work_until is null or work_until < now()) as is_abandoned from imports where ${isWorking}`.execute(
        db,
      )
      return rows
    },

    async remove(id: string): Promise<void> {
      await db.deleteFrom('imports').where('id', '=', id).execute()
    },

    // Index: import_rows_pkey.
    async removeRows(id: string, at: Date): Promise<void> {
      await db.deleteFrom('importRows').where('importId', '=', id).execute()
      await db.updateTable('imports').set({ rowsDeletedAt: at, mapping: null }).where('id', '=', id).execute()
    },

    // A small table, no index.
    async listExpired(before: Date): Promise<Pick<StoredImport, 'id' | 'state'>[]> {
      return await db
        .selectFrom('imports')
        .select(['id', 'state'])
        .where('createdAt', '<', before)
        .where('rowsDeletedAt', 'is', null)
        .execute()
    },
  }
}
