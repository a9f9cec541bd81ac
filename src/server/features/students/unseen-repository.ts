import { sql } from 'kysely'
import type { Queryable } from '#server/database/schema.ts'

const mostCounted = 1_000

export type UnseenRepository = ReturnType<typeof createUnseenRepository>

export function createUnseenRepository(db: Queryable) {
  return {
    // Index only: students_registration.
    async count(adminId: string): Promise<number> {
      const result = await sql<{ count: number }>`
        select count(*)::int from (
          select from students
          where registration_date > (select students_seen_at from admins where id = ${adminId})
          limit ${mostCounted}
        ) unseen`.execute(db)
      return result.rows[0]?.count ?? 0
    },

    async markSeen(adminId: string, at: Date): Promise<void> {
      await sql`
        update admins set students_seen_at = greatest(students_seen_at, ${at}::timestamptz)
        where id = ${adminId}`.execute(db)
    },
  }
}
