import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AppEnv } from './context.ts'

/** Sets the record's version as a strong ETag, which the next change sends back (see if-match.ts). */
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

export const ifMatchHeader = z.object({
  'if-match': version.openapi({
    type: 'string',
    example: '"3"',
    description: 'The version that was read before the change.',
  }),
})

// Optional: the screens always send it, a program may delete without it.
export const seenVersionHeader = z.object({
  'if-match': version.optional().openapi({
    type: 'string',
    example: '"3"',
    description:
      "The version that was read: a record changed since isn't deleted. Without it, any version is deleted.",
  }),
})
