import { type RawBuilder, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'

/** Stored with records whose consent was given on paper, in place of a text's version. */
export const paperConsent = 'on-paper'

/** From so many records on the table is tidied up afterwards. */
export const manyRecords = 1_000

/** A record to be made of a row. */
export interface NewRecord {
  number: number
  id: string
  reference: string
}

interface BatchOptions {
  importId: string
  /** When the import happens: the registration date of rows that have none. */
  now: Date
  consentedAt: Date
}

const columns = sql.join(studentFieldNames.map((field) => sql.ref(field)))
const values = sql.join(
  studentFieldNames.map((field) => {
    return storedValue(field, sql`coalesce(import_rows.fields ->> ${sql.lit(field)}, '')`)
  }),
)

/** A field's text as its column has it. */
export function storedValue(field: StudentField, text: RawBuilder<unknown>): RawBuilder<unknown> {
  if (field === 'dateOfBirth') return sql`(${text})::date`
  // '1st Year' is stored as 1.
  return field === 'yearLevel' ? sql`left(${text}, 1)::smallint` : text
}

/** The records that imports make, and unmake. */
export function createRecordsRepository(db: Queryable) {
  return {
    /**
     * Makes records of rows; gives the ids of those that were made. A reference that somebody has already makes
     * none.
     */
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

    /** How many records of an import were edited or archived since. Index: students_import. */
    async countChanged(importId: string): Promise<number> {
      const { rows } = await sql<{ changed: number }>`
        select count(*)::int as changed from students
        where import_id = ${importId} and version > 1`.execute(db)
      return rows[0]?.changed ?? 0
    },

    /** Keeps the records of an import as they are until the transaction ends. Index: students_import. */
    async lock(importId: string): Promise<void> {
      await sql`select from students where import_id = ${importId} order by id for update`.execute(db)
    },

    /** Removes the records of an import; gives their ids. Index: students_import. */
    async remove(importId: string): Promise<string[]> {
      const rows = await db.deleteFrom('students').where('importId', '=', importId).returning('id').execute()
      return rows.map(({ id }) => id)
    },

    /** Courses and academic years that records hold, whatever is on offer now. */
    async held(): Promise<{ courses: string[]; academicYears: string[] }> {
      const { rows } = await sql<{ courses: string[] | null; academicYears: string[] | null }>`
        select (select array_agg(distinct course) from students) as courses,
          (select array_agg(distinct academic_year) from students) as academic_years`.execute(db)
      return { courses: rows[0]?.courses ?? [], academicYears: rows[0]?.academicYears ?? [] }
    },
  }
}

/** After many records came or went: lets the planner know the table, and index-only scans skip its pages. */
export async function tidyStudents({ longDb }: Pick<AppDatabase, 'longDb'>): Promise<void> {
  await sql`vacuum (analyze) students, student_search`.execute(longDb)
}
