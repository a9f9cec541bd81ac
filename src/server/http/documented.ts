import { z } from '@hono/zod-openapi'
import * as mini from 'zod/mini'
import type { FieldError } from '#shared/problem.ts'

/**
 * Makes a zod/mini schema of `#shared` usable in a route: validated unchanged, described in OpenAPI by its JSON Schema.
 * The OpenAPI writer supports only the methods of zod's full build.
 * @param read converts the input to the schema's values
 */
export function documented<T extends mini.ZodMiniType>(
  schema: T,
  name: string,
  read: (input: unknown) => { value: unknown; problems: FieldError[] } = (value) => ({ value, problems: [] }),
) {
  const full = z
    .unknown()
    .transform((input, context): mini.output<T> => {
      const { value, problems } = read(input)
      for (const { path, message } of problems) context.addIssue({ code: 'custom', path: [path], message })
      const result = mini.safeParse(schema, value)
      if (result.success) return problems.length > 0 ? z.NEVER : result.data
      for (const { path, message } of result.error.issues) {
        context.addIssue({ code: 'custom', path: [...path], message })
      }
      return z.NEVER
    })
    .openapi(name, jsonSchemaOf(schema))
  // The input's type is the mini schema's; `unknown` is only how the full build lets it through.
  return full as unknown as z.ZodType<mini.output<T>, mini.input<T>>
}

export function jsonSchemaOf(schema: mini.ZodMiniType) {
  const { $schema, ...description } = mini.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  // JSON Schema 2020-12 is what OpenAPI 3.1 uses; the two libraries only type it differently.
  return description as { type: 'object'; properties: Record<string, { type: 'string' }> }
}

export function keyHeader(effect: string) {
  return z.object({
    'idempotency-key': z
      .string()
      .regex(
        /^[\w-]{8,128}$/,
        'The Idempotency-Key must be 8 to 128 letters, digits, hyphens or underscores.',
      )
      .optional()
      .openapi({ description: `Identifies one submission of the form: ${effect}` }),
  })
}

export const mailServiceStatusBody = z
  .object({
    isConfigured: z.boolean(),
    status: z.enum(['ok', 'not_configured', 'error']),
    message: z.string().openapi({ description: 'The state as a message.' }),
  })
  .openapi('MailServiceStatus')

export const pictureSchema = z
  .object({
    width: z.number().int(),
    height: z.number().int(),
    webp: z.array(z.object({ url: z.string(), width: z.number().int() })).readonly(),
    jpeg: z.object({ url: z.string(), width: z.number().int(), height: z.number().int() }),
  })
  .openapi('Picture', { description: 'An image in several widths, the smallest first.' })
