import { z } from '@hono/zod-openapi'
import { periods } from '#shared/periods.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'
import { batchKinds, batchStates, mailKinds, mailStates, notShown, serverTestSteps } from './mail.ts'

const instant = z.iso.datetime()
const count = z.number().int()
const counts = z.object({
  queued: count,
  sending: count,
  sent: count,
  failed: count,
  unknown: count,
  cancelled: count,
})

export const mailServiceStatusBody = z
  .object({
    isConfigured: z.boolean(),
    status: z.enum(['ok', 'not_configured', 'error']),
    message: z.string().openapi({ description: 'The state as a message.' }),
  })
  .openapi('MailServiceStatus')

export const mailAccountBody = z
  .object({
    senderAddress: z.string(),
    senderName: z.string().openapi({ description: "Empty for the school's name." }),
    userName: z.string().openapi({ description: "Empty for the sender's address." }),
    host: z.string(),
    port: count,
    secure: z.boolean().openapi({ description: 'SSL/TLS; otherwise STARTTLS is required.' }),
    imapHost: z.string().openapi({ description: 'The IMAP server of the bounce mailbox; empty for none.' }),
    imapPort: count,
    version: count,
  })
  .openapi('MailAccount')

export const serverStatusBody = z
  .object({
    version: z.string(),
    startedAt: instant,
    uptimeSeconds: count,
    database: z.object({ reachable: z.boolean(), version: z.string(), sizeBytes: count.nullable() }),
    queue: counts.nullable().openapi({ description: 'The number of e-mails by state.' }),
    disk: z.object({ freeBytes: count, totalBytes: count }).nullable(),
    email: mailServiceStatusBody,
    proxyIgnored: z.boolean().openapi({ description: 'X-Forwarded-For was sent, but TRUST_PROXY is off.' }),
  })
  .openapi('ServerStatus')

// Security: the lines are without the password or its encodings.
export const serverTestBody = z
  .object({
    step: z.enum(serverTestSteps),
    ok: z.boolean(),
    verdict: z.string(),
    lines: z
      .array(z.object({ by: z.enum(['client', 'server', 'note']), text: z.string() }))
      .openapi({ description: `The conversation. Secrets are replaced by ${notShown}.` }),
    tookMs: count,
  })
  .openapi('ServerTestResult')

export const templateBody = z.object({
  name: z.string().openapi({ description: 'The `template` of a bulk e-mail.' }),
  title: z.string(),
  subject: z.string(),
  text: z.string().openapi({ description: 'With placeholders, as a start for an own text.' }),
})

// Security: the HTML is for `<iframe sandbox="" srcDoc={html}>` only.
export const previewBody = z.object({ subject: z.string(), html: z.string(), text: z.string() })

export const announcementChoiceBody = z
  .object({
    address: z
      .string()
      .openapi({ description: 'Masked: its first letter and its host.', example: 'a…@example.com' }),
    announcements: z.boolean(),
  })
  .openapi('AnnouncementChoice')

export const announcementMailingBody = z
  .object({
    announcementId: z.uuid(),
    batchId: z.uuid(),
    recipientCount: count,
    sentCount: count,
    optedOutCount: count.openapi({ description: 'Students who opted out of announcements by e-mail.' }),
  })
  .openapi('AnnouncementMailing')

const leftOut = z.array(z.object({ position: count, text: z.string(), message: z.string() }))

export const recipientListBody = z
  .object({
    recipients: z.array(z.object({ email: z.string(), firstName: z.string() })),
    duplicates: leftOut,
    invalid: leftOut,
    positions: z.enum(['line', 'entry', 'row']).openapi({ description: 'What positions refer to.' }),
    problem: z
      .string()
      .openapi({ description: 'Why nothing can be sent to the list; empty when it can be used.' }),
  })
  .openapi('RecipientList')

export const queueStatusBody = z
  .object({
    counts: counts.openapi({
      description:
        'sent, failed and cancelled: within the last 24 hours. unknown: may have been accepted; all that are not settled.',
    }),
    trouble: z
      .string()
      .openapi({ description: 'Why nothing is sent at the moment; empty while mail is sent.' }),
    sentToday: count.openapi({ description: 'Messages counted against the quota of 24 hours.' }),
    perDay: count.openapi({
      description:
        'The quota of 24 hours. A tenth, at least one, is reserved for welcome, single and test mails.',
    }),
    perMinute: count.openapi({ description: 'The quota per minute.' }),
    finishesAt: instant
      .nullable()
      .openapi({ description: 'When the last queued message will probably be sent.' }),
  })
  .openapi('MailQueueStatus')

export const messageBody = z
  .object({
    id: z.uuid(),
    kind: z.enum(mailKinds),
    batchId: z.uuid().nullable(),
    studentId: z.uuid().nullable(),
    recipient: z.string(),
    name: z.string().openapi({ description: "'Dela Cruz, Juan', if known." }),
    subject: z.string(),
    state: z
      .enum(mailStates)
      .openapi({ description: 'unknown: it may have been accepted; it is sent again only by request.' }),
    createdAt: instant,
    attempts: count,
    endedAt: instant.nullable(),
    notBefore: instant.nullable().openapi({ description: 'The next attempt after a temporary refusal.' }),
    failure: z.string(),
  })
  .openapi('MailMessage')

export const studentMail = z
  .object({
    optedOut: z
      .boolean()
      .openapi({ description: "Whether the student's address opted out of announcements." }),
    messages: z.array(
      messageBody.omit({ batchId: true, studentId: true, name: true, attempts: true, notBefore: true }),
    ),
  })
  .openapi('StudentMail')

export const messagePageBody = z
  .object({ items: z.array(messageBody), nextCursor: z.string().nullable() })
  .openapi('MailMessagePage')

export const messageDetailsBody = messageBody
  .extend({ html: z.string(), text: z.string() })
  .openapi('MailMessageDetails')

export const mailboxSchema = z
  .object({
    isConfigured: z.boolean(),
    isChecking: z.boolean(),
    checkedAt: instant.nullable(),
    failure: z.string().openapi({ description: 'Why the last check failed; empty when it succeeded.' }),
  })
  .openapi('MailboxStatus')

const returnedSchema = z
  .object({
    id: z.uuid(),
    studentId: z.uuid().nullable(),
    studentName: z.string().nullable(),
    recipient: z.string(),
    status: z.string().openapi({ description: 'RFC 3463.' }),
    diagnostic: z.string().openapi({ description: 'The answer of the mail server.' }),
    receivedAt: instant,
    messageId: z.uuid().nullable(),
    subject: z.string(),
    kind: z.enum(mailKinds).nullable(),
  })
  .openapi('ReturnedMessage')

export const returnedPageSchema = z
  .object({
    items: z.array(returnedSchema),
    nextCursor: z.string().nullable(),
    openCount: count,
    mailbox: mailboxSchema,
  })
  .openapi('ReturnedPage')

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
  z.object({ kind: z.literal('selection') }),
  z.object({ kind: z.literal('repeat') }),
])

export const batchBody = z
  .object({
    id: z.uuid(),
    kind: z.enum(batchKinds),
    subject: z.string().openapi({ description: 'With placeholders.' }),
    state: z.enum(batchStates).openapi({
      description:
        'running: its messages are sent as fast as the quotas allow. paused: none is sent for now. cancelled: unsent ' +
        'messages are never sent. finished: every message has ended, see `counts`. Sending one of them again ' +
        'sets it to running until that one has ended.',
    }),
    createdAt: instant,
    createdBy: z.string(),
    source: source.openapi({ description: 'The recipients.' }),
    recipientCount: count,
    optedOutCount: count.openapi({ description: 'Left out: opted out of announcements by e-mail.' }),
    duplicateCount: count.openapi({ description: 'Left out: duplicate address.' }),
    invalidCount: count.openapi({ description: 'Left out: invalid address.' }),
    counts,
    repeatableCount: count.openapi({ description: 'Failed and not yet sent again.' }),
    finishesAt: instant
      .nullable()
      .openapi({ description: 'When the last message will probably be sent, according to the quotas.' }),
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
    count: count.openapi({ description: 'The number of messages: one for each address.' }),
    optedOut: count,
    duplicates: count,
    invalid: count.openapi({ description: 'Students whose stored address is invalid.' }),
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
    success: z.boolean().openapi({ description: 'False when nothing was sent or will be sent.' }),
    message: z.string(),
    results: z.array(
      z.object({
        email: z.string(),
        success: z.boolean().openapi({ description: 'Whether the mail server accepted it.' }),
        error: z.string().nullable(),
        state: z.enum([...mailStates, 'left-out', 'deleted']).openapi({
          description:
            'left-out: no e-mail was created. deleted: only in the response to a retry; the e-mail was deleted with the ' +
            'record of its student. It may have been sent.',
        }),
      }),
    ),
    errors: z.array(z.string()),
    batchId: z.uuid(),
  })
  .openapi('BulkMailResult')

export type MailServiceStatus = z.infer<typeof mailServiceStatusBody>
export type MailAccount = z.infer<typeof mailAccountBody>
export type ServerStatus = z.infer<typeof serverStatusBody>
export type ServerTestStep = ServerTestResult['step']
export type ServerTestResult = z.infer<typeof serverTestBody>
export type ConversationLine = ServerTestResult['lines'][number]
export type MailTemplateInfo = z.infer<typeof templateBody>
export type MailPreview = z.infer<typeof previewBody>
export type AnnouncementChoice = z.infer<typeof announcementChoiceBody>
export type AnnouncementMailing = z.infer<typeof announcementMailingBody>
export type RecipientList = z.infer<typeof recipientListBody>
export type BatchSource = z.infer<typeof source>
export type MailQueueStatus = z.infer<typeof queueStatusBody>
export type StudentMail = z.infer<typeof studentMail>
export type StudentMailItem = StudentMail['messages'][number]
export type MailItem = z.infer<typeof messageBody>
export type MailPage = z.infer<typeof messagePageBody>
export type ReturnedMessage = z.infer<typeof returnedSchema>
export type MailboxStatus = z.infer<typeof mailboxSchema>
export type ReturnedPage = z.infer<typeof returnedPageSchema>
export type BatchSummary = z.infer<typeof batchBody>
export type BatchPage = z.infer<typeof batchPageBody>
export type AudiencePreview = z.infer<typeof audienceBody>
export type RecipientRecord = z.infer<typeof recipientRecordBody>
export type BulkResult = z.infer<typeof bulkResultBody>
export type BulkRecipientResult = BulkResult['results'][number]
