import * as z from 'zod/mini'
import { line } from '#shared/form-text.ts'

export const apiTokenLimits = { name: 60, tokens: 50, days: 365, mailsADay: 100_000 } as const

export const apiTokenSentences = {
  nameTaken: 'A token with this name already exists. Please choose another name, or revoke that token first.',
  tooMany: `There are already ${apiTokenLimits.tokens} tokens. Please revoke one that is no longer needed.`,
  days: 'Please enter a number of days between 1 and 365.',
  domain: 'Please enter a domain, such as school.edu.ph, without the @.',
  dailyLimit: 'Please enter a number of e-mails a day between 1 and 100,000.',
  otherDomain: (domain: string) => `This API token can only send to addresses at ${domain}.`,
  usedUp: 'This API token has sent its e-mails of today. Please try again tomorrow.',
  held: 'The owner of this API token must set up two-factor sign-in first.',
  missing: 'This token was already revoked.',
  refused: 'This API token is invalid or was revoked. Please create a new one in the system settings.',
  tooManyRefused: 'Too many requests with an invalid API token. Please wait a moment and try again.',
} as const

const name = line('name', apiTokenLimits.name)

const upTo = (most: number, message: string) =>
  z.number(message).check(z.int(message), z.minimum(1, message), z.maximum(most, message))

export const newApiTokenSchema = z.strictObject({
  name,
  days: z._default(upTo(apiTokenLimits.days, apiTokenSentences.days), apiTokenLimits.days),
  // '' for every domain.
  domain: z._default(
    z
      .string(apiTokenSentences.domain)
      .check(
        z.trim(),
        z.toLowerCase(),
        z.maxLength(253, apiTokenSentences.domain),
        z.regex(/^([a-z0-9-]+(\.[a-z0-9-]+)+)?$/, apiTokenSentences.domain),
      ),
    '',
  ),
  // Null allows any number.
  dailyLimit: z._default(z.nullable(upTo(apiTokenLimits.mailsADay, apiTokenSentences.dailyLimit)), null),
})

export type NewApiToken = z.output<typeof newApiTokenSchema>

const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  createdAt: z.string(),
  createdById: z.string(),
  // Updated once a minute; null while unused.
  lastUsedAt: z.nullable(z.string()),
  expiresAt: z.string(),
  domain: z.string(),
  dailyLimit: z.nullable(z.number()),
})

export type ApiToken = z.output<typeof apiTokenSchema>

export const apiTokenListSchema = z.object({ items: z.array(apiTokenSchema) })

export const madeApiTokenSchema = z.extend(apiTokenSchema, { token: z.string() })

export type MadeApiToken = z.output<typeof madeApiTokenSchema>
