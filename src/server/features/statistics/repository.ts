import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, inScope, whereInScope } from '#server/database/conditions.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import {
  countedIn,
  countedValues,
  dayIn,
  everyone,
  matchesFilters,
  registeredIn,
  registeredInPrepared,
  totalOf,
} from '#server/database/student-counts/count-sql.ts'
import { type CountedRange, countedRange } from '#server/database/student-counts/counted-range.ts'
import type { Access } from '#server/lib/access.ts'
import type { InstantRange } from '#shared/periods.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import { namedEnlistments } from '#shared/statistics/statistics.ts'
import type { StudentCounts } from '#shared/statistics/statistics-response.ts'
import type { ComponentFilter } from '#shared/students/students.ts'

interface CountedSelection {
  access: Access
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

type Row = (BucketCount & { facet: 'total' }) | { facet: 'before'; count: number } | ValueCount

export function createStatisticsRepository({ db, queryPrepared }: Pick<AppDatabase, 'db' | 'queryPrepared'>) {
  const plain = db.withoutPlugins()
  return {
    async read({ access, component, registered, before, unit, timeZone }: CountedSelection) {
      const filters = { ...everyone, access, component }
      const range = countedRange(registered, timeZone)
      // All time is shown by its months.
      const grain = range.grain === 'all' ? 'month' : range.grain
      const previous = before
        ? sql`
        union all
        select 'before', null, null, null, '', ${totalOf(filters, countedRange(before, timeZone))}`
        : sql``
      const statement = sql<Row>`
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
        ${previous}`.compile(plain)
      const rows = await queryPrepared<Row>(statement.sql, statement.parameters)
      return {
        buckets: rows.filter((row) => row.facet === 'total').filter(({ count }) => count > 0),
        values: rows.filter((row) => row.facet !== 'total' && row.facet !== 'before'),
        previousTotal: rows.find((row) => row.facet === 'before')?.count ?? null,
      }
    },
  }
}

function uncountedRecords(range: CountedRange, condition: RawBuilder<SqlBool>, timeZone: string) {
  const columns = sql`${dayIn(timeZone)} as day, nstp_component, archived, sex, course, year_level`
  const changes = sql`
    select n, ${columns} from student_count_changes where ${allOf(registeredInPrepared(range.whole), condition)}`
  // Index: students_registration.
  const edges = range.edges.map(
    ({ range: edge, sign }) => sql`
    select ${sql.lit(sign)}, ${columns} from students where ${allOf(registeredInPrepared(edge), condition)}`,
  )
  return sql`
    select day, nstp_component, archived, sex, course, year_level, sum(n) as n
    from (${sql.join([changes, ...edges], sql` union all `)}) as records group by 1, 2, 3, 4, 5, 6`
}

export function createDashboardRepository({ db }: Pick<AppDatabase, 'db'>, timeZone: string) {
  return {
    async count(
      { recent, week }: { recent: InstantRange; week: InstantRange },
      access: Access,
    ): Promise<StudentCounts> {
      const allTime = countedRange(null, timeZone)
      const activeIn = (range: InstantRange) =>
        totalOf({ ...everyone, access, archive: 'active' }, countedRange(range, timeZone))
      const result = await sql<StudentCounts>`
        with cells as (
          select nstp_component, archived, n from student_counts
          where ${allOf(countedIn(allTime, 'all'), sql`facet = 'total'`, inScope(access))}
          union all
          select nstp_component, archived, n from student_count_changes${whereInScope(access)}
        )
        select
          coalesce(sum(n) filter (where not archived), 0)::int as total_students,
          coalesce(sum(n) filter (where not archived and nstp_component = 'ROTC'), 0)::int as rotc_students,
          coalesce(sum(n) filter (where not archived and nstp_component = 'CWTS'), 0)::int as cwts_students,
          coalesce(sum(n) filter (where not archived and nstp_component = 'LTS'), 0)::int as lts_students,
          ${activeIn(recent)} as recent_registrations,
          ${activeIn(week)} as last_seven_days,
          coalesce(sum(n) filter (where archived), 0)::int as archived_students
        from cells`.execute(db)
      const [counts] = result.rows
      if (!counts) throw new Error('An aggregate without groups has one row.')
      return counts
    },

    /**
     * Lists the active students who registered in a range, as the list of that period shows them. Index:
     * students_registration.
     */
    async enlistments(range: InstantRange, access: Access) {
      const isEnlisted = allOf(sql`not archived`, registeredIn(range), inScope(access))
      const result = await sql<{ count: number; id: string; name: string; at: Date }>`
        select id, last_name || ', ' || first_name as name, registration_date as at,
          (select count(*)::int from students where ${isEnlisted}) as count
        from students where ${isEnlisted}
        order by registration_date desc, id desc
        limit ${namedEnlistments}`.execute(db)
      return {
        count: result.rows[0]?.count ?? 0,
        latest: result.rows.map(({ count, ...student }) => student),
      }
    },
  }
}
