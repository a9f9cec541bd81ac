import { z } from '@hono/zod-openapi'
import { mailKinds, mailStates } from '#shared/mail.ts'
import { maxMailSearch } from '#shared/mail-history.ts'

/** What is asked of messages and answered, as the API's description shows it. */

const instant = z.iso.datetime()

export const messageBody = z
  .object({
    id: z.uuid(),
    kind: z.enum(mailKinds),
    batchId: z.uuid().nullable(),
    studentId: z.uuid().nullable(),
    recipient: z.string(),
    name: z.string().openapi({ description: "'Dela Cruz, Juan', as far as it is known." }),
    subject: z.string(),
    state: z.enum(mailStates).openapi({
      description: 'unknown: it may have been accepted; it is sent again only by somebody’s decision.',
    }),
    createdAt: instant,
    attempts: z.number().int(),
    endedAt: instant.nullable(),
    notBefore: instant
      .nullable()
      .openapi({ description: 'When it is tried next, after a temporary refusal.' }),
    failure: z.string(),
  })
  .openapi('MailMessage')

export const messagePageBody = z
  .object({ items: z.array(messageBody), nextCursor: z.string().nullable() })
  .openapi('MailMessagePage')

export const messageDetailsBody = messageBody
  .extend({ html: z.string(), text: z.string() })
  .openapi('MailMessageDetails')

export const filters = {
  state: z
    .enum(['all', ...mailStates], `Please choose the state: ${['all', ...mailStates].join(', ')}.`)
    .default('all'),
  search: z
    .string('Please give one search text.')
    .trim()
    .max(maxMailSearch, `Please shorten the search to ${maxMailSearch} characters or fewer.`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Please remove the unusual characters from the search.')
    .default('')
    .openapi({ description: 'Part of an address, of a name or of a subject.' }),
}

const cursor = z.string().default('').openapi({ description: 'The nextCursor of the piece before.' })

export const resultsQuery = z.strictObject({ ...filters, cursor })

export const historyQuery = z.strictObject({
  ...filters,
  kind: z
    .enum(['all', ...mailKinds], `Please choose the kind: ${['all', ...mailKinds].join(', ')}.`)
    .default('all'),
  cursor,
})

export const settleBody = z
  .strictObject({ as: z.enum(['sent', 'failed'], 'Please decide: sent or failed.') })
  .openapi('MailSettling')
