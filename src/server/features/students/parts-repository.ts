import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { allOf, countedIn, passes, registeredIn } from '#server/database/student-counts/count-sql.ts'
import type { CountedRange } from '#server/database/student-counts/counted-range.ts'
import { dayIn, markList, markOfName } from '#server/database/student-counts/grouping.ts'
import type { Part } from './place.ts'
import type { StudentSelection } from './selection-repository.ts'

/** The columns whose values are few and counted. */
export type CountedColumn = 'nstp_component' | 'academic_year' | 'archived'

interface DateGrouping {
  range: CountedRange
  grain: 'day' | 'month'
  timeZone: string
}

/** The selected records by month or day, oldest first. */
export function readDateParts(
  db: Queryable,
  selection: StudentSelection,
  { range, grain, timeZone }: DateGrouping,
): Promise<Part[]> {
  const record = sql`date_trunc(${grain}::text, ${dayIn(timeZone)}::timestamp)::date`
  const cells = totals(selection, { range, grain, ofCount: sql`bucket`, ofRecord: record })
  return readParts(db, cells, sql`(key + ${`1 ${grain}`}::interval)::date`)
}

/** The selected records by each value of a column, in the column's order. */
export function readValueParts(
  db: Queryable,
  selection: StudentSelection,
  { range, column }: { range: CountedRange; column: CountedColumn },
): Promise<Part[]> {
  const value = sql`${sql.ref(column)}::text`
  const cells = totals(selection, { range, grain: range.grain, ofCount: value, ofRecord: value })
  return readParts(db, cells, sql`null`)
}

/** The selected records by part of the order of names. Only for whole months: days aren't counted by name. */
export function readNameParts(
  db: Queryable,
  selection: StudentSelection,
  range: CountedRange,
): Promise<Part[]> {
  const condition = passes(selection)
  const cells = sql`
    select value as key, n from student_counts
    where ${countedIn(range, range.grain)} and facet = 'name' and ${condition}
    union all
    select ${markOfName}, n from student_count_changes, ${markList}
    where ${allOf(registeredIn(range.whole), condition)}`
  // Index: student_name_marks_pkey.
  return readParts(db, cells, sql`(select min(mark) from student_name_marks where mark > key)`)
}

interface Grouping {
  range: CountedRange
  grain: CountedRange['grain']
  /** What the records are told apart by: in a count, and in a record or change. */
  ofCount: RawBuilder<unknown>
  ofRecord: RawBuilder<unknown>
}

function totals(
  selection: StudentSelection,
  { range, grain, ofCount, ofRecord }: Grouping,
): RawBuilder<unknown> {
  const condition = passes(selection)
  const cells = [
    sql`
      select ${ofCount} as key, n from student_counts
      where ${countedIn(range, grain)} and facet = 'total' and ${condition}`,
    sql`
      select ${ofRecord}, n from student_count_changes
      where ${allOf(registeredIn(range.whole), condition)}`,
    // Index only: students_registration.
    ...range.edges.map(
      ({ range: edge, sign }) => sql`
        select ${ofRecord}, ${sql.lit(sign)} * count(*)::int from students
        where ${allOf(registeredIn(edge), condition)} group by 1`,
    ),
  ]
  return sql.join(cells, sql` union all `)
}

async function readParts(
  db: Queryable,
  cells: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select key, ${end} as "end", count from (
      select key, sum(n)::int as count from (${cells}) as cells group by key having sum(n) <> 0
    ) as parts order by key`.execute(db)
  return rows
}
