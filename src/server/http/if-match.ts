import { z } from '@hono/zod-openapi'

const message = 'Please send the version that you saw as If-Match: "version".'

/** The header of an edit: the version that it starts from, as the ETag gave it. */
export const ifMatchHeader = z.object({
  'if-match': z
    .string(message)
    .regex(/^"\d{1,9}"$/, message)
    .transform((text) => Number(text.slice(1, -1)))
    .openapi({ type: 'string', example: '"3"', description: 'The version that the change starts from.' }),
})
