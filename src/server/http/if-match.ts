import { z } from '@hono/zod-openapi'

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
