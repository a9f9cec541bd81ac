import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import type { EnrolmentEntry, Level } from '#shared/terms/terms.ts'
import type { EarlierRecords } from '#shared/terms/terms-response.ts'

/**
 * `own`: the students of a year who may be placed, from the index students_year alone. `steps`: what they were enrolled in
 * (index enrolments_student) and what was credited. Its credits are those of everybody, who are few.
 *
 * What a student did is asked with `in` and never by a join: the statistics may not know a new year yet, and a join that is
 * planned for one student takes seconds for 5,000.
 */
export const studentsOfYear = (
  { id, academicYear }: { id: string; academicYear: string },
  access: Access,
  component: NstpComponent | 'all' = 'all',
): RawBuilder<unknown> => sql`
  own as materialized (
    select id, sort_name, nstp_component from students
    where ${allOf(
      sql`academic_year = ${academicYear} and not archived`,
      isUnrestricted(),
      sql`nstp_component in (${sql.join(nstpComponents.map((name) => sql.lit(name)))})`,
      inScope(access, { component }),
    )}
  ),
  steps as materialized (
    select student_id, level, false as is_credit, outcome = 'passed' as is_done,
      status = 'enrolled' and outcome in ('none', 'incomplete') as is_waiting, term_id = ${id} as is_barred
    from enrolments where student_id = any(array(select id from own))
    union all
    select student_id, level, true, kind = 'credit', false, kind = 'exemption'
    from credits where revoked_at is null
  )`

const hasStep = (condition: string) =>
  sql<SqlBool>`id in (select student_id from steps where ${sql.raw(condition)})`

const isBarred = (level: Level) => hasStep(`is_barred or level = ${level} and (is_done or is_waiting)`)

/**
 * The condition on `own` for students who aren't enrolled in the term, and whose next level it is. An earlier enrolment
 * in that level without a mark, or with an incomplete one, excludes the student until the mark is entered.
 */
export const isDue: Record<Level, RawBuilder<SqlBool>> = {
  1: sql`not ${isBarred(1)}`,
  // `is true`: the planner would make a join of it.
  2: sql`not ${isBarred(2)} and (${hasStep('level = 1 and is_done')}) is true`,
}

export interface UnplacedStudent extends NamedStudent {
  id: string
  version: number
  sex: string
  course: string
  // The enrolment of a student who is enrolled without a section; null for one who isn't enrolled.
  enrolmentId: string | null
  enrolmentVersion: number | null
  entry: EnrolmentEntry
}

export type EarlierRecord = Omit<EarlierRecords['items'][number], 'name'>

/** `waiting`: who waits, and who is enrolled without a section. Indexes: as `studentsOfYear`; enrolments_term, students_pkey. */
export function unplacedStudents(
  term: { id: string; academicYear: string },
  { component, level }: { component: NstpComponent; level: Level },
  access: Access,
): RawBuilder<unknown> {
  const usual = sql.lit(level === 1 ? 'new' : 'continuing')
  return sql`
    ${studentsOfYear(term, access, component)},
    waiting as materialized (
      select id, sort_name, null::uuid as enrolment_id, null::integer as enrolment_version,
        case when ${hasStep(`level = ${level} and not is_credit`)} then 'repeating' else ${usual} end as entry
      from own where ${isDue[level]}
      union all
      select students.id, sort_name, enrolments.id, enrolments.version, enrolments.entry
      from enrolments join students on students.id = enrolments.student_id
      where ${allOf(
        sql`enrolments.term_id = ${term.id} and enrolments.level = ${level} and enrolments.component = ${component}`,
        sql`enrolments.status = 'enrolled' and enrolments.section_id is null`,
        inScope(access, { column: 'enrolments.component' }),
      )}
    )`
}

/** Reads only students that are in scope. */
export function createPlacingRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  return {
    /** Lists the students in the order of names. */
    listUnplaced: (
      term: { id: string; academicYear: string },
      cell: { component: NstpComponent; level: Level },
    ) => all<UnplacedStudent>`
        with ${unplacedStudents(term, cell, access)}
        select id, version, last_name, first_name, middle_name, extension_name, sex, course, enrolment_id,
          enrolment_version, entry
        from waiting join students using (id)
        order by waiting.sort_name, id`,

    /** Records of earlier years with the same name and birth date, or student ID. Reads the whole table, once for each. */
    async findEarlier(ids: readonly string[]): Promise<EarlierRecord[]> {
      const earlier = (sameness: RawBuilder<unknown>) => sql`
        select students.id, other.id as earlier_id, other.academic_year
        from students join students other on ${sameness}
        where ${allOf(
          sql`students.id = any(${[...ids]}::uuid[]) and other.academic_year < students.academic_year`,
          sql`not exists (
            select from different_students
            where first_id = least(students.id, other.id) and second_id = greatest(students.id, other.id))`,
          inScope(access, { column: 'other.nstp_component' }),
        )}`
      const rows = await all<EarlierRecord>`
        select distinct on (id) * from (
          ${earlier(sql`other.sort_name = students.sort_name and other.date_of_birth = students.date_of_birth`)}
          union all
          ${earlier(sql`other.student_id = students.student_id and students.student_id ~ '[0-9]'`)}
        ) found order by id, academic_year desc, earlier_id`
      return rows
    },

    /**
     * Blocks changes of the students until the transaction ends.
     * @returns how many still are as they were read
     */
    async hold(students: readonly Pick<UnplacedStudent, 'id' | 'version'>[]): Promise<number> {
      const rows = await all<{ id: string }>`
        select students.id from students
        join unnest(${students.map(({ id }) => id)}::uuid[], ${students.map(({ version }) => version)}::integer[])
          as seen (id, version) on seen.id = students.id and seen.version = students.version
        order by students.id for share of students`
      return rows.length
    },
  }
}
