import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import type { ImportChange, UpdateKey } from '#shared/imports/imports.ts'
import type { StudentRecord } from '#shared/students/student.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import { storedValue } from './records-repository.ts'

export type FoundRecord = Pick<StudentRecord, StudentField | 'id' | 'version'> & { registrationDate: Date }

export interface RowUpdate {
  number: number
  recordId: string
  reference: string
  changes: ImportChange[]
}

const recordColumns = sql.join(
  ['id', 'version', 'registrationDate', ...studentFieldNames].map((column) => sql.ref(`students.${column}`)),
)

/** Whether a record differs from what its row wrote: only the row's own fields count. */
const isOverwritten = sql<boolean>`exists (
  select from (
    select jsonb_object_agg(change ->> 'path', change ->> 'after') as texts
    from jsonb_array_elements(import_rows.changes) as change
  ) as written
  where ${sql.join(
    studentFieldNames.map((field) => {
      const written = storedValue(field, sql`(texts ->> ${sql.lit(field)})`)
      return sql`${written} <> students.${sql.ref(field)}`
    }),
    sql` or `,
  )}
)`

/** The records that the rows of an update name, and change. */
export function createUpdatesRepository(db: Queryable) {
  return {
    // Student IDs ignore case; one without a digit ("none") matches nothing. Indexes: students_reference_key, students_student_id_key (needs the
    // academic years).
    async find(
      key: UpdateKey,
      values: readonly string[],
      academicYears: readonly string[],
    ): Promise<FoundRecord[][]> {
      const isNamed: RawBuilder<unknown> =
        key === 'reference'
          ? sql`join students on students.reference = named.value`
          : sql`cross join unnest(${[...academicYears]}::text[]) as years(year)
            join students on students.student_id_key
                = hashtextextended(lower(btrim(named.value)) || E'\\x1f' || years.year, 0)
              and lower(btrim(students.student_id)) = lower(btrim(named.value))`
      const { rows } = await sql<FoundRecord & { place: number }>`
        select named.place::int, ${recordColumns}
        from unnest(${[...values]}::text[]) with ordinality as named(value, place)
        ${isNamed}
        where named.value <> ''`.execute(db)
      const found = values.map((): FoundRecord[] => [])
      for (const { place, ...record } of rows) found[place - 1]?.push(record)
      return found
    },

    // Index: students_pkey.
    async names(ids: readonly string[]) {
      return await db
        .selectFrom('students')
        .select(['id', 'reference', 'lastName', 'firstName'])
        .where('id', 'in', ids.length > 0 ? [...ids] : [null])
        .execute()
    },

    /**
     * Locks the records of the ready rows until the transaction ends; returns the rows whose record isn't
     * as the rows know it. Indexes: import_rows_state, students_pkey.
     */
    async lock(importId: string): Promise<number[]> {
      await this.lockAll(importId)
      const { rows } = await sql<{ number: number }>`
        select number from import_rows left join students on students.id = import_rows.record_id
        where import_rows.import_id = ${importId} and state = 'ready'
          and students.version is distinct from import_rows.record_version`.execute(db)
      return rows.map(({ number }) => number)
    },

    /** Locks the records of the ready rows until the transaction ends. Index: import_rows_state. */
    async lockAll(importId: string): Promise<void> {
      await sql`
        select from students where id in (
          select record_id from import_rows where import_id = ${importId} and state = 'ready'
        ) order by id for update`.execute(db)
    },

    /**
     * How many records of a finished update have newer values in its fields, and how many were deleted.
     * Indexes: import_rows_state, students_pkey.
     */
    async countChanged(importId: string): Promise<{ changed: number; deleted: number }> {
      const { rows } = await sql<{ changed: number; deleted: number }>`
        select count(*) filter (where students.id is null)::int as deleted,
          count(*) filter (where students.id is not null and ${isOverwritten})::int as changed
        from import_rows left join students on students.id = import_rows.record_id
        where import_rows.import_id = ${importId} and state = 'ready'`.execute(db)
      return rows[0] ?? { changed: 0, deleted: 0 }
    },

    // Index: import_rows_state.
    async after(importId: string, number: number, limit: number): Promise<RowUpdate[]> {
      const { rows } = await sql<RowUpdate>`
        select import_rows.number, import_rows.record_id, students.reference, import_rows.changes
        from import_rows join students on students.id = import_rows.record_id
        where import_rows.import_id = ${importId} and state = 'ready' and number > ${number}
        order by number limit ${limit}`.execute(db)
      return rows
    },

    async apply(importId: string, numbers: readonly number[], which: 'before' | 'after'): Promise<void> {
      const assignments = studentFieldNames.map((field) => {
        const text = sql`(row.texts ->> ${sql.lit(field)})`
        return sql`${sql.ref(field)} = coalesce(${storedValue(field, text)}, students.${sql.ref(field)})`
      })
      await sql`
        update students set ${sql.join(assignments)}, version = version + 1
        from (
          select record_id, (
            select jsonb_object_agg(change ->> 'path', change ->> ${sql.lit(which)})
            from jsonb_array_elements(changes) as change
          ) as texts
          from import_rows where import_id = ${importId} and number = any(${[...numbers]}::int[])
        ) row
        where students.id = row.record_id`.execute(db)
    },
  }
}
