import { type Selectable, type SqlBool, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable, StudentsTable } from '#server/database/schema.ts'
import type { InstantRange } from '#shared/periods.ts'
import { studentListFields } from '#shared/student.ts'
import { studentFieldNames } from '#shared/student-fields.ts'
import type { StudentFilters } from '#shared/students.ts'
import { hasDuplicate } from './duplicate-condition.ts'
import { openCursor, type RecordCursor } from './record-cursor.ts'
import { searchCondition } from './search-condition.ts'
import { sortOrder } from './sort-order.ts'

/** The filters with their period worked out. */
export interface StudentSelection extends Omit<StudentFilters, 'period'> {
  registered: InstantRange | null
}

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
export type StudentListRow = Pick<Selectable<StudentsTable>, (typeof studentListFields)[number]> & {
  isDuplicate: boolean
}

const columnsOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(`students.${name}`)))
const listColumns = columnsOf(studentListFields)
const allColumns = columnsOf(recordColumns)

export type StudentsRepository = ReturnType<typeof createStudentsRepository>

/** Where students are read. */
export function createStudentsRepository({ db, longDb }: Pick<AppDatabase, 'db' | 'longDb'>) {
  /** How many records are selected. Index only: students_registration, or students_search for a term. */
  async function count(selection: StudentSelection, on: Queryable = db): Promise<number> {
    const result = await sql<{ total: number }>`
      select count(*)::int as total from students where ${condition(selection)}`.execute(on)
    return result.rows[0]?.total ?? 0
  }

  return {
    /**
     * One page of the selected records, and how many there are on all pages.
     *
     * The ids of the page are found first, in an index that holds what the filters ask for; only these
     * records are then read from the table.
     */
    async list(
      selection: StudentSelection,
      page: { limit: number; offset: number },
    ): Promise<{ rows: StudentListRow[]; total: number }> {
      const where = condition(selection)
      const order = sortOrder(selection.sort)
      const result = await sql<StudentListRow & { total: number }>`
        with page as (
          select students.id from students where ${where} order by ${order}
          limit ${page.limit} offset ${page.offset}
        )
        select ${listColumns}, ${hasDuplicate()} as is_duplicate,
          (select count(*)::int from students where ${where}) as total
        from page join students on students.id = page.id
        order by ${order}`.execute(db)
      const first = result.rows[0]
      if (first) return { rows: result.rows, total: first.total }
      // Without a row there is nobody to tell the total: it is 0, unless the page lies beyond the last one.
      return { rows: [], total: page.offset === 0 ? 0 : await count(selection) }
    },

    /** The ids of the selected records that aren't archived, in the list's order. */
    async activeIds(selection: StudentSelection): Promise<string[]> {
      const result = await sql<{ id: string }>`
        select students.id from students
        where ${condition(selection)} and not archived
        order by ${sortOrder(selection.sort)}`.execute(db)
      return result.rows.map(({ id }) => id)
    },

    /** One whole record. Index: students_pkey. */
    async find(id: string): Promise<StudentRow | undefined> {
      return await db.selectFrom('students').select(recordColumns).where('id', '=', id).executeTakeFirst()
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
            where ${condition(selection)} order by ${sortOrder(selection.sort)}`,
        )
        return { ...cursor, total }
      } catch (error) {
        await tx.rollback().execute()
        throw error
      }
    },
  }
}

/** A record is shown only if it passes every filter (spec §5). */
function condition(selection: StudentSelection) {
  const { search, component, archive, academicYear, registered } = selection
  const conditions = [
    archive === 'all' ? undefined : sql<SqlBool>`archived = ${archive === 'archived'}`,
    component === 'all' ? undefined : sql<SqlBool>`nstp_component = ${component}`,
    academicYear === 'all' ? undefined : sql<SqlBool>`academic_year = ${academicYear}`,
    registered ? sql<SqlBool>`registration_date >= ${registered.from}` : undefined,
    registered?.until ? sql<SqlBool>`registration_date < ${registered.until}` : undefined,
    search === '' ? undefined : searchCondition(search),
  ].filter((part) => part !== undefined)
  return conditions.length === 0 ? sql<SqlBool>`true` : sql.join(conditions, sql` and `)
}
