import { z } from '@hono/zod-openapi'
import { keyHeader } from '#server/http/documented.ts'
import { batchKinds, batchStates, mailStates } from '#shared/mail/mail.ts'
import { periods } from '#shared/periods.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'

const instant = z.iso.datetime()
const count = z.number().int()

const audience = z.object({
  component: z.enum(nstpComponents).optional(),
  academicYear: z.string().optional(),
  course: z.string().optional(),
  archive: z.enum(archiveFilters).optional(),
  period: z.enum(periods).optional(),
})

const source = z.union([
  z.object({ kind: z.literal('list') }),
  z.object({ kind: z.literal('students'), audience }),
  z.object({ kind: z.literal('repeat') }),
])

export const batchBody = z
  .object({
    id: z.uuid(),
    kind: z.enum(batchKinds),
    subject: z.string().openapi({ description: 'With placeholders, as typed.' }),
    state: z.enum(batchStates).openapi({
      description:
        'running: messages are sent within the quotas. paused: none are sent. cancelled: queued ' +
        'messages are never sent. finished: every message has an outcome (see `counts`). Sending one ' +
        'again makes it running until that one has an outcome.',
    }),
    createdAt: instant,
    createdBy: z.string(),
    source: source.openapi({ description: 'Where the recipients come from.' }),
    recipientCount: count,
    optedOutCount: count.openapi({ description: 'Left out: opted out.' }),
    duplicateCount: count.openapi({ description: 'Left out: duplicate address.' }),
    invalidCount: count.openapi({ description: 'Left out: invalid address.' }),
    counts: z.object({
      queued: count,
      sending: count,
      sent: count,
      failed: count,
      unknown: count,
      cancelled: count,
    }),
    repeatableCount: count.openapi({ description: 'Failed and not retried yet.' }),
    finishesAt: instant.nullable().openapi({ description: 'The expected end, by the quotas.' }),
  })
  .openapi('BulkMail')

export const batchPageBody = z
  .object({ items: z.array(batchBody), nextCursor: z.string().nullable() })
  .openapi('BulkMailPage')

const placeholderTexts = z.object({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  component: z.string().optional(),
  course: z.string().optional(),
  academicYear: z.string().optional(),
  reference: z.string().optional(),
})

export const audienceBody = z
  .object({
    count: count.openapi({ description: 'The number of messages: one per address.' }),
    optedOut: count,
    duplicates: count,
    invalid: count.openapi({ description: 'Students with an invalid address.' }),
    sample: z.array(placeholderTexts.extend({ id: z.uuid(), email: z.string() })),
  })
  .openapi('MailAudience')

export const recipientRecordBody = z
  .object({
    values: placeholderTexts.nullable().openapi({ description: 'null: no active student has this address.' }),
  })
  .openapi('RecipientRecord')

export const bulkResultBody = z
  .object({
    success: z.boolean().openapi({ description: 'False if nothing was sent and nothing will be.' }),
    message: z.string(),
    results: z.array(
      z.object({
        email: z.string(),
        success: z.boolean().openapi({ description: 'Whether the mail server has accepted it.' }),
        error: z.string().nullable(),
        state: z.enum([...mailStates, 'left-out', 'deleted']).openapi({
          description:
            'left-out: no message was created. deleted: only for a retry; the message was deleted with ' +
            "its student's record and may have been sent.",
        }),
      }),
    ),
    errors: z.array(z.string()),
    batchId: z.uuid(),
  })
  .openapi('BulkMailResult')

const leftOut = z.array(z.object({ position: count, text: z.string(), message: z.string() }))

export const recipientListBody = z
  .object({
    recipients: z.array(z.object({ email: z.string(), firstName: z.string() })),
    duplicates: leftOut,
    invalid: leftOut,
    positions: z.enum(['line', 'entry', 'row']).openapi({ description: 'What the positions are.' }),
    problem: z.string().openapi({ description: "Why mail can't be sent to it; empty if it can." }),
  })
  .openapi('RecipientList')

export const idempotencyKey = keyHeader(
  'a retry with the same key starts nothing and returns the first bulk e-mail.',
)
