import type { Context } from 'hono'
import { createToken, parseToken } from '#server/features/auth/session-cookies.ts'
import type { AppEnv, StudentSession } from '#server/http/context.ts'
import type { createCookie } from '#server/http/cookie.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { RightEntry } from './entry-service.ts'
import { createStudentSessionReader, createStudentSessionRepository } from './session-repository.ts'

export const studentCookie = 'nstp-student'
// ms: limits writes while pages are read.
const useRecordedEvery = 60_000

/** Runs at each request, so it only searches for the name. */
export function mayNameStudent(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(studentCookie) ?? false
}

/** Sessions of students: a cookie of their own, the token's hash in the database, nothing else in the browser. */
export function createStudentSessions(
  { database, clock }: Pick<AppContext, 'database' | 'clock'>,
  cookie: ReturnType<typeof createCookie>,
) {
  const find = createStudentSessionReader(database)
  const sessions = createStudentSessionRepository(database.db)
  const readToken = (cookieHeader: string | undefined) => parseToken(cookie.read(cookieHeader))

  return {
    async read(cookieHeader: string | undefined): Promise<StudentSession | null> {
      const token = readToken(cookieHeader)
      const now = clock()
      const found = token && (await find(token.hash, now))
      if (!found) return null
      const { lastUsedAt, ...session } = found
      if (now.getTime() - lastUsedAt.getTime() >= useRecordedEvery) await sessions.noteUse(token.hash, now)
      return { ...session, tokenHash: token.hash }
    },

    /** Replaces the browser's session, if it has one: each step has a token of its own. */
    async start(c: Context<AppEnv>, { studentId, settle }: RightEntry, isOpened: boolean): Promise<void> {
      const token = createToken()
      const now = clock()
      const replaced = readToken(c.req.header('Cookie'))
      await database.transact(async (tx) => {
        await settle(tx)
        const own = createStudentSessionRepository(tx)
        // Lock order: the record, which a new session names, before sessions, as a change of the record takes them.
        await own.start(token.hash, studentId, now, isOpened ? now : null)
        if (replaced) await own.end(replaced.hash)
      })
      cookie.write(c, token.text)
    },

    async end(c: Context<AppEnv>): Promise<void> {
      const token = readToken(c.req.header('Cookie'))
      if (token) await sessions.end(token.hash)
      cookie.write(c, '', 0)
    },

    deleteExpired: () => sessions.deleteExpired(clock()),
  }
}
