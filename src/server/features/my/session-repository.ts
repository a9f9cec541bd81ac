import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { StudentSession } from '#server/http/context.ts'
import { studentSessionLimits } from '#shared/my/my.ts'

/** When a session must have begun, and must have been used, to be open now. */
function lifetimesAt(now: Date) {
  return {
    startedAfter: new Date(now.getTime() - studentSessionLimits.absolute),
    usedAfter: new Date(now.getTime() - studentSessionLimits.idle),
  }
}

/** Each request of a student asks. Index: student_sessions_pkey. */
export function createStudentSessionReader({ queryPrepared }: Pick<AppDatabase, 'queryPrepared'>) {
  return async (tokenHash: Buffer, now: Date) => {
    const { startedAfter, usedAfter } = lifetimesAt(now)
    const [found] = await queryPrepared<Omit<StudentSession, 'tokenHash'> & { lastUsedAt: Date }>(
      `select student_id as "studentId", opened_at is not null as "isOpened", last_used_at as "lastUsedAt"
       from student_sessions where token_hash = $1 and created_at > $2 and last_used_at > $3`,
      [tokenHash, startedAfter, usedAfter],
    )
    return found
  }
}

// Statements without a comment on their index use student_sessions_pkey.
export function createStudentSessionRepository(db: Queryable) {
  return {
    start: (tokenHash: Buffer, studentId: string, now: Date, openedAt: Date | null = null) =>
      db
        .insertInto('studentSessions')
        .values({ tokenHash, studentId, createdAt: now, lastUsedAt: now, openedAt })
        .execute(),

    noteUse: (tokenHash: Buffer, now: Date) =>
      db.updateTable('studentSessions').set({ lastUsedAt: now }).where('tokenHash', '=', tokenHash).execute(),

    end: (tokenHash: Buffer) => db.deleteFrom('studentSessions').where('tokenHash', '=', tokenHash).execute(),

    // Index: student_sessions_created.
    deleteExpired: (now: Date) =>
      db.deleteFrom('studentSessions').where('createdAt', '<=', lifetimesAt(now).startedAfter).execute(),
  }
}
