import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { AppError } from '#server/lib/errors.ts'
import { mailStates } from '#shared/mail/mail.ts'
import { type FieldError, type ProblemCode, problemCodes, problemSentences } from '#shared/problem.ts'
import type { AppEnv } from './context.ts'
import { problemStatus } from './problem.ts'

const expected: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
}

// Zod's own wording is for programmers ("Invalid input: expected object, received array").
function speakInSentences(): void {
  z.config({
    localeError: (issue) => {
      if (issue.code === 'unrecognized_keys') {
        return `Unknown fields: ${issue.keys.join(', ')}.`
      }
      const wanted = issue.code === 'invalid_type' ? expected[issue.expected] : undefined
      return wanted ? `Please send ${wanted}.` : 'Please check what you sent and try again.'
    },
  })
}

speakInSentences()

/**
 * A feature's router: input that breaks its schema becomes an `invalid` problem with the rules by field.
 * @param onInvalid called before; may throw another refusal
 */
export function createRouter(onInvalid?: (c: Context<AppEnv>) => Promise<void>) {
  return new OpenAPIHono<AppEnv>({
    defaultHook: async (result, c) => {
      if (result.success) return
      await onInvalid?.(c)
      const errors = result.error.issues.map(
        (issue): FieldError => ({ path: issue.path.join('.'), message: issue.message }),
      )
      const detail = errors[0]?.message
      throw new AppError('invalid', { errors, ...(detail ? { detail } : {}) })
    },
  })
}

export function json<T extends z.ZodType>(schema: T, description: string) {
  return { content: { 'application/json': { schema } }, description }
}

const problemSchema = z
  .object({
    title: z.string(),
    status: z.number().int(),
    detail: z.string().openapi({ description: 'The message for the user.' }),
    code: z.enum(problemCodes),
    requestId: z.string().optional(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: 'Validation errors by field, in form order.' }),
    success: z.literal(false).optional().openapi({ description: 'Only in responses of the e-mail calls.' }),
    mail: z
      .object({ id: z.uuid(), state: z.enum(mailStates) })
      .optional()
      .openapi({ description: 'The unsent message in the outbox.' }),
    message: z.string().optional().openapi({ description: 'The same as detail, for the e-mail calls.' }),
  })
  .openapi('Problem')

export function problems<C extends ProblemCode>(...codes: C[]) {
  const answers = codes.map((code) => [
    problemStatus[code],
    {
      content: { 'application/problem+json': { schema: problemSchema } },
      description: problemSentences[code],
    },
  ])
  // Typed as nothing: handlers answer problems by throwing, so they aren't among a handler's results.
  return Object.fromEntries(answers) as Record<never, never>
}
