import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Tables } from '#server/database/schema.ts'
import { allOf, passes, registeredIn } from '#server/database/student-counts/count-sql.ts'
import type { InstantRange } from '#shared/periods.ts'
import type { StudentFilters } from '#shared/students.ts'
import { searchCondition } from './search-condition.ts'

/** The filters with their period worked out, and who may be the same person. */
export interface StudentSelection extends Omit<StudentFilters, 'period' | 'component' | 'duplicates'> {
  /** 'all' or one component. */
  component: string
  registered: InstantRange | null
  /** Only these records; without it, any. */
  amongst?: readonly string[] | undefined
}

/** A record is shown only if it passes every filter (spec §5). */
export function isSelected(selection: StudentSelection): RawBuilder<SqlBool> {
  const { search } = selection
  return allOf(
    passesFilters(selection),
    search === ''
      ? undefined
      : sql<SqlBool>`students.id in (select id from student_search where ${searchCondition(search)})`,
  )
}

/** The same where `students` is the name of `student_search`. */
export function isFound(selection: StudentSelection): RawBuilder<SqlBool> {
  return allOf(passesFilters(selection), searchCondition(selection.search))
}

function passesFilters(selection: StudentSelection): RawBuilder<SqlBool> {
  const { registered, amongst } = selection
  return allOf(
    passes(selection),
    registered ? registeredIn(registered) : undefined,
    // Index: the primary key.
    amongst ? sql<SqlBool>`students.id = any(${[...amongst]}::uuid[])` : undefined,
  )
}

/** Columns of the students table. */
export function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`students.${name}`)))
}

/** Fills `student_search` anew, where triggers didn't see the records come. */
export async function rebuildStudentSearch(tx: Transaction<Tables>): Promise<void> {
  await sql`truncate student_search`.execute(tx)
  await sql`insert into student_search select line.* from students, searched(students) line`.execute(tx)
  await sql`analyze student_search`.execute(tx)
}
