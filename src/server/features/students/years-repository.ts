import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

/** Which academic years the records hold, also those that are no longer on offer. */
export function createYearsRepository(db: Queryable) {
  return {
    /** In order. From the counts, so the cost doesn't grow with the records. Index: student_counts_pkey. */
    async held(): Promise<string[]> {
      const { rows } = await sql<{ academicYear: string }>`
        select academic_year from (
          select academic_year, n from student_counts where grain = 'all' and facet = 'total'
          union all
          select academic_year, n from student_count_changes
        ) cells
        group by academic_year having sum(n) > 0
        order by academic_year`.execute(db)
      return rows.map(({ academicYear }) => academicYear)
    },
  }
}
