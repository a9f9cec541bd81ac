import { type Insertable, type Selectable, type SqlBool, sql, type UpdateObject } from 'kysely'
import { creatorName } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { ImportsTable, Queryable, Tables } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'

// seconds without a heartbeat before another process may claim the work.
export const workLeaseSeconds = 10

export type StoredImport = Selectable<ImportsTable>
export type NamedImport = StoredImport & { creator: string }
type ImportUpdate = UpdateObject<Tables, 'imports'>

/** Both throw when this process is to stop: nothing is written after its claim is lost. */
export interface WorkOrder {
  job: StoredImport
  // The access of the account that ordered the work, when the work starts.
  access: Access
  advance: (done: { workRow?: number; progress?: number }, tx?: Queryable) => Promise<void>
  finish: (outcome: ImportUpdate, tx: Queryable) => Promise<void>
}

const longestHistory = 200
// Any number, as long as it is this one.
const newStudentsLock = 903_027
const lease = sql<Date>`now() + make_interval(secs => ${sql.lit(workLeaseSeconds)})`
const noWork = { workToken: null, workUntil: null, workRow: 0, progress: 0 } as const
const isWorking = sql<SqlBool>`state in ('checking', 'importing')`

/** Queries use the primary key unless noted. */
export function createImportsRepository(db: Queryable) {
  const { all } = queriesOf(db)
  // A token limits the update to this process's work. @returns false when another process took it over
  async function update(id: string, values: ImportUpdate, token?: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('imports')
      .set(values)
      .where((eb) => eb.and(token === undefined ? { id } : { id, workToken: token }))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }

  const named = db.selectFrom('imports').selectAll().select(creatorName.as('creator'))

  return {
    update,

    async insert(row: Insertable<ImportsTable>): Promise<void> {
      await db.insertInto('imports').values(row).execute()
    },

    find: (id: string): Promise<NamedImport | undefined> => named.where('id', '=', id).executeTakeFirst(),

    // Locks the import until the transaction ends.
    findForChange: (id: string): Promise<StoredImport | undefined> =>
      db.selectFrom('imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst(),

    /** @param createdById null for those of everybody. Index: imports_created. */
    list: (
      createdById: string | null,
      { purpose, termId, paperId }: Pick<StoredImport, 'purpose' | 'termId' | 'paperId'>,
    ): Promise<NamedImport[]> =>
      named
        .where('purpose', '=', purpose)
        .$if(termId !== null, (ofTerm) => ofTerm.where('termId', '=', termId))
        .$if(paperId !== null, (ofPaper) => ofPaper.where('paperId', '=', paperId))
        .$if(createdById !== null, (own) => own.where('createdById', '=', createdById))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(longestHistory)
        .execute(),

    // Invalidates the token of earlier work.
    async order(id: string, order: ImportUpdate): Promise<void> {
      await update(id, { ...noWork, failure: null, ...order })
    },

    /**
     * Blocks other files from adding students until the transaction ends. The same list, imported by two people at
     * once, would add all of them twice: neither transaction sees the records of the other.
     */
    lockNewStudents: () => sql`select pg_advisory_xact_lock(${newStudentsLock})`.execute(db),

    // Race: the row is locked, so one process gets the work.
    claim: (id: string, token: string): Promise<StoredImport | undefined> =>
      db
        .updateTable('imports')
        .set({ workToken: token, workUntil: lease })
        .where('id', '=', id)
        .where(isWorking)
        .where(sql<SqlBool>`(work_until is null or work_until < now())`)
        .returningAll()
        .executeTakeFirst(),

    advance: (id: string, token: string, done: ImportUpdate) =>
      update(id, { ...done, workUntil: lease }, token),

    finish: (id: string, token: string, outcome: ImportUpdate) =>
      update(id, { ...noWork, ...outcome }, token),

    // Index: imports_working.
    working: () => all<{ id: string; isAbandoned: boolean }>`
        select id, (work_until is null or work_until < now()) as is_abandoned
        from imports where ${isWorking}`,

    async keepFile(importId: string, bytes: Buffer): Promise<void> {
      await db.insertInto('importFiles').values({ importId, bytes }).execute()
    },

    async file(importId: string): Promise<Buffer | undefined> {
      const found = await db
        .selectFrom('importFiles')
        .select('bytes')
        .where('importId', '=', importId)
        .executeTakeFirst()
      return found?.bytes
    },

    async removeRows(importId: string): Promise<void> {
      await db.deleteFrom('importRows').where('importId', '=', importId).execute()
    },

    /** The figures of an import that made records stay. Index: import_rows_pkey. */
    async remove({ id, importedCount }: Pick<StoredImport, 'id' | 'importedCount'>, at: Date): Promise<void> {
      if (importedCount === 0) await db.deleteFrom('imports').where('id', '=', id).execute()
      else {
        await this.removeRows(id)
        await db.deleteFrom('importFiles').where('importId', '=', id).execute()
        await update(id, { rowsDeletedAt: at, mapping: null, reading: null })
      }
    },

    // A small table, no index.
    listExpired: (before: Date): Promise<Pick<StoredImport, 'id' | 'importedCount'>[]> =>
      db
        .selectFrom('imports')
        .select(['id', 'importedCount'])
        .where('createdAt', '<', before)
        .where('rowsDeletedAt', 'is', null)
        .where(sql<SqlBool>`not (${isWorking})`)
        .execute(),
  }
}
