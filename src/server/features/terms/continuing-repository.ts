import { sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type NstpComponent, nstpComponents } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import type { ContinuingStudent } from '#shared/terms/continuing.ts'
import type { Semester } from '#shared/terms/terms.ts'
import type { SectionRow } from './repository.ts'

interface EarlierStudent extends NamedStudent, ContinuingStudent {
  id: string
  version: number
  // The student's latest enrolment.
  enrolmentId: string
  enrolmentVersion: number
}

interface WantedTerm {
  id: string
  academicYear: string
  semester: Semester
}

/** Reads only students that are in scope. */
export function createContinuingRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  return {
    /**
     * Lists the students who were in a term of this academic year or the one before and aren't in this term, in the
     * order of names. Indexes: enrolments_term, students_pkey, enrolments_passed, credits_student.
     */
    list: (
      { id, academicYear, semester }: WantedTerm,
      component: NstpComponent | 'all',
    ) => all<EarlierStudent>`
        with latest as (
          select distinct on (own.student_id) own.*
          from enrolments own join terms on terms.id = own.term_id
          where academic_year in (${academicYear}, ${yearBefore(academicYear)})
            and (academic_year, semester) < (${academicYear}, ${semester}) and own.status <> 'moved'
          order by own.student_id, academic_year desc, semester desc, level desc, own.status = 'enrolled' desc, own.id
        )
        select students.id, students.version, last_name, first_name, middle_name, extension_name,
          students.nstp_component as component, latest.id as enrolment_id, latest.version as enrolment_version,
          latest.level, latest.outcome, latest.status, latest.section_id,
          array(
            select own.level from enrolments own where own.student_id = students.id and own.outcome = 'passed'
            union
            select both_levels.level from credits own, (values (1), (2)) both_levels (level)
            where own.student_id = students.id and own.revoked_at is null
              and (own.level = both_levels.level or own.kind = 'exemption')
          ) as passed
        from latest join students on students.id = latest.student_id
        where ${allOf(
          sql`not archived`,
          isUnrestricted(),
          sql`students.nstp_component in (${sql.join(nstpComponents.map((name) => sql.lit(name)))})`,
          inScope(access, { component, column: 'students.nstp_component' }),
          sql`not exists (select from enrolments own where own.student_id = students.id and own.term_id = ${id})`,
        )}
        order by sort_name, students.id`,

    // Index: sections_pkey.
    async listSections(ids: readonly string[]): Promise<SectionRow[]> {
      if (ids.length === 0) return []
      return await db
        .selectFrom('sections')
        .selectAll()
        .where('id', 'in', [...ids])
        .orderBy('position')
        .execute()
    },
  }
}

function yearBefore(academicYear: string): string {
  const first = Number(academicYear.slice(0, 4))
  return `${first - 1}-${first}`
}
