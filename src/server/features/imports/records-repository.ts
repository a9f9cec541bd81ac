import { type RawBuilder, sql } from 'kysely'
import { allOf, inScope, whereInScope } from '#server/database/conditions.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { ImportChange } from '#shared/imports/import-response.ts'
import type { UpdateKey } from '#shared/imports/imports.ts'
import { numberKey } from '#shared/imports/match-people.ts'
import { type StudentField, studentFieldNames } from '#shared/students/student-fields.ts'
import type { StudentRecord } from '#shared/students/student-response.ts'
import type { StoredImport } from './imports-repository.ts'

const paperConsent = 'on-paper'
const manyRecords = 1_000

export type FoundRecord = Pick<StudentRecord, StudentField | 'id' | 'version' | 'restriction'> & {
  registrationDate: Date
}

const fieldColumns = studentFieldNames.map((field) => sql.ref(field))
const recordColumns = ['id', 'version', 'restriction', 'registrationDate', ...studentFieldNames].map(
  (column) => sql.ref(`students.${column}`),
)

/** A field's stored value, from its text in a JSON object. */
function storedValue(field: StudentField, texts: RawBuilder<unknown>): RawBuilder<unknown> {
  const text = sql`(${texts} ->> ${sql.lit(field)})`
  if (field === 'dateOfBirth') return sql`${text}::date`
  // '1st Year' is stored as 1.
  return field === 'yearLevel' ? sql`left(${text}, 1)::smallint` : text
}

const newValues = studentFieldNames.map((field) => {
  const value = storedValue(field, sql`import_rows.fields`)
  return field === 'dateOfBirth' || field === 'yearLevel' ? value : sql`coalesce(${value}, '')`
})

const textsOf = (which: 'before' | 'after') => sql`(
  select jsonb_object_agg(change ->> 'path', change ->> ${sql.lit(which)})
  from jsonb_array_elements(import_rows.changes) as change
)`

/** Whether a record differs from what its row wrote: only the row's own fields count. */
const isOverwritten = sql<boolean>`exists (
  select from (select ${textsOf('after')} as texts) as written
  where ${sql.join(
    studentFieldNames.map((field) => sql`${storedValue(field, sql`texts`)} <> students.${sql.ref(field)}`),
    sql` or `,
  )}
)`

/**
 * Whether a student is in a term or a paper, is credited or certified, or asked the office for something. Indexes:
 * enrolments_student, paper_rows_student, credits_student, certificates_student, student_requests_student.
 */
const hasProgram = sql<boolean>`(
  exists (select from enrolments where student_id = students.id)
  or exists (select from credits where student_id = students.id)
  or exists (select from certificates where student_id = students.id)
  or exists (select from paper_rows where student_id = students.id)
  or exists (select from student_requests where student_id = students.id)
)`

/** What a row writes, and what the undo of an update puts back; null where it changes none. */
const newComponent = "(import_rows.fields ->> 'nstpComponent')"
const oldComponent = `(jsonb_path_query_first(import_rows.changes, '$[*] ? (@.path == "nstpComponent")') ->> 'before')`

/** The students' records that an import makes, or the rows of an update name and change. */
export function createRecordsRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const scope = inScope(access, { column: 'students.nstp_component' })
  return {
    /** @returns the ids of those whose reference was free. Indexes: import_rows_pkey, former_references_pkey. */
    async insert(
      records: readonly { number: number; id: string; reference: string }[],
      { id, consentedAt }: Pick<StoredImport, 'id' | 'consentedAt'>,
      now: Date,
    ): Promise<string[]> {
      const rows = await all<{ id: string }>`
        insert into students (id, reference, registration_date, archived, archived_date, consent_version,
          consented_at, import_id, ${sql.join(fieldColumns)})
        select new.id, new.reference, coalesce(import_rows.registration_date, ${now}::timestamptz),
          import_rows.archived_date is not null, import_rows.archived_date, ${paperConsent},
          ${consentedAt ?? now}::timestamptz, ${id}::uuid, ${sql.join(newValues)}
        from unnest(
          ${records.map(({ number }) => number)}::int[],
          ${records.map((record) => record.id)}::uuid[],
          ${records.map(({ reference }) => reference)}::text[]
        ) as new(number, id, reference)
        join import_rows on import_rows.import_id = ${id} and import_rows.number = new.number
        where not exists (select from former_references former where former.reference = new.reference)
        on conflict (reference) do nothing
        returning id`
      return rows.map((row) => row.id)
    },

    /**
     * How many records of a finished import were changed since, how many of an update were deleted, and how many an undo
     * keeps, or has kept. Of an update only newer values in its own fields count. Indexes: students_import and those of
     * hasProgram; import_rows_state, students_pkey.
     */
    async countChanged({ id, updateBy, state }: Pick<StoredImport, 'id' | 'updateBy' | 'state'>) {
      const isKept = state === 'undone' ? sql`true` : hasProgram
      const rows = await all<{ changed: number; deleted: number; kept: number }>`${
        updateBy
          ? sql`select 0 as kept, count(*) filter (where students.id is null)::int as deleted,
              count(*) filter (where students.id is not null and ${isOverwritten})::int as changed
            from import_rows left join students on students.id = import_rows.record_id
            where import_rows.import_id = ${id} and state = 'ready'`
          : sql`select count(*) filter (where not is_kept and version > 1)::int as changed, 0 as deleted,
              count(*) filter (where is_kept)::int as kept
            from (
              select version, ${isKept} as is_kept from students where ${allOf(sql`import_id = ${id}`, scope)}
            ) as made`
      }`
      return rows[0] ?? { changed: 0, deleted: 0, kept: 0 }
    },

    /** Locks the records of an import, or of an update's ready rows, until the transaction ends. Indexes as above. */
    async lock({ id, updateBy }: Pick<StoredImport, 'id' | 'updateBy'>): Promise<void> {
      const isIncluded = updateBy
        ? sql`id in (select record_id from import_rows where import_id = ${id} and state = 'ready')`
        : sql`import_id = ${id}`
      await sql`select from students where ${allOf(isIncluded, scope)} order by id for update`.execute(db)
    },

    /** The ready rows whose record isn't as they know it, or of another component by them. Indexes: import_rows_state, students_pkey. */
    async outdated(importId: string): Promise<number[]> {
      const written = inScope(access, { column: newComponent })
      const outside = scope ? sql` or not (${scope}) or not (${written})` : sql``
      const rows = await all<{ number: number }>`
        select number from import_rows left join students on students.id = import_rows.record_id
        where import_rows.import_id = ${importId} and state = 'ready'
          and (students.version is distinct from import_rows.record_version${outside})`
      return rows.map(({ number }) => number)
    },

    /** Whether a record of a finished import is of another component, or would be by its undo. Indexes as above. */
    async reachesOutside({ id, updateBy }: Pick<StoredImport, 'id' | 'updateBy'>): Promise<boolean> {
      if (!scope) return false
      const rows = await all`${
        updateBy
          ? sql`select from import_rows join students on students.id = import_rows.record_id
            where import_rows.import_id = ${id} and state = 'ready'
              and not (${allOf(scope, inScope(access, { column: oldComponent }))})`
          : sql`select from students where import_id = ${id} and not (${scope})`
      } limit 1`
      return rows.length > 0
    },

    /**
     * Locks the records of an import that its undo deletes. A student who is in a term, a paper, credited or certified by
     * now stays. Indexes: students_import and those of hasProgram.
     */
    async lockRemovable(importId: string): Promise<string[]> {
      const isRemoved = allOf(sql`import_id = ${importId}`, sql`not ${hasProgram}`, scope)
      const rows = await db
        .selectFrom('students')
        .select('id')
        .where(isRemoved)
        .orderBy('id')
        .forUpdate()
        .execute()
      return rows.map(({ id }) => id)
    },

    async storedChoices() {
      const rows = await all<{ courses: string[]; academicYears: string[] }>`
        select array(select distinct course from students${whereInScope(access)}) as courses,
          array(select distinct academic_year from students${whereInScope(access)}) as academic_years`
      return rows[0] ?? { courses: [], academicYears: [] }
    },

    /**
     * The records that each value names. Student IDs are compared as lists do, without dashes, spaces and leading zeros; one
     * that is written alike comes first, and one without a digit ("none") matches nothing. Indexes: students_reference_key,
     * former_references_pkey, students_pkey, students_number_key.
     */
    async findNamed(key: UpdateKey, values: readonly string[]) {
      const keys = key === 'reference' ? values : values.map(numberKey)
      const isNamed =
        key === 'reference'
          ? sql`students.id = coalesce(
              (select own.id from students own where own.reference = named.value),
              (select student_id from former_references where reference = named.value))`
          : sql`ltrim(regexp_replace(upper(student_id), '[^A-Z0-9]', '', 'g'), '0') = named.value`
      const rows = await all<FoundRecord & { place: number }>`
        select named.place::int, ${sql.join(recordColumns)}
        from unnest(${[...keys]}::text[]) with ordinality as named(value, place)
        join students on ${isNamed}
        where ${allOf(sql`named.value <> ''`, scope)}`
      const found = values.map((): FoundRecord[] => [])
      for (const { place, ...record } of rows) found[place - 1]?.push(record)
      if (key === 'reference') return found
      const written = (text: string) => text.trim().toLowerCase()
      return found.map((records, at) => {
        const equal = records.filter(({ studentId }) => written(studentId) === written(values[at] ?? ''))
        return equal.length > 0 ? equal : records
      })
    },

    names: (ids: readonly string[]) =>
      db
        .selectFrom('students')
        .select(['id', 'reference', 'lastName', 'firstName'])
        .where(allOf(sql`id = any(${[...ids]}::uuid[])`, scope))
        .execute(),

    // Index: import_rows_state.
    updates: (importId: string, after: number, limit: number) => all<{
      number: number
      recordId: string
      reference: string
      changes: ImportChange[]
    }>`
        select import_rows.number, import_rows.record_id, students.reference, import_rows.changes
        from import_rows join students on students.id = import_rows.record_id
        where ${allOf(
          sql`import_rows.import_id = ${importId} and state = 'ready' and number > ${after}`,
          scope,
        )}
        order by number limit ${limit}`,

    async apply(importId: string, numbers: readonly number[], which: 'before' | 'after'): Promise<void> {
      const assignments = studentFieldNames.map((field) => {
        const value = storedValue(field, sql`row.texts`)
        return sql`${sql.ref(field)} = coalesce(${value}, students.${sql.ref(field)})`
      })
      await sql`
        update students set ${sql.join(assignments)}, version = version + 1
        from (
          select record_id, ${textsOf(which)} as texts
          from import_rows where import_id = ${importId} and number = any(${[...numbers]}::int[])
        ) row
        where students.id = row.record_id`.execute(db)
    },
  }
}

/** After many changes: updates the planner's statistics and the visibility map for index-only scans. */
export async function tidyStudents({ longDb }: Pick<AppDatabase, 'longDb'>, changes: number): Promise<void> {
  if (changes < manyRecords) return
  await sql`vacuum (analyze) students, student_search`.execute(longDb)
}
