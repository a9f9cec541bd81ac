import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import {
  allOf,
  countedIn,
  everyone,
  matchesFilters,
  registeredIn,
  totalOf,
} from '#server/database/student-counts/count-sql.ts'
import { type CountedRange, countedRange } from '#server/database/student-counts/counted-range.ts'
import { countedValues, dayIn } from '#server/database/student-counts/grouping.ts'
import type { InstantRange } from '#shared/periods.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import type { ComponentFilter } from '#shared/students/students.ts'

export interface CountedSelection {
  component: ComponentFilter
  registered: InstantRange | null
  before: InstantRange | null
  unit: 'day' | 'month'
  timeZone: string
}

export interface BucketCount {
  bucket: CalendarDate
  component: string
  archived: boolean
  count: number
}

export interface ValueCount {
  facet: 'sex' | 'course' | 'yearLevel'
  value: string
  count: number
}

export interface StatisticsCounts {
  buckets: BucketCount[]
  values: ValueCount[]
  previousTotal: number | null
}

type Row = (BucketCount & { facet: 'total' }) | { facet: 'before'; count: number } | ValueCount

export function createStatisticsRepository({ db }: Pick<AppDatabase, 'db'>) {
  return {
    async read({
      component,
      registered,
      before,
      unit,
      timeZone,
    }: CountedSelection): Promise<StatisticsCounts> {
      const filters = { ...everyone, component }
      const range = countedRange(registered, timeZone)
      // All time is shown by its months.
      const grain = range.grain === 'all' ? 'month' : range.grain
      const previous = before
        ? sql`
        union all
        select 'before', null, null, null, '', ${totalOf(filters, countedRange(before, timeZone))}`
        : sql``
      const { rows } = await sql<Row>`
        with uncounted as (${uncountedRecords(range, matchesFilters(filters), timeZone)}),
        parts as (
          select facet, date_trunc(${unit}::text, bucket::timestamp)::date as bucket, nstp_component, archived, value, n
          from student_counts
          where ${countedIn(range, grain)} and facet = 'total' and ${matchesFilters(filters)}
          union all
          select facet, null, null, null, value, n from student_counts
          where ${countedIn(range, range.grain)} and facet in ('sex', 'course', 'yearLevel') and ${matchesFilters(filters)}
          union all
          select facet, parts.bucket, component, parts.archived, value, n
          from uncounted, lateral (values
            ('total', date_trunc(${unit}::text, day::timestamp)::date, nstp_component, archived, ''),
            ('sex', null, null, null, ${countedValues.sex}),
            ('course', null, null, null, ${countedValues.course}),
            ('yearLevel', null, null, null, ${countedValues.yearLevel})
          ) as parts (facet, bucket, component, archived, value)
        )
        select facet, bucket, nstp_component as component, archived, value, sum(n)::int as count
        from parts group by 1, 2, 3, 4, 5
        ${previous}`.execute(db)
      const buckets: BucketCount[] = []
      const values: ValueCount[] = []
      let previousTotal: number | null = null
      for (const row of rows) {
        if (row.facet === 'before') previousTotal = row.count
        else if (row.facet === 'total') buckets.push(row)
        else values.push(row)
      }
      return { buckets: buckets.filter(({ count }) => count > 0), values, previousTotal }
    },
  }
}

function uncountedRecords(range: CountedRange, condition: RawBuilder<SqlBool>, timeZone: string) {
  const columns = sql`${dayIn(timeZone)} as day, nstp_component, archived, sex, course, year_level`
  const changes = sql`
    select n, ${columns} from student_count_changes where ${allOf(registeredIn(range.whole), condition)}`
  // Index: students_registration.
  const edges = range.edges.map(
    ({ range: edge, sign }) => sql`
    select ${sql.lit(sign)}, ${columns} from students where ${allOf(registeredIn(edge), condition)}`,
  )
  return sql`
    select day, nstp_component, archived, sex, course, year_level, sum(n) as n
    from (${sql.join([changes, ...edges], sql` union all `)}) as records group by 1, 2, 3, 4, 5, 6`
}
