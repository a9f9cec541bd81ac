import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { EnrolmentEntry, Level } from '#shared/terms/terms.ts'

const has = (condition: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select from enrolments own where own.student_id = students.id and ${condition})`
const hasNot = (condition: RawBuilder<unknown>) => sql<SqlBool>`not ${has(condition)}`
// Index: enrolments_passed.
const passed = (level: Level) => sql`own.level = ${sql.lit(level)} and own.outcome = 'passed'`

// Index: credits_student.
const hasNoCredit = (condition: RawBuilder<unknown>) =>
  sql<SqlBool>`not exists (
    select from credits own where own.student_id = students.id and own.revoked_at is null and ${condition})`

/** The level is neither passed nor credited. */
const isLeft = (level: Level) =>
  sql`${hasNot(passed(level))} and ${hasNoCredit(sql`own.level = ${sql.lit(level)}`)}`

/** It is passed or credited. */
const isDone = (level: Level) =>
  sql`students.id in (
    select student_id from enrolments own where ${passed(level)}
    union all
    select student_id from credits own where own.level = ${sql.lit(level)} and own.revoked_at is null)`

/** Unlike the rest, from the index students_registration alone. */
export function isOfYear(
  { academicYear }: { academicYear: string },
  access: Access,
  component: NstpComponent | 'all' = 'all',
): RawBuilder<SqlBool> {
  return allOf(
    sql`students.academic_year = ${academicYear} and not students.archived`,
    sql`students.nstp_component in (${sql.join(nstpComponents.map((name) => sql.lit(name)))})`,
    inScope(access, { component, column: 'students.nstp_component' }),
  )
}

/**
 * Who isn't enrolled in a term, and whose next level it is. Who has no mark of it yet, or an incomplete one, waits for that.
 * Asks for nothing but the ids of the students.
 */
export function isDue({ id }: { id: string }, level: Level): RawBuilder<SqlBool> {
  return allOf(
    level === 1 ? isLeft(1) : sql`${isDone(1)} and ${isLeft(2)}`,
    hasNoCredit(sql`own.kind = 'exemption'`),
    // Index: enrolments_term.
    hasNot(sql`own.term_id = ${id}`),
    hasNot(
      sql`own.level = ${sql.lit(level)} and own.status = 'enrolled' and own.outcome in ('none', 'incomplete')`,
    ),
  )
}

export interface UnplacedStudent {
  id: string
  version: number
  lastName: string
  firstName: string
  middleName: string
  extensionName: string
  sex: string
  course: string
  // Of who is enrolled already, without a section.
  enrolmentId: string | null
  enrolmentVersion: number | null
  entry: EnrolmentEntry
}

// Of the record, and what its order needs.
const columns = sql.raw(
  'students.id, students.version, last_name, first_name, middle_name, extension_name, sex, course, sort_name',
)

/**
 * Who waits, and who is enrolled without a section. Indexes: as `isDue`, enrolments_term.
 */
export function unplacedStudents(
  term: { id: string; academicYear: string },
  { component, level }: { component: NstpComponent; level: Level },
  access: Access,
): RawBuilder<unknown> {
  const usual = sql.lit(level === 1 ? 'new' : 'continuing')
  return sql`
    select ${columns}, null::uuid as enrolment_id, null::integer as enrolment_version,
      case when ${has(sql`own.level = ${sql.lit(level)}`)} then 'repeating' else ${usual} end as entry
    from students where ${allOf(
      isOfYear(term, access, component),
      sql`students.restriction is null`,
      isDue(term, level),
    )}
    union all
    select ${columns}, enrolments.id, enrolments.version, enrolments.entry
    from enrolments join students on students.id = enrolments.student_id
    where ${allOf(
      sql`enrolments.term_id = ${term.id} and enrolments.level = ${level} and enrolments.component = ${component}`,
      sql`enrolments.status = 'enrolled' and enrolments.section_id is null`,
      inScope(access, { column: 'enrolments.component' }),
    )}`
}

/** Of what is in scope. */
export function createPlacingRepository(db: Queryable, access: Access) {
  return {
    /** In the order of names. */
    async listUnplaced(
      term: { id: string; academicYear: string },
      cell: { component: NstpComponent; level: Level },
    ): Promise<UnplacedStudent[]> {
      const { rows } = await sql<UnplacedStudent & { sortName: string }>`
        ${unplacedStudents(term, cell, access)}
        order by sort_name, id`.execute(db)
      return rows.map(({ sortName: _sortName, ...student }) => student)
    },

    /** Until the transaction ends nobody changes them. @returns how many still are as they were read */
    async hold(students: readonly Pick<UnplacedStudent, 'id' | 'version'>[]): Promise<number> {
      const { rows } = await sql<{ id: string }>`
        select students.id from students
        join unnest(${students.map(({ id }) => id)}::uuid[], ${students.map(({ version }) => version)}::integer[])
          as seen (id, version) on seen.id = students.id and seen.version = students.version
        order by students.id for share of students`.execute(db)
      return rows.length
    },
  }
}
