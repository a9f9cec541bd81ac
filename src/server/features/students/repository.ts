import { type ControlledTransaction, type RawBuilder, type Selectable, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable, StudentsTable, Tables } from '#server/database/schema.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { createPageReader } from './page-repository.ts'
import {
  columnsOf,
  hasDuplicate,
  isSelected,
  type StudentSelection,
  sortOrder,
} from './selection-repository.ts'

/** The columns of a whole record. */
export const recordColumns = [
  ...studentFieldNames,
  'id',
  'reference',
  'registrationDate',
  'status',
  'archived',
  'archivedDate',
  'consentVersion',
  'consentedAt',
  'version',
] as const satisfies readonly (keyof StudentsTable)[]

export type StudentRow = Pick<Selectable<StudentsTable>, (typeof recordColumns)[number]>

const allColumns = columnsOf(recordColumns)

export type StudentsRepository = ReturnType<typeof createStudentsRepository>

/** Where students are read. */
export function createStudentsRepository(
  database: Pick<AppDatabase, 'db' | 'longDb' | 'transact'>,
  timeZone: string,
) {
  const { db, longDb } = database

  /** How many records are selected. Index only: students_registration, or student_search_words for a search. */
  async function count(selection: StudentSelection, on: Queryable = db): Promise<number> {
    const result = await sql<{ total: number }>`
      select count(*)::int as total from students where ${isSelected(selection)}`.execute(on)
    return result.rows[0]?.total ?? 0
  }

  return {
    /** One page of the selected records, and how many there are on all pages. */
    list: createPageReader(database, timeZone),

    /** Whether there is a record. Reads the first one, by no index. */
    async hasAny(): Promise<boolean> {
      const result = await sql<{ any: boolean }>`select exists (select from students) as any`.execute(db)
      return result.rows[0]?.any ?? false
    },

    /** The ids of the selected records that aren't archived, in the list's order, at most so many. */
    async activeIds(selection: StudentSelection, limit: number): Promise<string[]> {
      const result = await sql<{ id: string }>`
        select students.id from students
        where ${isSelected(selection)} and not archived
        order by ${sortOrder(selection.sort)}
        limit ${limit}`.execute(db)
      return result.rows.map(({ id }) => id)
    },

    /** One whole record. Index: students_pkey. */
    async find(id: string): Promise<(StudentRow & { isDuplicate: boolean }) | undefined> {
      return await db
        .selectFrom('students')
        .select(recordColumns)
        .select(hasDuplicate().as('isDuplicate'))
        .where('id', '=', id)
        .executeTakeFirst()
    },

    /** Whole records, in no order. Index: students_pkey. */
    async findMany(ids: readonly string[]): Promise<StudentRow[]> {
      return await db.selectFrom('students').select(recordColumns).where('id', 'in', ids).execute()
    },

    /** Every selected record, whole, as of one moment: what changes meanwhile doesn't show. */
    async openAll(selection: StudentSelection): Promise<RecordCursor<StudentRow> & { total: number }> {
      const tx = await longDb
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute()
      try {
        const total = await count(selection, tx)
        const cursor = await openCursor(
          tx,
          sql<StudentRow>`
            select ${allColumns} from students
            where ${isSelected(selection)} order by ${sortOrder(selection.sort)}`,
        )
        return { ...cursor, total }
      } catch (error) {
        await tx.rollback().execute()
        throw error
      }
    },
  }
}

/** Records taken from the database at a time. */
const batchSize = 500

/** Many records, read as fast as they are wanted. Whoever opens one closes it. */
interface RecordCursor<Row> {
  rows: AsyncIterable<Row>
  /** Gives the connection back. Safe to call at any time and more than once. */
  close: () => Promise<void>
}

/**
 * A cursor over a query inside a transaction, which ends with it.
 *
 * Each batch is a statement of its own (FETCH), so that each answer is awaited under the connection's limits,
 * and a lost connection is an error of that statement. A cursor of the driver hangs there: closing it waits
 * for an answer that never comes.
 */
async function openCursor<Row>(
  tx: ControlledTransaction<Tables>,
  query: RawBuilder<Row>,
): Promise<RecordCursor<Row>> {
  let closing: Promise<void> | undefined

  async function* rows(): AsyncGenerator<Row> {
    while (!closing) {
      const batch = await sql<Row>`fetch forward ${sql.lit(batchSize)} from records`.execute(tx)
      if (batch.rows.length === 0) return
      yield* batch.rows
    }
  }

  async function end(): Promise<void> {
    try {
      // Waits for a statement that is under way. Nothing was written, so there is nothing to commit.
      await tx.rollback().execute()
    } catch {
      // The connection is lost, and that frees it as well; whoever reads the rows gets the error.
    }
  }

  await sql`declare records no scroll cursor for ${query}`.execute(tx)
  return {
    rows: rows(),
    close() {
      closing ??= end()
      return closing
    },
  }
}
