import { type Selectable, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { EnrolmentsTable, Queryable, StudentsTable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { NstpComponent } from '#shared/students/student-choices.ts'
import type { Level } from '#shared/terms/terms.ts'

type Student = Selectable<StudentsTable>

export interface LockedEnrolment
  extends Omit<Selectable<EnrolmentsTable>, UnreadColumn>,
    Pick<Student, 'lastName' | 'firstName' | 'restriction'> {
  unit: string | null
  section: string | null
}

type UnreadColumn = 'termId' | 'status' | 'reason' | 'officialAt' | 'mark' | 'percent' | 'parts' | 'scores'

type HeldStudent = Pick<Student, 'id' | 'lastName' | 'firstName' | 'nstpComponent' | 'restriction'>

/** Give it the transaction of a change. It finds and locks what is in scope; by primary key, where nothing else is said. */
export function createEnrolmentChangeRepository(tx: Queryable, access: Access) {
  const { all } = queriesOf(tx)
  const named = (ids: readonly string[]) =>
    allOf(sql`enrolments.id = any(${[...ids]}::uuid[])`, inScope(access, { column: 'enrolments.component' }))

  return {
    async termsOf(ids: readonly string[]): Promise<string[]> {
      const rows = await all<{ termId: string }>`
        select distinct term_id from enrolments where ${named(ids)}`
      return rows.map(({ termId }) => termId)
    },

    // Lock: the enrolments whose status is `enrolled`.
    lock: (ids: readonly string[]) => all<LockedEnrolment>`
        select enrolments.id, enrolments.version, enrolments.student_id, enrolments.component, enrolments.level,
          section_id, unit, sections.name as section, status_on, entry, school, outcome, last_name, first_name,
          restriction
        from enrolments
          join students on students.id = enrolments.student_id
          left join sections on sections.id = section_id
        where ${named(ids)} and enrolments.status = 'enrolled'
        order by enrolments.id for update of enrolments`,

    // Lock: the records stay as they are until the transaction ends.
    hold: (studentIds: readonly string[]) => all<HeldStudent>`
        select id, last_name, first_name, nstp_component, restriction from students
        where ${allOf(sql`id = any(${[...studentIds]}::uuid[])`, inScope(access))}
        order by id for share`,

    // Lock: the record, until the transaction ends.
    lockStudent: (id: string) =>
      tx
        .selectFrom('students')
        .select(['reference', 'nstpComponent'])
        .where(allOf(sql`id = ${id}`, inScope(access)))
        .forUpdate()
        .executeTakeFirst(),

    async setComponent(studentId: string, nstpComponent: NstpComponent): Promise<void> {
      await tx
        .updateTable('students')
        .set({ nstpComponent, version: sql`version + 1` })
        .where('id', '=', studentId)
        .execute()
    },

    async drop(ids: readonly string[], { on, reason }: { on: string; reason: string }): Promise<void> {
      await sql`
        update enrolments set status = 'dropped', status_on = ${on}::date, reason = ${reason}, version = version + 1
        where id = any(${[...ids]}::uuid[])`.execute(tx)
    },

    /**
     * Finds the students who need a level no more, or are enrolled in it. Indexes: enrolments_passed,
     * enrolments_live, credits_student.
     */
    async findHaving(studentIds: readonly string[], { termId, level }: { termId: string; level: Level }) {
      const ofStudents = sql`student_id = any(${[...studentIds]}::uuid[])`
      const rows = await all<{ studentId: string; why: 'passed' | 'credited' | 'already' }>`
        select student_id, 'passed' as why from enrolments
        where ${ofStudents} and level = ${level} and outcome = 'passed'
        union all
        select student_id, 'credited' from credits
        where ${ofStudents} and revoked_at is null and (level = ${level} or kind = 'exemption')
        union all
        select student_id, 'already' from enrolments
        where ${ofStudents} and level = ${level} and status = 'enrolled' and term_id = ${termId}`
      return rows
    },
  }
}
