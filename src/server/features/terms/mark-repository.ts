import { type Selectable, sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { EnrolmentsTable, Queryable, StudentsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import { type Visible, visible } from '#server/lib/visible.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'
import type { Level, Semester } from '#shared/terms/terms.ts'

interface MarkedList {
  component: NstpComponent
  level: Level
  // Undefined means the students who have no section.
  section?: string | undefined
}

type MarkRow = Pick<
  Selectable<EnrolmentsTable>,
  'id' | 'version' | 'mark' | 'outcome' | 'percent' | 'parts' | 'scores'
>

interface ListedMark
  extends MarkRow,
    NamedStudent,
    Pick<Selectable<StudentsTable>, 'studentId' | 'restriction'> {
  // The id of the student's record.
  recordId: string
}

export interface LockedMark extends MarkRow, NamedStudent {
  recordId: string
  component: NstpComponent
  level: Level
}

/** Reads only what is in scope and isn't of a blocked record. */
export function createMarksRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const ownEnrolments = inScope(access, { column: 'enrolments.component' })
  const isEnrolled = sql`enrolments.status = 'enrolled'`

  return {
    /** Lists students in the order of names, as class lists do. Indexes: enrolments_term, students_pkey. */
    async list(termId: string, { component, level, section }: MarkedList): Promise<Visible<ListedMark>[]> {
      const rows = await all<ListedMark>`
        select enrolments.id, enrolments.version, mark, outcome, percent, parts, scores, students.id as record_id,
          students.student_id, last_name, first_name, middle_name, extension_name, restriction
        from enrolments join students on students.id = enrolments.student_id
        where ${allOf(
          sql`term_id = ${termId} and enrolments.component = ${component} and enrolments.level = ${level}`,
          section === undefined ? sql`section_id is null` : sql`section_id = ${section}`,
          isEnrolled,
          ownEnrolments,
        )}
        order by sort_name, students.id`
      return rows.map(({ recordId, mark, outcome, percent, parts, scores, ...student }) => ({
        ...{ recordId, mark, outcome, percent, parts, scores },
        ...visible(student, access),
      }))
    },

    /**
     * Lock: the terms in which students of enrolments are, in the order of their ids: nobody passes a level in two of them at
     * once. Index: enrolments_student.
     */
    async lockTerms(ids: readonly string[]): Promise<void> {
      await sql`
        select id from terms where id in (
          select other.term_id from enrolments own join enrolments other on other.student_id = own.student_id
          where own.id = any(${[...ids]}::uuid[]))
        order by id for no key update`.execute(db)
    },

    // Lock: the enrolments. Index: enrolments_pkey.
    lock: (termId: string, ids: readonly string[]) => all<LockedMark>`
        select enrolments.id, enrolments.version, mark, outcome, percent, parts, scores, enrolments.component, level,
          students.id as record_id,
          last_name, first_name, middle_name, extension_name
        from enrolments join students on students.id = enrolments.student_id
        where ${allOf(
          sql`enrolments.id = any(${[...ids]}::uuid[]) and term_id = ${termId}`,
          isUnrestricted(),
          isEnrolled,
          ownEnrolments,
        )}
        order by enrolments.id for update of enrolments`,

    /** Finds those whose student passed the same level by another enrolment. Index: enrolments_passed. */
    async findPasses(ids: readonly string[]) {
      const rows = await all<{ id: string; academicYear: string; semester: Semester }>`
        select own.id, terms.academic_year, terms.semester
        from enrolments own
          join enrolments other on other.student_id = own.student_id and other.level = own.level
            and other.outcome = 'passed' and other.id <> own.id
          join terms on terms.id = other.term_id
        where own.id = any(${[...ids]}::uuid[])`
      return new Map(rows.map(({ id, ...term }) => [id, term]))
    },
  }
}
