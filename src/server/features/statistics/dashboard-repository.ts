import { type SqlBool, sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import { countedIn, everyone, registeredIn, totalOf } from '#server/database/student-counts/count-sql.ts'
import { countedRange } from '#server/database/student-counts/counted-range.ts'
import type { InstantRange } from '#shared/periods.ts'
import { namedEnlistments } from '#shared/statistics/statistics.ts'
import type { Enlistments, StudentCounts } from '#shared/statistics/statistics-response.ts'

export function createDashboardRepository({ db }: Pick<AppDatabase, 'db'>, timeZone: string) {
  return {
    async count({ recent, week }: { recent: InstantRange; week: InstantRange }): Promise<StudentCounts> {
      const allTime = countedRange(null, timeZone)
      const activeIn = (range: InstantRange) =>
        totalOf({ ...everyone, archive: 'active' }, countedRange(range, timeZone))
      const result = await sql<StudentCounts>`
        with cells as (
          select nstp_component, archived, n from student_counts
          where ${countedIn(allTime, 'all')} and facet = 'total'
          union all
          select nstp_component, archived, n from student_count_changes
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
      const counts = result.rows[0]
      if (!counts) throw new Error('An aggregate without groups has one row.')
      return counts
    },

    /** Who is registered in a range and active, as the list of that period shows. Index: students_registration. */
    async enlistments(range: InstantRange): Promise<Enlistments> {
      const isEnlisted = sql<SqlBool>`not archived and ${registeredIn(range)}`
      const result = await sql<{ count: number; id: string; name: string; at: Date }>`
        select id, last_name || ', ' || first_name as name, registration_date as at,
          (select count(*)::int from students where ${isEnlisted}) as count
        from students where ${isEnlisted}
        order by registration_date desc, id desc
        limit ${namedEnlistments}`.execute(db)
      return {
        count: result.rows[0]?.count ?? 0,
        latest: result.rows.map(({ id, name, at }) => ({ id, name, at: at.toISOString() })),
      }
    },
  }
}
