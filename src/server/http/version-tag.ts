import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppEnv } from './context.ts'

/** Gives the answer the version of its record, as a strong tag for the next change of it (see if-match.ts). */
export function tagVersion<T extends { version: number }>(c: Context<AppEnv>, record: T): T {
  c.header('ETag', `"${record.version}"`)
  // Compressing, here or in a proxy, would make the version a weak tag, which If-Match never accepts.
  c.header('Cache-Control', 'no-store, no-transform')
  return record
}

const message = 'Please send the version that you saw as If-Match: "version".'

const version = z
  .string(message)
  .regex(/^"\d{1,9}"$/, message)
  .transform((text) => Number(text.slice(1, -1)))

/** The header of an edit: the version that it starts from, as the ETag gave it. */
export const ifMatchHeader = z.object({
  'if-match': version.openapi({
    type: 'string',
    example: '"3"',
    description: 'The version that the change starts from.',
  }),
})

/** The header of a deletion. The screens send it always; a program that clears up may not care what it deletes. */
export const seenVersionHeader = z.object({
  'if-match': version.optional().openapi({
    type: 'string',
    example: '"3"',
    description:
      'The version that was seen: what was changed since is kept. Without it, whatever there is goes.',
  }),
})
