import { createToken } from '#server/features/auth/session-cookies.ts'
import { createStudentSessionRepository } from '#server/features/my/session-repository.ts'
import { createAdminClient } from './admin-client.ts'
import type { TestServer } from './test-server.ts'

/** The `Cookie` header of a student at /my, past the second step. */
export async function enterAsStudent(
  { database: { db } }: Pick<TestServer, 'database'>,
  studentId: string,
  now = new Date(),
): Promise<string> {
  const { text, hash } = createToken()
  await createStudentSessionRepository(db).start(hash, studentId, now, now)
  return `nstp-student=${text}`
}

/** Calls of a student at /my. */
export async function createStudentClient(server: TestServer, studentId: string, now = new Date()) {
  const cookie = await enterAsStudent(server, studentId, now)
  return { cookie, ...createAdminClient(server, cookie) }
}
