import { type RawBuilder, type SqlBool, sql } from 'kysely'
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
  const { search, registered, amongst } = selection
  return allOf(
    passes(selection),
    registered ? registeredIn(registered) : undefined,
    search === '' ? undefined : searchCondition(search),
    // Index: students_pkey.
    amongst ? sql<SqlBool>`students.id = any(${[...amongst]}::uuid[])` : undefined,
  )
}

/** Columns of the students table. */
export function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`students.${name}`)))
}
