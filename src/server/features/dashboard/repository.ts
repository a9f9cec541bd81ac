import { sql } from 'kysely'
import type { AppDatabase } from '#server/database/pool.ts'
import type { DashboardCounts } from '#shared/dashboard.ts'

export type DashboardRepository = ReturnType<typeof createDashboardRepository>

/** Where the dashboard's figures come from. */
export function createDashboardRepository({ db }: Pick<AppDatabase, 'db'>) {
  return {
    /** All counts as of one moment. Index only: students_registration. */
    async count(since: { recent: Date; week: Date }): Promise<DashboardCounts> {
      const result = await sql<DashboardCounts>`
        select
          count(*) filter (where not archived)::int as total_students,
          count(*) filter (where not archived and nstp_component = 'ROTC')::int as rotc_students,
          count(*) filter (where not archived and nstp_component = 'CWTS')::int as cwts_students,
          count(*) filter (where not archived and nstp_component = 'LTS')::int as lts_students,
          count(*) filter (where not archived and registration_date >= ${since.recent})::int
            as recent_registrations,
          count(*) filter (where not archived and registration_date >= ${since.week})::int
            as last_seven_days,
          count(*) filter (where archived)::int as archived_students
        from students`.execute(db)
      const counts = result.rows[0]
      if (!counts) throw new Error('An aggregate without groups has one row.')
      return counts
    },
  }
}
