import * as z from 'zod/mini'
import { line } from '#shared/form-text.ts'

export const apiTokenLimits = {
  name: 60,
  tokens: 50,
} as const

export const apiTokenSentences = {
  nameTaken: 'There is a token of this name already. Please choose another name, or revoke that token first.',
  tooMany: `There are ${apiTokenLimits.tokens} tokens already. Please revoke one that is not needed any more.`,
  missing: 'This token was revoked already.',
  refused: 'This API token is not valid, or it was revoked. Please make a new one in the system settings.',
  tooManyRefused:
    'Too many requests with an API token that is not valid. Please wait a moment and try again.',
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
