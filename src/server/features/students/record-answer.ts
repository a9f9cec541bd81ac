import type { Context } from 'hono'
import type { AppEnv } from '#server/http/context.ts'

/** Gives the answer that follows the version of its record, as a strong tag for the next edit. */
export function tagVersion<T extends { version: number }>(c: Context<AppEnv>, student: T): T {
  c.header('ETag', `"${student.version}"`)
  // Compressing would make the version a weak tag, which If-Match never accepts.
  c.header('Cache-Control', 'no-store, no-transform')
  return student
}
