import * as z from 'zod/mini'
import { line } from '#shared/form-text.ts'

export const apiTokenLimits = { name: 60, tokens: 50 } as const

export const apiTokenSentences = {
  nameTaken: 'A token with this name already exists. Please choose another name, or revoke that token first.',
  tooMany: `There are already ${apiTokenLimits.tokens} tokens. Please revoke one that is no longer needed.`,
  missing: 'This token was already revoked.',
  refused: 'This API token is invalid or was revoked. Please create a new one in the system settings.',
  tooManyRefused: 'Too many requests with an invalid API token. Please wait a moment and try again.',
} as const

const name = line('name', apiTokenLimits.name)

export const newApiTokenSchema = z.strictObject({ name })

export const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  // Updated once a minute; null while unused.
  lastUsedAt: z.nullable(z.string()),
})

export type ApiToken = z.output<typeof apiTokenSchema>

export const apiTokenListSchema = z.object({ items: z.array(apiTokenSchema) })

export const madeApiTokenSchema = z.extend(apiTokenSchema, { token: z.string() })

export type MadeApiToken = z.output<typeof madeApiTokenSchema>
