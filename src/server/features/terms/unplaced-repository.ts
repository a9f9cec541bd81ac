import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { Access } from '#server/lib/access.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { Level } from '#shared/terms/terms.ts'

const has = (condition: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select from enrolments own where own.student_id = students.id and ${condition})`
const hasNot = (condition: RawBuilder<unknown>) => sql<SqlBool>`not ${has(condition)}`
// Index: enrolments_passed.
const passed = (level: Level) => sql`own.level = ${sql.lit(level)} and own.outcome = 'passed'`

/**
 * The students who aren't enrolled in a term, though it is the one of their academic year, and whose next level it is.
 * Who has no mark of it yet, or an incomplete one, waits for that.
 */
export function isWaiting(
  { id, academicYear }: { id: string; academicYear: string },
  level: Level,
  access: Access,
  component: NstpComponent | 'all' = 'all',
): RawBuilder<SqlBool> {
  return allOf(
    sql`students.academic_year = ${academicYear} and not students.archived and students.restriction is null`,
    sql`students.nstp_component in (${sql.join(nstpComponents.map((name) => sql.lit(name)))})`,
    inScope(access, { component, column: 'students.nstp_component' }),
    level === 1 ? hasNot(passed(1)) : sql`${has(passed(1))} and ${hasNot(passed(2))}`,
    // Index: enrolments_term.
    hasNot(sql`own.term_id = ${id}`),
    hasNot(
      sql`own.level = ${sql.lit(level)} and own.status = 'enrolled' and own.outcome in ('none', 'incomplete')`,
    ),
  )
}
