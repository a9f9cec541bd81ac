import type { Context } from 'hono'
import type { AppEnv } from './context.ts'

/** Gives the answer the version of its record, as a strong tag for the next change of it (see if-match.ts). */
export function tagVersion<T extends { version: number }>(c: Context<AppEnv>, record: T): T {
  c.header('ETag', `"${record.version}"`)
  // Compressing, here or in a proxy, would make the version a weak tag, which If-Match never accepts.
  c.header('Cache-Control', 'no-store, no-transform')
  return record
}
