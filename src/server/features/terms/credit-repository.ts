import { type Insertable, sql } from 'kysely'
import { allOf, inScope } from '#server/database/conditions.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { CreditKind } from '#shared/terms/credits.ts'
import type { Level } from '#shared/terms/terms.ts'

/** Give it the transaction of a change. */
export function createCreditsRepository(tx: Queryable) {
  return {
    // Lock: nobody else credits the student meanwhile. Index: students_pkey.
    async lockStudent(id: string, access: Access): Promise<{ reference: string } | undefined> {
      const { rows } = await sql<{ reference: string }>`
        select reference from students where ${allOf(sql`id = ${id}`, inScope(access))} for no key update`.execute(
        tx,
      )
      return rows[0]
    },

    /** What a student has already. Indexes: credits_student, enrolments_passed. */
    async listDone(studentId: string) {
      const { rows } = await sql<{ kind: CreditKind | 'passed'; level: Level | null }>`
        select kind, level from credits where student_id = ${studentId} and revoked_at is null
        union all
        select 'passed', level from enrolments where student_id = ${studentId} and outcome = 'passed'`.execute(
        tx,
      )
      return rows
    },

    insert: (credit: Insertable<Tables['credits']>) => tx.insertInto('credits').values(credit).execute(),

    // Index: credits_pkey.
    async find(id: string) {
      const { rows } = await sql<{ studentId: string; kind: CreditKind; level: Level | null }>`
        select student_id, kind, level from credits where id = ${id} and revoked_at is null`.execute(tx)
      return rows[0]
    },

    async revoke(id: string, { at, byId, reason }: { at: Date; byId: string | null; reason: string }) {
      await sql`
        update credits set revoked_at = ${at}, revoked_by_id = ${byId}::uuid, revoke_reason = ${reason}
        where id = ${id}`.execute(tx)
    },

    /** What two students can't both have when they are one. Indexes: credits_student, enrolments_passed. */
    async findClash(from: string, to: string) {
      const { rows } = await sql<{ level: Level | null; isPassed: boolean }>`
        select one.level, false as is_passed
        from credits one join credits other on other.level is not distinct from one.level
        where one.student_id = ${from} and other.student_id = ${to}
          and one.revoked_at is null and other.revoked_at is null
        union all
        select credits.level, true
        from credits join enrolments on enrolments.level = credits.level and outcome = 'passed'
        where credits.revoked_at is null and (credits.student_id, enrolments.student_id)
          in ((${from}::uuid, ${to}::uuid), (${to}::uuid, ${from}::uuid))
        limit 1`.execute(tx)
      return rows[0]
    },
  }
}
