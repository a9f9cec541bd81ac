import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import type { EnrolmentEntry, Level } from '#shared/terms/terms.ts'

/**
 * What each of `students` passed, was credited and waits for, beside it. Its own rows are read for each student (indexes
 * enrolments_student, credits_student): conditions that the planner may join would read the enrolments of all years.
 */
export const progressIn = ({ id }: { id: string }): RawBuilder<unknown> => sql`
  lateral (
    select bool_or(term_id = ${id}) is true as is_in_term, bool_or(is_exemption) is true as is_exempt,
      bool_or(level = 1 and is_done) is true as is_done_1, bool_or(level = 2 and is_done) is true as is_done_2,
      bool_or(level = 1 and is_waiting) is true as is_waiting_1, bool_or(level = 2 and is_waiting) is true as is_waiting_2,
      bool_or(level = 1 and not is_credit) is true as is_again_1, bool_or(level = 2 and not is_credit) is true as is_again_2
    from (
      select term_id, level, outcome = 'passed' as is_done, false as is_credit, false as is_exemption,
        status = 'enrolled' and outcome in ('none', 'incomplete') as is_waiting
      from enrolments where student_id = students.id
      union all
      select null, level, kind = 'credit', true, kind = 'exemption', false
      from credits where student_id = students.id and revoked_at is null
    ) own
  ) progress`

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
 * Of `progressIn` the term: who isn't enrolled in it, and whose next level it is. Who has no mark of it yet, or an
 * incomplete one, waits for that.
 */
export const isDue: Record<Level, RawBuilder<SqlBool>> = {
  1: sql`not is_in_term and not is_exempt and not is_done_1 and not is_waiting_1`,
  2: sql`not is_in_term and not is_exempt and is_done_1 and not is_done_2 and not is_waiting_2`,
}

export interface UnplacedStudent extends NamedStudent {
  id: string
  version: number
  sex: string
  course: string
  // Of who is enrolled already, without a section.
  enrolmentId: string | null
  enrolmentVersion: number | null
  entry: EnrolmentEntry
}

export interface EarlierRecord {
  id: string
  earlierId: string
  academicYear: string
}

// Of the record, and what its order needs.
const columns = sql.raw(
  'students.id, students.version, last_name, first_name, middle_name, extension_name, sex, course, sort_name',
)

/**
 * Who waits, and who is enrolled without a section. Students of a year come from the index students_registration, their records
 * by students_pkey (`offset 0` keeps the planner from joining them): the whole table would take 100 ms of 100,000 records.
 * Other indexes: as `progressIn`, enrolments_term.
 */
export function unplacedStudents(
  term: { id: string; academicYear: string },
  { component, level }: { component: NstpComponent; level: Level },
  access: Access,
): RawBuilder<unknown> {
  const usual = sql.lit(level === 1 ? 'new' : 'continuing')
  return sql`
    select ${columns}, null::uuid as enrolment_id, null::integer as enrolment_version,
      case when ${sql.ref(`is_again_${level}`)} then 'repeating' else ${usual} end as entry
    from (select id from students where ${isOfYear(term, access, component)} offset 0) own,
      lateral (select * from students record where record.id = own.id offset 0) students,
      ${progressIn(term)}
    where ${allOf(sql`students.restriction is null`, isDue[level])}
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
      const { rows } = await sql<EarlierRecord>`
        select distinct on (id) * from (
          ${earlier(sql`other.sort_name = students.sort_name and other.date_of_birth = students.date_of_birth`)}
          union all
          ${earlier(sql`other.student_id = students.student_id and students.student_id ~ '[0-9]'`)}
        ) found order by id, academic_year desc, earlier_id`.execute(db)
      return rows
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
