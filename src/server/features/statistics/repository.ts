import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { InstantRange } from '#shared/periods.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'
import type { ComponentFilter } from '#shared/students.ts'

/** What is counted, and in which steps of time. */
export interface CountedSelection {
  component: ComponentFilter
  registered: InstantRange | null
  /** The period to compare with. */
  before: InstantRange | null
  unit: 'day' | 'month'
  timeZone: string
}

/** Records of one day or month, component and archive status. */
export interface BucketCount {
  bucket: CalendarDate
  component: string
  archived: boolean
  count: number
}

/** Records that share a value: 'male', 'female' or 'other' for sex, '' for a missing course. */
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

export type StatisticsRepository = ReturnType<typeof createStatisticsRepository>

/** Where the statistics' figures come from. */
export function createStatisticsRepository({ db }: Pick<AppDatabase, 'db'>) {
  return {
    /** All counts as of one moment. */
    async read(selection: CountedSelection): Promise<StatisticsCounts> {
      const { component, registered, before, unit, timeZone } = selection
      const ofComponent = component === 'all' ? sql`true` : sql`nstp_component = ${component}`
      const within = (range: InstantRange | null) => {
        if (!range) return sql`true`
        const { from, until } = range
        return until
          ? sql`registration_date >= ${from} and registration_date < ${until}`
          : sql`registration_date >= ${from}`
      }
      interface Row extends BucketCount {
        facet: 'total' | ValueCount['facet'] | 'before'
        value: string
      }
      const bucket = sql`date_trunc(${unit}::text, registration_date at time zone ${timeZone}::text)::date`
      const { rows } = await sql<Row>`
        select facets.*, count(*)::int as count
        from students, lateral (values
          ('total', ${bucket}, nstp_component, archived, ''),
          ('sex', null, null, null, case when lower(sex) in ('male', 'female') then lower(sex) else 'other' end),
          ('course', null, null, null, btrim(course)),
          ('yearLevel', null, null, null, year_level::text)
        ) as facets (facet, bucket, component, archived, value)
        where ${ofComponent} and ${within(registered)}
        group by facet, bucket, component, facets.archived, value
        union all
        select 'before', null, null, null, '', count(*)::int
        from students where ${before !== null} and ${ofComponent} and ${within(before)}`.execute(db)
      const values = rows.flatMap(({ facet, value, count }) =>
        facet === 'total' || facet === 'before' ? [] : [{ facet, value, count }],
      )
      return {
        buckets: rows.filter(({ facet }) => facet === 'total'),
        values,
        previousTotal: before && (rows.find(({ facet }) => facet === 'before')?.count ?? 0),
      }
    },
  }
}
