import { type SqlBool, sql } from 'kysely'
import { countIn } from '#server/database/query.ts'
import type { Queryable } from '#server/database/schema.ts'

/** Indexes: admins_pkey, second_factors_pkey or recovery_codes_pkey. */
export function createSecondFactorRepository(db: Queryable) {
  return {
    // Serialises changes of the second factor with sign-ins.
    async lockAdmin(adminId: string): Promise<void> {
      await sql`select from admins where id = ${adminId} for update`.execute(db)
    },

    async isRequired(adminId: string): Promise<boolean> {
      const admin = db.selectFrom('admins').select('secondFactorDue').where('id', '=', adminId)
      return (await admin.executeTakeFirst())?.secondFactorDue != null
    },

    find: (adminId: string) =>
      db.selectFrom('secondFactors').selectAll().where('adminId', '=', adminId).executeTakeFirst(),

    async savePending(adminId: string, secret: Buffer, now: Date): Promise<void> {
      await db
        .insertInto('secondFactors')
        .values({ adminId, secret, confirmedAt: null, begunAt: now })
        .onConflict((conflict) =>
          conflict
            .column('adminId')
            .doUpdateSet({ secret, begunAt: now, attempts: 0 })
            .where('secondFactors.confirmedAt', 'is', null),
        )
        .execute()
    },

    /** Race: one statement on one row, so that parallel guesses are counted. */
    async takeAttempt(
      adminId: string,
      { since, until, attempts }: { since: Date; until: Date; attempts: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('secondFactors')
        .set((set) => ({ attempts: set('attempts', '+', 1) }))
        .where('adminId', '=', adminId)
        .where('confirmedAt', 'is', null)
        .where('attempts', '<', attempts)
        .where('begunAt', '>', since)
        .where('begunAt', '<=', until)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
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
      const ofAdmin = db.deleteFrom('recoveryCodes').where('adminId', '=', adminId)
      const { numDeletedRows } = await ofAdmin.where('codeHash', '=', hash).executeTakeFirstOrThrow()
      return numDeletedRows === 1n
    },

    async hasRecoveryCode(adminId: string, hash: Buffer): Promise<boolean> {
      const ofAdmin = db.selectFrom('recoveryCodes').select('adminId').where('adminId', '=', adminId)
      return (await ofAdmin.where('codeHash', '=', hash).executeTakeFirst()) !== undefined
    },

    async replaceRecoveryCodes(adminId: string, hashes: readonly Buffer[]): Promise<void> {
      await db.deleteFrom('recoveryCodes').where('adminId', '=', adminId).execute()
      const rows = hashes.map((codeHash) => ({ adminId, codeHash }))
      await db.insertInto('recoveryCodes').values(rows).execute()
    },

    countRecoveryCodes: (adminId: string): Promise<number> =>
      countIn(db, sql`recovery_codes where admin_id = ${adminId}`),

    async delete(adminId: string): Promise<boolean> {
      const factor = db.deleteFrom('secondFactors').where('adminId', '=', adminId)
      const deleted = await factor.returning('confirmedAt').executeTakeFirst()
      return deleted?.confirmedAt != null
    },
  }
}
