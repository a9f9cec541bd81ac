import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import { countedIn, everyone, totalOf } from '#server/database/student-counts/count-sql.ts'
import { countedRange } from '#server/database/student-counts/counted-range.ts'
import type { StudentCounts } from '#shared/dashboard.ts'
import type { InstantRange } from '#shared/periods.ts'

export type DashboardRepository = ReturnType<typeof createDashboardRepository>

/** Where the dashboard's figures come from: the counts that are kept with each change. */
export function createDashboardRepository({ db }: Pick<AppDatabase, 'db'>, timeZone: string) {
  return {
    /** All counts as of one moment. */
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
  }
}
