import { type SqlBool, sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { countIn } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import { pairRules } from '#shared/papers/check-rules.ts'
import type { BulkField } from '#shared/students/student-edit.ts'
import type { StudentField } from '#shared/students/student-fields.ts'
import {
  areNotMarkedDifferent,
  type DuplicateKey,
  duplicateKeys,
  hasDuplicate,
  othersInScope,
  sharesKey,
} from './filter-and-order-repository.ts'
import { recordColumns, type StudentRow } from './repository.ts'
import type { ListRowKey, PaperAnswerKey, PaperRowKey, WholeRow } from './undo-repository.ts'

/** A year level is a number. */
type FieldValue = string | number
export type FieldValues = Partial<Pick<WholeRow, StudentField>>

export interface FieldsChange {
  id: string
  reference: string
  version: number
  before: FieldValues
  after: FieldValues
}

/** A merge, or its undo with what it moved. */
interface Move<Row> {
  from: string
  to: string
  // The rows to move; all of them where it is absent.
  rows?: readonly Row[]
}

/** Locks a record of any component until the transaction ends. Index: students_pkey. */
export const lockRecord = (tx: Queryable, id: string): Promise<StudentRow | undefined> =>
  tx.selectFrom('students').select(recordColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/**
 * Give it the transaction of the change. All by primary key, where nothing else is said. What finds or locks records
 * finds those in scope; what changes one is given what was locked.
 */
export function createStudentChangesRepository(tx: Queryable, access: Access) {
  const named = (ids: readonly string[]) => allOf(sql`id = any(${[...ids]}::uuid[])`, inScope(access))

  return {
    // Locks the record until the transaction ends.
    lock: (id: string): Promise<StudentRow | undefined> =>
      tx
        .selectFrom('students')
        .select(recordColumns)
        .where(allOf(sql`id = ${id}`, inScope(access)))
        .forUpdate()
        .executeTakeFirst(),

    update: (
      id: string,
      changes: Partial<
        Pick<WholeRow, StudentField | 'archived' | 'archivedDate' | 'restriction' | 'mergedIds'>
      >,
    ): Promise<StudentRow> =>
      tx
        .updateTable('students')
        .set({ ...changes, version: sql`version + 1` })
        .where('id', '=', id)
        .returning(recordColumns)
        .executeTakeFirstOrThrow(),

    async setArchived(ids: readonly string[], archivedDate: Date | null): Promise<string[]> {
      const archived = archivedDate !== null
      const result = await sql<{ id: string }>`
        update students
        set archived = ${archived}, archived_date = ${archivedDate}::timestamptz, version = version + 1
        where ${named(ids)} and archived = ${!archived}
        returning id`.execute(tx)
      return result.rows.map(({ id }) => id)
    },

    count: (ids: readonly string[]): Promise<number> => countIn(tx, sql`students where ${named(ids)}`),

    /** The values that a change of many would replace, and those of blocked records, which it leaves. */
    async countValues(ids: readonly string[], field: BulkField) {
      const result = await sql<{ before: FieldValue; isBlocked: boolean; count: number }>`
        select ${sql.ref(field)} as before, not ${isUnrestricted()} as is_blocked, count(*)::int as count
        from students where ${named(ids)} group by 1, 2 order by 3 desc, 1`.execute(tx)
      return result.rows
    },

    // Locks the records until the transaction ends.
    async lockFields(ids: readonly string[], fields: readonly StudentField[]) {
      const values = sql.join(fields.map((field) => sql`${field}::text, ${sql.ref(field)}`))
      const result = await sql<Omit<FieldsChange, 'after'> & { isBlocked: boolean }>`
        select id, reference, version, not ${isUnrestricted()} as is_blocked, jsonb_build_object(${values}) as before from students
        where ${named(ids)} order by id for update`.execute(tx)
      return result.rows
    },

    /** @param fields of all of them; a record keeps those that its own values lack */
    async setFields(
      changes: readonly Pick<FieldsChange, 'id' | 'after'>[],
      fields: readonly StudentField[],
    ): Promise<void> {
      const own = JSON.stringify(changes.map(({ id, after }) => ({ id, after })))
      const assigned = fields.map((field) => {
        const text = sql`own.after ->> ${field}::text`
        const value = field === 'yearLevel' ? sql`(${text})::integer` : text
        return sql`${sql.ref(field)} = coalesce(${value}, ${sql.ref(`students.${field}`)})`
      })
      await sql`
        update students set ${sql.join(assigned)}, version = version + 1
        from jsonb_to_recordset(${own}::jsonb) as own(id uuid, after jsonb)
        where students.id = own.id`.execute(tx)
    },

    /** @returns what a `StudentRow` doesn't have */
    remove: (id: string) =>
      tx
        .deleteFrom('students')
        .where('id', '=', id)
        .returning(['importId', 'network', 'mergedIds', 'submissionKey', 'submissionHash'])
        .executeTakeFirstOrThrow(),

    insert: (row: WholeRow) => tx.insertInto('students').values(row).execute(),

    /**
     * Moves rows of these tables to another student, in a merge or its undo. Indexes: mail_messages_student,
     * mail_bounces_student, credits_student, certificates_student, student_requests_student.
     * @returns the ids of what was moved
     */
    async moveRows(
      tables: readonly ('mailMessages' | 'mailBounces' | 'credits' | 'certificates' | 'studentRequests')[],
      { from, to, rows: ids }: Move<string>,
    ): Promise<string[]> {
      const isMoved = allOf(sql`student_id = ${from}`, ids && sql`id = any(${[...ids]}::uuid[])`)
      const moved: string[] = []
      for (const table of tables) {
        const rows = tx.updateTable(table).set({ studentId: to }).where(isMoved).returning('id')
        moved.push(...(await rows.execute()).map(({ id }) => id))
      }
      return moved
    },

    /** Moves rows of papers in the same way, not their cells. Index: paper_rows_student. */
    async movePaperRows({ from, to, rows }: Move<PaperRowKey>): Promise<PaperRowKey[]> {
      const isMoved = allOf(
        sql`student_id = ${from}`,
        rows &&
          sql`(paper_id, list, number) in (
            select "paperId", list, number from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
              as own("paperId" uuid, list text, number integer))`,
      )
      const moved = await sql<PaperRowKey>`
        update paper_rows set student_id = ${to} where ${isMoved} returning paper_id, list, number`.execute(
        tx,
      )
      return moved.rows
    },

    /**
     * Moves the rows of lists that mean the student: a later undo of the list reaches the remaining record. The rows of
     * imports of students stay, with what they wrote. Index: import_rows_record.
     */
    async moveListRows({ from, to, rows }: Move<ListRowKey>): Promise<ListRowKey[]> {
      const isMoved = allOf(
        sql`import_rows.record_id = ${from} and imports.id = import_id and purpose <> 'students'`,
        rows &&
          sql`(import_id, number) in (
            select "importId", number from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
              as own("importId" uuid, number integer))`,
      )
      const moved = await sql<ListRowKey>`
        update import_rows set record_id = ${to},
          -- Rows of a list of serial numbers have the student here.
          enrolment_id = case when enrolment_id = ${from} then ${to} else enrolment_id end
        from imports where ${isMoved} returning import_id, number`.execute(tx)
      return moved.rows
    },

    /**
     * Moves the answers that leave a student out of papers. Who was left out beside somebody alike, perhaps the remaining
     * record, doesn't take that one out; and no paper gets a second answer. Index: paper_answers_pkey, read whole.
     */
    async moveAnswers({ from, to, rows }: Move<PaperAnswerKey>): Promise<PaperAnswerKey[]> {
      const isMoved = allOf(
        sql`subject = ${from} and answer = 'left out' and code <> all(${[...pairRules]}::text[])`,
        rows
          ? sql`(paper_id, code) in (
              select "paperId", code from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
                as own("paperId" uuid, code text))`
          : sql`not exists (
              select from paper_answers other where other.paper_id = own.paper_id and other.subject = ${to})`,
      )
      const moved = await sql<PaperAnswerKey>`
        update paper_answers own set subject = ${to} where ${isMoved} returning paper_id, code`.execute(tx)
      return moved.rows
    },

    // At /my the code of a merged record opens the one it was merged into. Index: former_references_pkey.
    addReference: (reference: string, studentId: string) =>
      tx.insertInto('formerReferences').values({ reference, studentId }).execute(),

    removeReference: (reference: string) =>
      tx.deleteFrom('formerReferences').where('reference', '=', reference).execute(),

    /** Moves the codes of records that were merged before. Index: former_references_student. */
    async moveReferences({ from, to, rows: references }: Move<string>): Promise<string[]> {
      const isMoved = allOf(
        sql`student_id = ${from}`,
        references && sql`reference = any(${[...references]}::text[])`,
      )
      const rows = tx
        .updateTable('formerReferences')
        .set({ studentId: to })
        .where(isMoved)
        .returning('reference')
      return (await rows.execute()).map(({ reference }) => reference)
    },

    async mergedIds(id: string): Promise<string[]> {
      const row = await tx.selectFrom('students').select('mergedIds').where('id', '=', id).executeTakeFirst()
      return row?.mergedIds ?? []
    },
  }
}

// A limit for an e-mail address shared by a whole class.
const maxDuplicates = 20

/** Give it the transaction of a change. */
export function createDuplicatesRepository(db: Queryable, access: Access) {
  async function readRepeated(key: DuplicateKey): Promise<string[]> {
    const column = sql.ref(key)
    const result = await sql<{ key: string }>`
      select ${column} as key from students
      where ${allOf(sql`${column} is not null`, inScope(access))} group by ${column} having count(*) > 1`.execute(
      db,
    )
    return result.rows.map((row) => row.key)
  }

  return {
    /** @param withId also this one, found otherwise */
    async find(id: string, withId: string | null): Promise<Visible<StudentRow>[]> {
      const columns = sql.join(recordColumns.map((column) => sql.ref(`other.${column}`)))
      const result = await sql<StudentRow>`
        select ${columns} from students, students other
        where ${allOf(
          sql`students.id = ${id}`,
          sql`other.id <> students.id`,
          withId === null ? sharesKey(access) : sql`(${sharesKey(access)} or other.id = ${withId})`,
          areNotMarkedDifferent(),
          inScope(access, { column: 'students.nstp_component' }),
          othersInScope(access),
        )}
        order by other.registration_date, other.id
        limit ${maxDuplicates}`.execute(db)
      return result.rows.map((row) => visible(row, access))
    },

    // Index: students_name_key, students_email_key, students_student_id_key, each read alone for repeated keys.
    async findAll(): Promise<string[]> {
      const keys = duplicateKeys(access)
      const repeated = await Promise.all(keys.map(readRepeated))
      const perKey = keys.map(
        (key, index) => sql<SqlBool>`${sql.ref(key)} = any(${repeated[index] ?? []}::bigint[])`,
      )
      const result = await sql<{ id: string }>`
        select students.id from students where (${sql.join(perKey, sql` or `)}) and ${hasDuplicate(access)}`.execute(
        db,
      )
      return result.rows.map(({ id }) => id)
    },

    async markDifferent([first, second]: readonly [string, string], at: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into different_students (first_id, second_id, noted_at)
        values (least(${first}::uuid, ${second}::uuid), greatest(${first}::uuid, ${second}::uuid), ${at})
        on conflict do nothing`.execute(db)
      return numAffectedRows === 1n
    },
  }
}
