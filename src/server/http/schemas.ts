import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { validate as isUuid, NIL as nilId } from 'uuid'
import * as mini from 'zod/mini'
import { AppError } from '#server/lib/errors.ts'
import type { FieldError } from '#shared/problem.ts'
import { fieldErrors } from '#shared/problem.ts'
import type { AppEnv } from './context.ts'

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

// What isn't an id becomes one that no record has: the feature's own `not_found` answers.
export const idParams = z.object({ id: z.string().transform((id) => (isUuid(id) ? id : nilId)) })

/** A parameter of routes where an administrator may ask for more. */
export const trueOrFalse = z.enum(['true', 'false'], 'Must be true or false.').default('false')

export const oneOf = <const T extends readonly string[]>(name: string, choices: T) =>
  z.enum(choices, `Please choose one of the listed options for ${name}: ${choices.join(', ')}.`)

/** A number in a query. */
export function wholeNumber(name: string, max: number, fallback: number) {
  const message = `Please give the ${name} as a whole number from 1 to ${max}.`
  return z
    .string(message)
    .regex(/^\d{1,7}$/, message)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, message)
    .default(fallback)
    .openapi({ type: 'integer', minimum: 1, maximum: max, default: fallback })
}

/** PostgreSQL refuses NUL; no name has control characters. */
export function searchText(max: number, description: string) {
  return z
    .string('Please give one search text.')
    .trim()
    .max(max, `Please shorten the search to ${max} characters or fewer.`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Please remove the unusual characters from the search.')
    .default('')
    .openapi({ description })
}

/** Unknown names are refused: a mistyped filter would show or export too much. */
export const knownFilters = {
  error: (issue: { code?: string; keys?: string[] }) =>
    issue.code === 'unrecognized_keys' ? `Unknown filter: ${issue.keys?.join(', ')}.` : undefined,
}

export const cursorQuery = z.string().default('').describe('The nextCursor of the previous page.')

/** @param least characters: more where the keys of all senders share one space */
export function keyHeader(effect: string, least = 8) {
  return z.object({
    'idempotency-key': z
      .string()
      .regex(
        new RegExp(`^[\\w-]{${least},128}$`),
        `The Idempotency-Key must be ${least} to 128 letters, digits, hyphens or underscores.`,
      )
      .optional()
      .describe(`Identifies one submission of the form: ${effect}`),
  })
}

/** @throws AppError `invalid` with the broken rules by field */
export function parseFields<T extends mini.ZodMiniType>(schema: T, fields: unknown): mini.output<T> {
  const result = mini.safeParse(schema, fields)
  if (result.success) return result.data
  const errors = fieldErrors(result.error)
  throw new AppError('invalid', { errors })
}

/** Sets the record's version as a strong ETag, which the next change sends back (see if-match.ts). */
export function tagVersion<T extends { version: number }>(c: Context<AppEnv>, record: T): T {
  c.header('ETag', `"${record.version}"`)
  // Compressing, here or in a proxy, would make the version a weak tag, which If-Match never accepts.
  c.header('Cache-Control', 'no-store, no-transform')
  return record
}

const versionMessage = 'Please send the version that you saw as If-Match: "version".'

const version = z
  .string(versionMessage)
  .regex(/^"\d{1,9}"$/, versionMessage)
  .transform((text) => Number(text.slice(1, -1)))

export const ifMatchHeader = z.object({
  'if-match': version.openapi({
    type: 'string',
    example: '"3"',
    description: 'The version that was read before the change.',
  }),
})

// Optional: the screens always send it, a program may go without it.
export const seenVersionHeader = z.object({
  'if-match': version.optional().openapi({
    type: 'string',
    example: '"3"',
    description:
      'The version that was read: a record changed since stays as it is. Without it, any version is taken.',
  }),
})
