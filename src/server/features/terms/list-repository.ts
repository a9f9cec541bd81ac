import { sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { ListMember } from '#server/lib/list-purpose.ts'

export interface TermMember extends ListMember {
  isOfficial: boolean
  mark: string
  /** Whether the student is enrolled in both levels of the term. */
  isTwice: boolean
}

/** The enrolments of a term that lists are about: of what is in scope. Index: enrolments_term. */
export function createListRepository(db: Queryable, access: Access) {
  const { all } = queriesOf(db)
  const own = inScope(access, { column: 'enrolments.component' })
  const isEnrolled = (termId: string) =>
    allOf(sql`enrolments.term_id = ${termId} and enrolments.status = 'enrolled'`, own)

  return {
    /**
     * Lists a student's NSTP 1 before NSTP 2.
     * @param recordIds only these students; by enrolments_student
     */
    async members(termId: string, recordIds?: readonly string[]): Promise<TermMember[]> {
      const isWanted = recordIds && sql`students.id = any(${[...recordIds]}::uuid[])`
      const rows = await all<TermMember>`
        select enrolments.id as enrolment_id, students.id as record_id, last_name, first_name, middle_name,
          extension_name, '' as full_name, students.student_id, date_of_birth, course,
          enrolments.component as nstp_component, enrolments.level,
          coalesce(nullif(unit, '') || ', ', '') || coalesce(name, '') as section,
          official_at is not null as is_official, mark, restriction,
          count(*) over (partition by students.id) > 1 as is_twice
        from enrolments join students on students.id = enrolments.student_id
          left join sections on sections.id = enrolments.section_id
        where ${allOf(isEnrolled(termId), isWanted)}
        order by enrolments.level, enrolments.id`
      return rows
    },

    async countOthers(termId: string, enrolmentIds: readonly string[]) {
      const rows = await all<{ missing: number; gone: number }>`
        select count(*) filter (where official_at is null)::int as missing,
          count(*) filter (where official_at is not null)::int as gone
        from enrolments
        where ${isEnrolled(termId)} and id not in (select unnest(${[...enrolmentIds]}::uuid[]))`
      return rows[0] ?? { missing: 0, gone: 0 }
    },

    /** Leaves out blocked records, and enrolments that are official already. Indexes: enrolments_pkey, students_pkey. */
    makeOfficial: (ids: readonly string[], at: Date) => all<{ id: string; version: number }>`
        update enrolments set official_at = ${at}, version = enrolments.version + 1
        from students where students.id = enrolments.student_id and ${isUnrestricted()}
          and enrolments.id = any(${[...ids]}::uuid[]) and official_at is null
        returning enrolments.id, enrolments.version`,

    /** Whether a list changed an enrolment of another component. Index: enrolment_changes_batch. */
    async reachesOutside(importId: string): Promise<boolean> {
      if (!own) return false
      const rows = await all`
        select from enrolment_changes join enrolments on enrolments.id = enrolment_id
        where batch_id = ${importId} and not (${own}) limit 1`
      return rows.length > 0
    },

    /** What the list made official and nobody has changed since. Index: enrolment_changes_batch. */
    takeBack: (importId: string) => all<{ id: string; studentId: string; version: number; officialAt: Date }>`
        update enrolments set official_at = null, version = enrolments.version + 1
        from enrolment_changes change
        where change.batch_id = ${importId} and change.enrolment_id = enrolments.id
          and change.at = enrolments.official_at
        returning enrolments.id, student_id, enrolments.version, change.at as official_at`,
  }
}
