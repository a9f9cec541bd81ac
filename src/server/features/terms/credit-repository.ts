import { type Insertable, sql } from 'kysely'
import { allOf, inScope, isUnrestricted } from '#server/database/conditions.ts'
import { queriesOf } from '#server/database/query.ts'
import type { Queryable, Tables } from '#server/database/schema.ts'
import type { Access } from '#server/lib/access.ts'
import type { CreditKind } from '#shared/terms/credits.ts'
import type { Level } from '#shared/terms/terms.ts'

// Each has 12 values; a statement takes 65,535.
const rowsAtOnce = 1_000

/** Give it the transaction of a change. */
export function createCreditsRepository(tx: Queryable) {
  const { all, exists, first } = queriesOf(tx)
  return {
    // Lock: nobody else credits the student meanwhile. Index: students_pkey.
    lockStudent: (id: string, access: Access) => first<{ reference: string }>`
        select reference from students where ${allOf(sql`id = ${id}`, inScope(access))} for no key update`,

    /** Locks many students. Index: students_pkey. */
    lockStudents: (ids: readonly string[], access: Access) => all<{
      id: string
      isBlocked: boolean
      nstpComponent: string
    }>`
        select id, not ${isUnrestricted()} as is_blocked, nstp_component from students
        where ${allOf(sql`id = any(${[...ids]}::uuid[])`, inScope(access))} order by id for no key update`,

    /** The levels that students passed or were credited. Indexes: credits_student, enrolments_passed. */
    listLevels: (ids: readonly string[]) => all<{ studentId: string; level: Level }>`
        select student_id, level from credits
        where student_id = any(${[...ids]}::uuid[]) and revoked_at is null and level is not null
        union
        select student_id, level from enrolments
        where student_id = any(${[...ids]}::uuid[]) and outcome = 'passed'`,

    async insertMany(credits: readonly Insertable<Tables['credits']>[]): Promise<void> {
      for (let first = 0; first < credits.length; first += rowsAtOnce)
        await tx
          .insertInto('credits')
          .values(credits.slice(first, first + rowsAtOnce))
          .execute()
    },

    /** Deletes the credits of a batch that nobody revoked since. Index: credits_batch. @returns whose they were */
    async deleteBatch(batchId: string, { since, byId }: { since: Date; byId: string | null }) {
      const rows = await all<{ studentId: string }>`
        delete from credits where batch_id = ${batchId} and decided_at > ${since} and revoked_at is null
          and decided_by_id is not distinct from ${byId}::uuid
        returning student_id`
      return [...new Set(rows.map(({ studentId }) => studentId))]
    },

    /** Whether this system has marks of that year, or of an earlier one. Index: terms_pkey; terms are few. */
    hasTermUpTo: (academicYear: string) =>
      exists`select from terms where academic_year <= ${academicYear} limit 1`,

    /** The exempt ones among these students. Index: credits_student. */
    async listExempt(ids: readonly string[]): Promise<string[]> {
      const rows = await all<{ studentId: string }>`
        select student_id from credits
        where student_id = any(${[...ids]}::uuid[]) and kind = 'exemption' and revoked_at is null`
      return rows.map(({ studentId }) => studentId)
    },

    /** What a student has already. Indexes: credits_student, enrolments_passed. */
    listDone: (studentId: string) => all<{ kind: CreditKind | 'passed'; level: Level | null }>`
        select kind, level from credits where student_id = ${studentId} and revoked_at is null
        union all
        select 'passed', level from enrolments where student_id = ${studentId} and outcome = 'passed'`,

    insert: (credit: Insertable<Tables['credits']>) => tx.insertInto('credits').values(credit).execute(),

    // Index: credits_pkey.
    find: (id: string) => first<{ studentId: string; kind: CreditKind; level: Level | null }>`
        select student_id, kind, level from credits where id = ${id} and revoked_at is null`,

    async revoke(id: string, { at, byId, reason }: { at: Date; byId: string | null; reason: string }) {
      await sql`
        update credits set revoked_at = ${at}, revoked_by_id = ${byId}::uuid, revoke_reason = ${reason}
        where id = ${id}`.execute(tx)
    },

    /** What two students can't both have when they are one. Indexes: credits_student, enrolments_passed. */
    findClash: (from: string, to: string) => first<{ level: Level | null; isPassed: boolean }>`
        select one.level, false as is_passed
        from credits one join credits other on other.level is not distinct from one.level
        where one.student_id = ${from} and other.student_id = ${to}
          and one.revoked_at is null and other.revoked_at is null
        union all
        select credits.level, true
        from credits join enrolments on enrolments.level = credits.level and outcome = 'passed'
        where credits.revoked_at is null and (credits.student_id, enrolments.student_id)
          in ((${from}::uuid, ${to}::uuid), (${to}::uuid, ${from}::uuid))
        limit 1`,
  }
}
