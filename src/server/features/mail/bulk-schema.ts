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
    subject: z.string().openapi({ description: 'With placeholders, as it was typed.' }),
    state: z.enum(batchStates).openapi({
      description:
        'running: its messages go out, as fast as the quotas allow. paused: nothing of it goes out. cancelled: what ' +
        'had not gone out never will. finished: every message has ended; `counts` says how. Sending one of them again ' +
        'makes it running until that one has ended.',
    }),
    createdAt: instant,
    createdBy: z.string(),
    source: source.openapi({ description: 'Whom it was for.' }),
    recipientCount: count,
    optedOutCount: count.openapi({ description: 'Left out: they want no announcements by mail.' }),
    duplicateCount: count.openapi({ description: 'Left out: the same address came before.' }),
    invalidCount: count.openapi({ description: 'Left out: no address.' }),
    counts: z.object({
      queued: count,
      sending: count,
      sent: count,
      failed: count,
      unknown: count,
      cancelled: count,
    }),
    repeatableCount: count.openapi({ description: 'Failed, and not sent again yet.' }),
    finishesAt: instant
      .nullable()
      .openapi({ description: 'When the last of it will probably be sent, by the quotas.' }),
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
    count: count.openapi({ description: 'How many mails: each address gets one.' }),
    optedOut: count,
    duplicates: count,
    invalid: count.openapi({ description: 'Whose stored address is none.' }),
    sample: z.array(placeholderTexts.extend({ id: z.uuid(), email: z.string() })),
  })
  .openapi('MailAudience')

export const recipientRecordBody = z
  .object({ values: placeholderTexts.nullable().openapi({ description: 'null: no active student has it.' }) })
  .openapi('RecipientRecord')

export const bulkResultBody = z
  .object({
    success: z.boolean().openapi({ description: 'False when nothing was sent and nothing will be.' }),
    message: z.string(),
    results: z.array(
      z.object({
        email: z.string(),
        success: z.boolean().openapi({ description: 'Whether the mail server has accepted it.' }),
        error: z.string().nullable(),
        state: z.enum([...mailStates, 'left-out', 'deleted']).openapi({
          description:
            'left-out: no e-mail was made. deleted: only in the answer to a retry; nothing is kept of the e-mail any ' +
            'more, as of all that was about a student whose record was deleted. It may have been sent.',
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
    positions: z.enum(['line', 'entry', 'row']).openapi({ description: 'What positions count.' }),
    problem: z
      .string()
      .openapi({ description: 'Why nothing can be sent to it; an empty text when something can.' }),
  })
  .openapi('RecipientList')

export const idempotencyKey = keyHeader(
  'a retry with the same key starts nothing again and gives the first bulk e-mail.',
)
