import * as z from 'zod/mini'
import { line } from '#shared/form-text.ts'

/** What other programs show to send mail: made in the settings, shown once, scoped to mail. */

export const apiTokenLimits = {
  name: 60,
  /** Tokens in use at a time: far more than programs that send mail. */
  tokens: 50,
} as const

export const apiTokenSentences = {
  nameTaken: 'There is a token of this name already. Please choose another name, or revoke that token first.',
  tooMany: `There are ${apiTokenLimits.tokens} tokens already. Please revoke one that is not needed any more.`,
  missing: 'This token was revoked already.',
  /** Answers a program that shows a token which opens nothing. */
  refused: 'This API token is not valid, or it was revoked. Please make a new one in the system settings.',
  tooManyRefused:
    'Too many requests with an API token that is not valid. Please wait a moment and try again.',
} as const

const name = line('name', apiTokenLimits.name)

/** What a token is made with. */
export const newApiTokenSchema = z.strictObject({ name })

export const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Its first characters, to tell tokens apart. */
  prefix: z.string(),
  /** ISO instants. */
  createdAt: z.string(),
  /** Who made it. */
  createdBy: z.string(),
  /** Noted once a minute; null while it was never used. */
  lastUsedAt: z.nullable(z.string()),
})

export type ApiToken = z.output<typeof apiTokenSchema>

export const apiTokenListSchema = z.object({ items: z.array(apiTokenSchema) })

/** The answer to making one: the only time that the token itself is given out. */
export const madeApiTokenSchema = z.extend(apiTokenSchema, { token: z.string() })

export type MadeApiToken = z.output<typeof madeApiTokenSchema>
