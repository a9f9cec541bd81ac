import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import { recordColumns, type StudentRow } from './repository.ts'

/** Give it the transaction of the change. All by primary key. */
export function createStudentChangesRepository(tx: Queryable) {
  return {
    // Locks the record until the transaction ends.
    async lock(id: string): Promise<StudentRow | undefined> {
      return await tx
        .selectFrom('students')
        .select(recordColumns)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },

    async update(
      id: string,
      changes: Partial<Pick<StudentRow, StudentField | 'archived' | 'archivedDate'>>,
    ): Promise<StudentRow> {
      return await tx
        .updateTable('students')
        .set({ ...changes, version: sql`version + 1` })
        .where('id', '=', id)
        .returning(recordColumns)
        .executeTakeFirstOrThrow()
    },

    async setArchived(ids: readonly string[], archivedDate: Date | null): Promise<string[]> {
      const archived = archivedDate !== null
      const result = await sql<{ id: string }>`
        update students
        set archived = ${archived}, archived_date = ${archivedDate}::timestamptz, version = version + 1
        where id = any(${[...ids]}::uuid[]) and archived = ${!archived}
        returning id`.execute(tx)
      return result.rows.map(({ id }) => id)
    },

    async exists(id: string): Promise<boolean> {
      const found = await tx.selectFrom('students').select('id').where('id', '=', id).executeTakeFirst()
      return found !== undefined
    },

    async count(ids: readonly string[]): Promise<number> {
      const result = await sql<{ count: number }>`
        select count(*)::int from students where id = any(${[...ids]}::uuid[])`.execute(tx)
      return result.rows[0]?.count ?? 0
    },

    async remove(id: string): Promise<void> {
      await tx.deleteFrom('students').where('id', '=', id).execute()
    },
  }
}
