import { type Selectable, sql } from 'kysely'
import { allOf, inScope, whereInScope } from '#server/database/conditions.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { countIn, queriesOf } from '#server/database/query.ts'
import type { Queryable, StudentsTable, Tables } from '#server/database/schema.ts'
import { openSnapshot } from '#server/database/snapshot.ts'
import { countedValues } from '#server/database/student-counts/count-sql.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import { studentFieldNames } from '#shared/students/student-fields.ts'
import { defaultStudentFilters } from '#shared/students/students.ts'
import {
  columnsOf,
  hasDuplicate,
  isSelected,
  type StudentSelection,
  sortOrder,
} from './filter-and-order-repository.ts'
import { createPageReader } from './page-repository.ts'

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
  'guardianConsentedAt',
  'restriction',
  'version',
] as const satisfies readonly (keyof StudentsTable)[]

export type StudentRow = Pick<Selectable<StudentsTable>, (typeof recordColumns)[number]>

const allColumns = columnsOf(recordColumns)

export type StudentsRepository = ReturnType<typeof createStudentsRepository>

export function createStudentsRepository(
  database: Omit<AppDatabase, 'pool' | 'check' | 'close'>,
  timeZone: string,
) {
  const { db, longDb } = database

  return {
    list: createPageReader(database, timeZone),

    // It reads no more records than it has to find, so it needs no index.
    async hasAtLeast(count: number, access: Access): Promise<boolean> {
      const result = await sql`
        select from students${whereInScope(access)} offset ${count - 1} limit 1`.execute(db)
      return result.rows.length > 0
    },

    /**
     * How many of these students the account sees, also in lists of terms: who is in another component by now stays in those
     * of an earlier one. Indexes: students_pkey, enrolments_student.
     */
    async countListed(ids: readonly string[], access: Access): Promise<number> {
      const isSeen = inScope(access)
      const isListed =
        isSeen &&
        sql`(${isSeen} or exists (
          select from enrolments where ${allOf(sql`student_id = students.id`, inScope(access, { column: 'enrolments.component' }))}))`
      return await countIn(db, sql`students where ${allOf(sql`id = any(${[...ids]}::uuid[])`, isListed)}`)
    },

    async activeIds(selection: StudentSelection, limit: number): Promise<string[]> {
      const result = await sql<{ id: string }>`
        select students.id from students
        where ${isSelected(selection)} and not archived
        order by ${sortOrder(selection.sort)}
        limit ${limit}`.execute(db)
      return result.rows.map(({ id }) => id)
    },

    // Index: students_pkey.
    async find(
      id: string,
      access: Access,
    ): Promise<Visible<StudentRow & { isDuplicate: boolean }> | undefined> {
      const row = await db
        .selectFrom('students')
        .select(recordColumns)
        .select(hasDuplicate(access).as('isDuplicate'))
        .where(allOf(sql`id = ${id}`, inScope(access)))
        .executeTakeFirst()
      return row && visible(row, access)
    },

    // Index: students_pkey.
    async findMany(ids: readonly string[], access: Access): Promise<Visible<StudentRow>[]> {
      const rows = await db
        .selectFrom('students')
        .select(recordColumns)
        .where(allOf(sql`id = any(${[...ids]}::uuid[])`, inScope(access)))
        .execute()
      return rows.map((row) => visible(row, access))
    },

    // All reads see one snapshot, without concurrent changes. The caller must close it.
    async openAll(selection: StudentSelection) {
      return await openSnapshot(longDb.withoutPlugins(), async ({ tx, fetchRows }) => {
        // Index only: students_registration, or student_search_words for a search.
        const counted = await sql<{ total: number }>`
          select count(*)::int as total from students where ${isSelected(selection)}`.execute(tx)
        const all = sql<StudentRow>`
          select ${allColumns} from students
          where ${isSelected(selection)} order by ${sortOrder(selection.sort)}`
        return { batches: fetchRows(all, batchSize), total: counted.rows[0]?.total ?? 0 }
      })
    },
  }
}

const batchSize = 500

/** Reads the counts: the cost doesn't grow with the records. */
export function createChoicesRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const counted = (facet: string) =>
    allOf(sql`grain = 'all'`, sql`facet = ${sql.lit(facet)}`, inScope(access))
  return {
    // Index: student_counts_pkey.
    async academicYears(): Promise<string[]> {
      const rows = await all<{ academicYear: string }>`
        select academic_year from (
          select academic_year, n from student_counts where ${counted('total')}
          union all
          select academic_year, n from student_count_changes${whereInScope(access)}
        ) cells
        group by academic_year having sum(n) > 0
        order by academic_year`
      return rows.map(({ academicYear }) => academicYear)
    },

    // Index: student_counts_pkey.
    async courses(): Promise<string[]> {
      const rows = await all<{ course: string }>`
        select course from (
          select value as course, n from student_counts where ${counted('course')}
          union all
          select ${countedValues.course}, n from student_count_changes${whereInScope(access)}
        ) cells
        where course <> ''
        group by course having sum(n) > 0
        order by lower(course), course`
      return rows.map(({ course }) => course)
    },
  }
}

const maxCounted = 1_000

export function createUnseenRepository(db: Queryable) {
  return {
    // Index only: students_registration.
    async count(adminId: string | null, access: Access): Promise<number> {
      const isNew = sql`registration_date > (select students_seen_at from admins where id = ${adminId})`
      const unseen = sql`select from students where ${allOf(isNew, inScope(access))} limit ${maxCounted}`
      return await countIn(db, sql`(${unseen}) unseen`)
    },

    async markSeen(adminId: string | null, at: Date): Promise<void> {
      await sql`
        update admins set students_seen_at = greatest(students_seen_at, ${at}::timestamptz)
        where id = ${adminId}`.execute(db)
    },
  }
}

const mailColumns = [
  'id',
  'email',
  'firstName',
  'lastName',
  'nstpComponent',
  'course',
  'academicYear',
  'reference',
  'serialNumber',
  'restriction',
] as const satisfies readonly (keyof StudentsTable)[]

export type AddressedStudent = Pick<Selectable<StudentsTable>, (typeof mailColumns)[number]> & {
  // The section of the open term; null while the student waits for one.
  place: Pick<Selectable<Tables['sections']>, 'adviser' | 'meets' | 'name' | 'unit'> | null
}

// Indexes: enrolments_student, terms_pkey, sections_pkey.
const columns = sql`${columnsOf(mailColumns)}, (
  select json_build_object('unit', unit, 'name', sections.name, 'adviser', adviser, 'meets', meets)
  from enrolments own
    join terms on terms.id = own.term_id and terms.state = 'open'
    join sections on sections.id = section_id
  where own.student_id = students.id and own.status = 'enrolled' limit 1) as place`

const locked = (lock: boolean) => (lock ? sql`for key share` : sql``)

/**
 * Index: students_registration.
 * @param lock locks the students until the transaction ends: a message needs its record
 */
export async function readAddressed(
  db: Queryable,
  selection: StudentSelection,
  { limit, lock }: { limit: number; lock: boolean },
): Promise<AddressedStudent[]> {
  const result = await sql<AddressedStudent>`
    select ${columns} from students where ${isSelected(selection)}
    order by ${sortOrder(selection.sort)}
    limit ${limit} ${locked(lock)}`.execute(db)
  return result.rows
}

/**
 * Reads all students once for a list: an index would slow every enlistment for a rare query. Blocked records out of
 * scope are included, because nobody writes to these people.
 * @param keys addresses in lower case
 */
export async function readWithAddresses(
  db: Queryable,
  keys: readonly string[],
  { lock, access }: { lock: boolean; access: Access },
): Promise<AddressedStudent[]> {
  const scope = inScope(access)
  const result = await sql<AddressedStudent>`
    select ${columns} from students where ${allOf(
      sql`lower(email) = any(${[...keys]}::text[])`,
      sql`(not archived or restriction is not null)`,
      scope && sql`(${scope} or restriction is not null)`,
    )}
    order by ${sortOrder(defaultStudentFilters.sort)} ${locked(lock)}`.execute(db)
  return result.rows
}
