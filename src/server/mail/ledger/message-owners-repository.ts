import type { Queryable } from '#server/database/schema.ts'

/** Whose messages are: with a record its mail goes. */
export function createMessageOwnersRepository(tx: Queryable) {
  return {
    /**
     * Gives one student's messages, and those that came back, to another one: before two records become one.
     *
     * Indexes: mail_messages_student, mail_bounces_student.
     */
    async move(fromId: string, toId: string): Promise<void> {
      for (const table of ['mailMessages', 'mailBounces'] as const) {
        await tx.updateTable(table).set({ studentId: toId }).where('studentId', '=', fromId).execute()
      }
    },
  }
}
