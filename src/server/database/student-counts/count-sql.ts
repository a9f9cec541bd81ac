import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Access } from '#server/lib/access.ts'
import type { InstantRange } from '#shared/periods.ts'
import type { StudentFilters } from '#shared/students/students.ts'
import { allOf, inScope } from '../conditions.ts'
import type { CountedRange } from './counted-range.ts'

export interface CountedFilters extends Pick<StudentFilters, 'archive' | 'academicYear'> {
  // 'all' or one component.
  component: string
  access: Access
}

export const everyone: Omit<CountedFilters, 'access'> = {
  component: 'all',
  archive: 'all',
  academicYear: 'all',
}

/** The condition for records, counts and changes alike: the three tables share these column names. */
export function matchesFilters(filters: CountedFilters): RawBuilder<SqlBool> {
  const { component, archive, academicYear, access } = filters
  return allOf(
    archive === 'all' ? undefined : sql<SqlBool>`archived = ${archive === 'archived'}`,
    inScope(access, { component }),
    academicYear === 'all' ? undefined : sql<SqlBool>`academic_year = ${academicYear}`,
  )
}

export function registeredIn(range: InstantRange | null): RawBuilder<SqlBool> {
  return within(range, (instant) => sql`${instant}`)
}

/** The condition of `registeredIn` for prepared statements: the planner does not see the bounds. */
export function registeredInPrepared(range: InstantRange | null): RawBuilder<SqlBool> {
  return within(range, (instant) => hideFromPlanner(instant, 'timestamptz'))
}

function within(range: InstantRange | null, bound: (instant: Date) => RawBuilder<unknown>) {
  return allOf(
    range ? sql<SqlBool>`registration_date >= ${bound(range.from)}` : undefined,
    range?.until ? sql<SqlBool>`registration_date < ${bound(range.until)}` : undefined,
  )
}

/** A value that the planner can't see: a prepared statement keeps its plan only if none for the values seems cheaper. */
export function hideFromPlanner(value: unknown, type: 'date' | 'timestamptz' | 'int'): RawBuilder<unknown> {
  return sql`(select ${value}::${sql.raw(type)})`
}

/** Counts of a range's whole days, months, or of all time. Index: student_counts_pkey. */
export function countedIn(
  { first, end }: Pick<CountedRange, 'first' | 'end'>,
  grain: CountedRange['grain'],
): RawBuilder<SqlBool> {
  return allOf(
    sql<SqlBool>`grain = ${sql.lit(grain)}`,
    first === null ? undefined : sql<SqlBool>`bucket >= ${hideFromPlanner(first, 'date')}`,
    end === null ? undefined : sql<SqlBool>`bucket < ${hideFromPlanner(end, 'date')}`,
  )
}

/**
 * The number of records as a scalar subquery: the counts, the changes not yet added, and the records of days that the
 * range cuts.
 */
export function totalOf(filters: CountedFilters, range: CountedRange): RawBuilder<number> {
  const counted = sql`
    (select coalesce(sum(n), 0) from student_counts
      where ${countedIn(range, range.grain)} and facet = 'total' and ${matchesFilters(filters)})
    + (select coalesce(sum(n), 0) from student_count_changes
      where ${registeredInPrepared(range.whole)} and ${matchesFilters(filters)})`
  const parts = [
    counted,
    // Index only: students_registration.
    ...range.edges.map(
      ({ range: edge, sign }) => sql`
        ${sql.lit(sign)} * (select count(*) from students where ${registeredInPrepared(edge)} and ${matchesFilters(filters)})`,
    ),
  ]
  return sql<number>`(${sql.join(parts, sql` + `)})::int`
}

// Sexes compare in any case (product 21.3).
export const countedValues = {
  sex: sql`case when lower(sex) in ('male', 'female') then lower(sex) else 'other' end`,
  course: sql`btrim(course)`,
  yearLevel: sql`year_level::text`,
}

export function dayIn(timeZone: string): RawBuilder<unknown> {
  return sql`(registration_date at time zone ${timeZone}::text)::date`
}
