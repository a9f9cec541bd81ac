import { type RawBuilder, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'

export const paperConsent = 'on-paper'

export const manyRecords = 1_000

export interface NewRecord {
  number: number
  id: string
  reference: string
}

interface BatchOptions {
  importId: string
  now: Date
  consentedAt: Date
}

const columns = sql.join(studentFieldNames.map((field) => sql.ref(field)))
const values = sql.join(
  studentFieldNames.map((field) => {
    return storedValue(field, sql`coalesce(import_rows.fields ->> ${sql.lit(field)}, '')`)
  }),
)

export function storedValue(field: StudentField, text: RawBuilder<unknown>): RawBuilder<unknown> {
  if (field === 'dateOfBirth') return sql`(${text})::date`
  // '1st Year' is stored as 1.
  return field === 'yearLevel' ? sql`left(${text}, 1)::smallint` : text
}

export function createRecordsRepository(db: Queryable) {
  return {
    async insert(
      records: readonly NewRecord[],
      { importId, now, consentedAt }: BatchOptions,
    ): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        insert into students (id, reference, registration_date, archived, archived_date, consent_version,
          consented_at, import_id, ${columns})
        select new.id, new.reference, coalesce(import_rows.registration_date, ${now}::timestamptz),
          import_rows.archived_date is not null, import_rows.archived_date, ${paperConsent}, ${consentedAt}::timestamptz, ${importId}::uuid, ${values}
        from unnest(
          ${records.map(({ number }) => number)}::int[],
          ${records.map(({ id }) => id)}::uuid[],
          ${records.map(({ reference }) => reference)}::text[]
        ) as new(number, id, reference)
        join import_rows on import_rows.import_id = ${importId} and import_rows.number = new.number
        on conflict (reference) do nothing
        returning id`.execute(db)
      return rows.map(({ id }) => id)
    },

    // Index: students_import.
    async countChanged(importId: string): Promise<number> {
      const { rows } = await sql<{ changed: number }>`
        select count(*)::int as changed from students
        where import_id = ${importId} and version > 1`.execute(db)
      return rows[0]?.changed ?? 0
    },

    // Locks the records until the transaction ends. Index: students_import.
    async lock(importId: string): Promise<void> {
      await sql`select from students where import_id = ${importId} order by id for update`.execute(db)
    },

    // Index: students_import.
    async remove(importId: string): Promise<string[]> {
      const rows = await db.deleteFrom('students').where('importId', '=', importId).returning('id').execute()
      return rows.map(({ id }) => id)
    },

    async storedChoices(): Promise<{ courses: string[]; academicYears: string[] }> {
      const { rows } = await sql<{ courses: string[] | null; academicYears: string[] | null }>`
        select (select array_agg(distinct course) from students) as courses,
          (select array_agg(distinct academic_year) from students) as academic_years`.execute(db)
      return { courses: rows[0]?.courses ?? [], academicYears: rows[0]?.academicYears ?? [] }
    },
  }
}

/** Updates the planner's statistics and the visibility map for index-only scans. */
export async function tidyStudents({ longDb }: Pick<AppDatabase, 'longDb'>): Promise<void> {
  await sql`vacuum (analyze) students, student_search`.execute(longDb)
}
