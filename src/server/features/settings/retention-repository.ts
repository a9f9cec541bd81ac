import type { Queryable } from '#server/database/schema.ts'

/** Index: students_archived. */
export function createRetentionRepository(db: Queryable) {
  return {
    async countArchivedBefore(before: Date): Promise<number> {
      const { count } = await db
        .selectFrom('students')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('archived', '=', true)
        .where('archivedDate', '<', before)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async deleteArchivedBefore(before: Date): Promise<string[]> {
      const rows = await db
        .deleteFrom('students')
        .where('archived', '=', true)
        .where('archivedDate', '<', before)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id)
    },
  }
}
