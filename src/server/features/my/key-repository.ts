import type { Queryable } from '#server/database/schema.ts'
import { codeLimits } from '#shared/my/my.ts'

/** Lock order: records, sessions, keys, as a deletion and a changed address take them. Keys by student_keys_pkey. */
export function createKeyRepository(tx: Queryable) {
  const keys = () => tx.selectFrom('studentKeys').select(['codeId', 'emailChangedAt'])

  return {
    // Keeps the record from being deleted, and its address and slip from being changed, until the transaction ends. Index: students_pkey.
    lockRecord: (id: string) =>
      tx.selectFrom('students').select(['id', 'email']).where('id', '=', id).forShare().executeTakeFirst(),

    // Index: student_sessions_pkey.
    lockSession: (tokenHash: Buffer) =>
      tx
        .selectFrom('studentSessions')
        .select('studentId')
        .where('tokenHash', '=', tokenHash)
        .forUpdate()
        .executeTakeFirst(),

    read: (studentId: string) => keys().where('studentId', '=', studentId).executeTakeFirst(),

    /** Race: of two requests the second waits here, and sees the message of the first. */
    async lock(studentId: string) {
      await tx
        .insertInto('studentKeys')
        .values({ studentId })
        .onConflict((conflict) => conflict.column('studentId').doNothing())
        .execute()
      return await keys().where('studentId', '=', studentId).forUpdate().executeTakeFirstOrThrow()
    },

    setCode: (studentId: string, codeId: string) =>
      tx
        .updateTable('studentKeys')
        .set({ codeId, codeTries: 0 })
        .where('studentId', '=', studentId)
        .execute(),

    /** Race: counted before the digits are compared, so that of many tries at once each gets its own number. */
    async takeTry(studentId: string): Promise<string | null> {
      const taken = await tx
        .updateTable('studentKeys')
        .set((eb) => ({ codeTries: eb('codeTries', '+', 1) }))
        .where('studentId', '=', studentId)
        .where('codeId', 'is not', null)
        .where('codeTries', '<', codeLimits.tries)
        .returning('codeId')
        .executeTakeFirst()
      return taken?.codeId ?? null
    },

    /** @returns false when it has ended before */
    async endCode(studentId: string, codeId: string): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('studentKeys')
        .set({ codeId: null })
        .where('studentId', '=', studentId)
        .where('codeId', '=', codeId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
