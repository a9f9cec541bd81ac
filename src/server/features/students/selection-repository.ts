import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, passes, registeredIn } from '#server/database/student-counts/count-sql.ts'
import type { InstantRange } from '#shared/periods.ts'
import type { StudentFilters } from '#shared/students.ts'
import { searchCondition } from './search-condition.ts'

/** The filters with their period worked out. */
export interface StudentSelection extends Omit<StudentFilters, 'period' | 'component'> {
  /** 'all' or one component. */
  component: string
  registered: InstantRange | null
}

/** A record is shown only if it passes every filter (spec §5). */
export function isSelected(selection: StudentSelection): RawBuilder<SqlBool> {
  const { search, registered } = selection
  return allOf(
    passes(selection),
    registered ? registeredIn(registered) : undefined,
    search === '' ? undefined : searchCondition(search),
  )
}

/** Columns of the students table. */
export function columnsOf(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(`students.${name}`)))
}
