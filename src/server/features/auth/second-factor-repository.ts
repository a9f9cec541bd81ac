import { type SqlBool, sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

export interface SecondFactor {
  secret: Buffer
  confirmedAt: Date | null
}

/** By second_factors_pkey or recovery_codes_pkey. */
export function createSecondFactorRepository(db: Queryable) {
  return {
    // Serialises changes of the second factor with sign-ins.
    async lockAdmin(adminId: string): Promise<void> {
      await sql`select from admins where id = ${adminId} for update`.execute(db)
    },

    async find(adminId: string): Promise<SecondFactor | undefined> {
      return db
        .selectFrom('secondFactors')
        .select(['secret', 'confirmedAt'])
        .where('adminId', '=', adminId)
        .executeTakeFirst()
    },

    async savePending(adminId: string, secret: Buffer): Promise<void> {
      await db
        .insertInto('secondFactors')
        .values({ adminId, secret, confirmedAt: null })
        .onConflict((conflict) =>
          conflict.column('adminId').doUpdateSet({ secret }).where('secondFactors.confirmedAt', 'is', null),
        )
        .execute()
    },

    async confirm(adminId: string, now: Date): Promise<void> {
      await db.updateTable('secondFactors').set({ confirmedAt: now }).where('adminId', '=', adminId).execute()
    },

    /**
     * Uses up a time step. One statement on one row: of two requests with the same code one gets it.
     *
     * @param latest the last step that can have been taken by now: a later one is dated in the future, and forgotten
     * @returns false when a code of this or a later step was taken before
     */
    async takeStep(adminId: string, step: number, latest: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('secondFactors')
        .set({ lastStep: step })
        .where('adminId', '=', adminId)
        .where(sql<SqlBool>`(last_step < ${step} or last_step > ${latest})`)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },

    async takeRecoveryCode(adminId: string, hash: Buffer): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('recoveryCodes')
        .where('adminId', '=', adminId)
        .where('codeHash', '=', hash)
        .executeTakeFirstOrThrow()
      return numDeletedRows === 1n
    },

    async replaceRecoveryCodes(adminId: string, hashes: readonly Buffer[]): Promise<void> {
      await db.deleteFrom('recoveryCodes').where('adminId', '=', adminId).execute()
      await db
        .insertInto('recoveryCodes')
        .values(hashes.map((codeHash) => ({ adminId, codeHash })))
        .execute()
    },

    async countRecoveryCodes(adminId: string): Promise<number> {
      const { count } = await db
        .selectFrom('recoveryCodes')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('adminId', '=', adminId)
        .executeTakeFirstOrThrow()
      return count
    },

    async delete(adminId: string): Promise<boolean> {
      const deleted = await db
        .deleteFrom('secondFactors')
        .where('adminId', '=', adminId)
        .returning('confirmedAt')
        .executeTakeFirst()
      return deleted?.confirmedAt != null
    },
  }
}
