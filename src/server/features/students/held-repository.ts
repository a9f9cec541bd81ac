import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'
import { countedValues } from '#server/database/student-counts/grouping.ts'

/** Reads the counts: the cost doesn't grow with the records. */
export function createHeldRepository(db: Queryable) {
  return {
    // Index: student_counts_pkey.
    async academicYears(): Promise<string[]> {
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

    // Index: student_counts_pkey.
    async courses(): Promise<string[]> {
      const { rows } = await sql<{ course: string }>`
        select course from (
          select value as course, n from student_counts where grain = 'all' and facet = 'course'
          union all
          select ${countedValues.course}, n from student_count_changes
        ) cells
        where course <> ''
        group by course having sum(n) > 0
        order by lower(course), course`.execute(db)
      return rows.map(({ course }) => course)
    },
  }
}
