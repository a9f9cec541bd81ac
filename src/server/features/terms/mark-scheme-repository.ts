import { sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { CountedDay } from '#shared/attendance/standing.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { Scores } from '#shared/terms/mark-proposal.ts'
import type { MarkScheme } from '#shared/terms/mark-scheme.ts'

/** What marks are made of, and the scores. Reads only what is in scope. */
export function createMarkSchemesRepository(db: Queryable, access: Access) {
  const { all, first } = queriesOf(db)
  return {
    /** The scheme of a term, else that of the latest term before it. No index: there are a few a year. */
    async find(termId: string, component: NstpComponent): Promise<MarkScheme | null> {
      const row = await first<{ scheme: MarkScheme | null }>`
        select scheme from mark_schemes
          join terms on terms.id = mark_schemes.term_id
          join terms asked on asked.id = ${termId}
        where ${allOf(
          inScope(access, { component, column: 'component' }),
          sql`(terms.academic_year, terms.semester) <= (asked.academic_year, asked.semester)`,
        )}
        order by terms.academic_year desc, terms.semester desc limit 1`
      return row?.scheme ?? null
    },

    /** Index: mark_schemes_pkey. */
    async store(termId: string, component: NstpComponent, scheme: MarkScheme | null): Promise<void> {
      const row = { termId, component, scheme: scheme && JSON.stringify(scheme) }
      await db
        .insertInto('markSchemes')
        .values(row)
        .onConflict((conflict) => conflict.columns(['termId', 'component']).doUpdateSet(row))
        .execute()
    },

    /**
     * Reads the days that count for the standing of students, by enrolment: those on which they were called, in both
     * components of who moved. Indexes: enrolments_pkey, training_days_term, attendance_pkey.
     */
    async listCounted(ids: readonly string[]): Promise<ReadonlyMap<string, CountedDay[]>> {
      const rows = await all<{ id: string; counted: [CountedDay['state'], CountedDay['hours']][] }>`
        select own.id, json_agg(json_build_array(attendance.state, hours)) as counted
        from enrolments own
          join training_days day on day.term_id = own.term_id and (day.level is null or day.level = own.level)
            and day.state <> 'cancelled'
          join attendance on day_id = day.id and attendance.student_id = own.student_id
        where ${allOf(sql`own.id = any(${[...ids]}::uuid[])`, inScope(access, { column: 'own.component' }))}
        group by own.id`
      return new Map(rows.map(({ id, counted }) => [id, counted.map(([state, hours]) => ({ state, hours }))]))
    },

    // The enrolments are locked: their version stays, as no mark is changed. Index: enrolments_pkey.
    async setScores(enrolments: readonly { id: string; scores: Scores }[]): Promise<void> {
      await sql`
        update enrolments set scores = own.scores
        from jsonb_to_recordset(${JSON.stringify(enrolments)}::jsonb) as own (id uuid, scores jsonb)
        where enrolments.id = own.id`.execute(db)
    },
  }
}
