import { sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { NamedStudent } from '#shared/students/student-name.ts'

export interface SlipOwner extends NamedStudent {
  id: string
  reference: string
  // The unit and the name are of the section in the latest term; null if there is no section.
  unit: string | null
  sectionName: string | null
}

export function createSlipRepository(tx: Queryable) {
  const { all } = queriesOf(tx)
  return {
    /**
     * Keeps the records until the transaction ends from being deleted, and from being entered: a session that begins
     * confirms its slip under a lock of the record. Lock order: records, sessions, keys, as a deletion and a changed address
     * take them. Indexes: students_pkey, enrolments_student.
     */
    lockOwners: (ids: readonly string[], access: Access) => all<SlipOwner>`
        select students.id, reference, last_name, first_name, middle_name, extension_name,
          placed.unit, placed.name as section_name
        from students left join lateral (
          select sections.unit, sections.name from enrolments
          join terms on terms.id = enrolments.term_id join sections on sections.id = enrolments.section_id
          where enrolments.student_id = students.id and enrolments.status = 'enrolled'
          order by terms.academic_year desc, terms.semester desc limit 1
        ) placed on true
        where ${allOf(sql`students.id = any(${[...ids]}::uuid[])`, inScope(access, { column: 'students.nstp_component' }))}
        order by students.id for no key update of students`,

    // Whoever made the first step at the desk goes on with the new slip. Index: student_sessions_student.
    endOpened: (ids: readonly string[]) =>
      tx
        .deleteFrom('studentSessions')
        .where('studentId', 'in', ids)
        .where('openedAt', 'is not', null)
        .execute(),

    // The slips come in the order of the ids, so that two calls can't deadlock. Index: student_keys_pkey.
    keep: (slips: readonly { studentId: string; slipHash: Buffer }[], slipMadeAt: Date) =>
      tx
        .insertInto('studentKeys')
        .values(slips.map((slip) => ({ ...slip, slipMadeAt })))
        .onConflict((conflict) =>
          conflict.column('studentId').doUpdateSet((eb) => ({
            slipHash: eb.ref('excluded.slipHash'),
            slipMadeAt: eb.ref('excluded.slipMadeAt'),
          })),
        )
        .execute(),
  }
}
