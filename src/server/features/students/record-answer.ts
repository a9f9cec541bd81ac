import type { Context } from 'hono'
import type { AppEnv } from '#server/http/context.ts'
import type { StudentRecord } from '#shared/student.ts'

/** Answers a whole record, with its version as a strong tag for the next edit. */
export function sendRecord(c: Context<AppEnv>, student: StudentRecord) {
  c.header('ETag', `"${student.version}"`)
  // Compressing would make the version a weak tag, which If-Match never accepts.
  c.header('Cache-Control', 'no-store, no-transform')
  return c.json(student, 200)
}
