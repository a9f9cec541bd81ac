import { z } from '@hono/zod-openapi'

/** The header that tells one sending of a form from the next. @param effect what a retry with the same key does */
export function keyHeader(effect: string) {
  return z.object({
    'idempotency-key': z
      .string()
      .regex(
        /^[\w-]{8,128}$/,
        'The Idempotency-Key must be 8 to 128 letters, digits, hyphens or underscores.',
      )
      .optional()
      .openapi({ description: `Tells one sending of the form from the next: ${effect}` }),
  })
}
