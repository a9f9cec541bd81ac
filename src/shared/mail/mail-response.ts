import { z } from '@hono/zod-openapi'
import { readingNote } from '#shared/imports/import-response.ts'
import { namedObject } from '#shared/named-object.ts'
import { periods } from '#shared/periods.ts'
import { nstpComponents } from '#shared/students/student-choices.ts'
import { archiveFilters } from '#shared/students/students.ts'
import { batchKinds, batchStates, mailKinds, mailStates, notShown, serverTestSteps } from './mail.ts'
import { signInWays, tokenGrants } from './mail-sign-in.ts'

const instant = z.iso.datetime()
const count = z.int()
const counts = z.object({
  queued: count,
  sending: count,
  sent: count,
  failed: count,
  unknown: count,
  cancelled: count,
})

export const mailServiceStatusBody = namedObject('MailServiceStatus', {
  isConfigured: z.boolean(),
  status: z.enum(['ok', 'not_configured', 'error']),
  message: z.string().describe('The state as a message.'),
})

export const mailAccountBody = namedObject('MailAccount', {
  senderAddress: z.string(),
  senderName: z.string().describe("Empty for the school's name."),
  userName: z.string().describe("Empty for the sender's address."),
  host: z.string(),
  port: count,
  secure: z.boolean().describe('SSL/TLS; otherwise STARTTLS is required.'),
  imapHost: z.string().describe('The IMAP server of the bounce mailbox; empty for none.'),
  imapPort: count,
  signIn: z.enum(signInWays).describe('By a password, or by OAuth 2 (XOAUTH2) at this provider.'),
  grant: z.enum(tokenGrants).describe('Of OAuth 2: the permission of an app, or of a person.'),
  tokenEndpoint: z.string().describe('Of OAuth 2: where access tokens come from; empty for a password.'),
  tokenScope: z.string().describe('Of OAuth 2, with client_credentials.'),
  clientId: z.string().describe('Of OAuth 2.'),
  version: count,
})

export const serverStatusBody = namedObject('ServerStatus', {
  version: z.string(),
  startedAt: instant,
  uptimeSeconds: count,
  database: z.object({ reachable: z.boolean(), version: z.string(), sizeBytes: count.nullable() }),
  queue: counts.nullable().describe('The number of e-mails by state.'),
  disk: z.object({ freeBytes: count, totalBytes: count }).nullable(),
  email: mailServiceStatusBody,
  proxyIgnored: z.boolean().describe('X-Forwarded-For was sent, but TRUST_PROXY is off.'),
})

// Security: the lines are without the password or its encodings.
export const serverTestBody = namedObject('ServerTestResult', {
  step: z.enum(serverTestSteps),
  ok: z.boolean(),
  verdict: z.string(),
  lines: z
    .array(z.object({ by: z.enum(['client', 'server', 'note']), text: z.string() }))
    .describe(`The conversation. Secrets are replaced by ${notShown}.`),
  tookMs: count,
})

export const templateBody = z.object({
  name: z.string().describe('The `template` of a bulk e-mail.'),
  title: z.string(),
  subject: z.string(),
  text: z.string().describe('With placeholders, as a start for an own text.'),
})

// Security: the HTML is for `<iframe sandbox="" srcDoc={html}>` only.
export const previewBody = z.object({ subject: z.string(), html: z.string(), text: z.string() })

export const announcementChoiceBody = namedObject('AnnouncementChoice', {
  address: z
    .string()
    .openapi({ description: 'Masked: its first letter and its host.', example: 'a…@example.com' }),
  announcements: z.boolean(),
})

export const announcementMailingBody = namedObject('AnnouncementMailing', {
  announcementId: z.uuid(),
  batchId: z.uuid(),
  recipientCount: count,
  sentCount: count,
  optedOutCount: count.describe('Students who opted out of announcements by e-mail.'),
})

const leftOut = z.array(z.object({ position: count, text: z.string(), message: z.string() }))

const recipientList = z.object({
  recipients: z.array(z.object({ email: z.string(), firstName: z.string() })),
  duplicates: leftOut,
  invalid: leftOut,
  positions: z.enum(['line', 'entry', 'row']).describe('What positions refer to.'),
  problem: z.string().describe('Why nothing can be sent to the list; empty when it can be used.'),
})

export const recipientFileBody = recipientList
  .extend({
    readingNotes: z.array(readingNote).describe('What was guessed or left out when the file was read.'),
  })
  .openapi('RecipientFile')

export const queueStatusBody = namedObject('MailQueueStatus', {
  counts: counts.describe(
    'sent, failed and cancelled: within the last 24 hours. unknown: may have been accepted; all that are not settled.',
  ),
  isConfigured: z.boolean(),
  hasPublicAddress: z.boolean().describe('Without one nothing can be sent to many students.'),
  trouble: z.string().describe('Why nothing is sent at the moment; empty while mail is sent.'),
  sentToday: count.describe('Messages counted against the quota of 24 hours.'),
  perDay: count.describe(
    'The quota of 24 hours. A tenth, at least one, is reserved for welcome, single and test mails.',
  ),
  perMinute: count.describe('The quota per minute.'),
  finishesAt: instant.nullable().describe('When the last queued message will probably be sent.'),
})

export const messageBody = namedObject('MailMessage', {
  id: z.uuid(),
  kind: z.enum(mailKinds),
  batchId: z.uuid().nullable(),
  studentId: z.uuid().nullable(),
  recipient: z.string(),
  name: z.string().describe("'Dela Cruz, Juan', if known."),
  subject: z.string(),
  state: z.enum(mailStates).describe('unknown: it may have been accepted; it is sent again only by request.'),
  createdAt: instant,
  attempts: count,
  endedAt: instant.nullable(),
  notBefore: instant.nullable().describe('The next attempt after a temporary refusal.'),
  failure: z.string(),
})

export const studentMail = namedObject('StudentMail', {
  optedOut: z.boolean().describe("Whether the student's address opted out of announcements."),
  messages: z.array(messageBody),
})

export const messagePageBody = namedObject('MailMessagePage', {
  items: z.array(messageBody),
  nextCursor: z.string().nullable(),
})

export const messageDetailsBody = messageBody
  .extend({ html: z.string(), text: z.string() })
  .openapi('MailMessageDetails')

export const mailboxSchema = namedObject('MailboxStatus', {
  isConfigured: z.boolean(),
  isChecking: z.boolean(),
  checkedAt: instant.nullable(),
  failure: z.string().describe('Why the last check failed; empty when it succeeded.'),
})

const returnedSchema = namedObject('ReturnedMessage', {
  id: z.uuid(),
  studentId: z.uuid().nullable(),
  studentName: z.string().nullable(),
  recipient: z.string(),
  status: z.string().describe('RFC 3463.'),
  diagnostic: z.string().describe('The answer of the mail server.'),
  receivedAt: instant,
  messageId: z.uuid().nullable(),
  subject: z.string(),
  kind: z.enum(mailKinds).nullable(),
})

export const returnedPageSchema = namedObject('ReturnedPage', {
  items: z.array(returnedSchema),
  nextCursor: z.string().nullable(),
  openCount: count,
  mailbox: mailboxSchema,
})

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

export const batchBody = namedObject('BulkMail', {
  id: z.uuid(),
  kind: z.enum(batchKinds),
  subject: z.string().describe('With placeholders.'),
  state: z
    .enum(batchStates)
    .describe(
      'running: its messages are sent as fast as the quotas allow. paused: none is sent for now. cancelled: unsent ' +
        'messages are never sent. finished: every message has ended, see `counts`. Sending one of them again ' +
        'sets it to running until that one has ended.',
    ),
  createdAt: instant,
  createdBy: z.string(),
  source: source.describe('The recipients.'),
  recipientCount: count,
  optedOutCount: count.describe('Left out: opted out of announcements by e-mail.'),
  duplicateCount: count.describe('Left out: duplicate address.'),
  invalidCount: count.describe('Left out: invalid address.'),
  counts,
  repeatableCount: count.describe('Failed and not yet sent again.'),
  finishesAt: instant
    .nullable()
    .describe('When the last message will probably be sent, according to the quotas.'),
})

export const batchPageBody = namedObject('BulkMailPage', {
  items: z.array(batchBody),
  nextCursor: z.string().nullable(),
})

const placeholderTexts = z.object({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  component: z.string().optional(),
  course: z.string().optional(),
  academicYear: z.string().optional(),
  reference: z.string().optional(),
  section: z.string().optional(),
  adviser: z.string().optional(),
  meets: z.string().optional(),
  serialNumber: z.string().optional(),
})

export const audienceBody = namedObject('MailAudience', {
  count: count.describe('The number of messages: one for each address.'),
  optedOut: count,
  duplicates: count,
  invalid: count.describe('Students whose stored address is invalid.'),
  sample: z.array(placeholderTexts.extend({ id: z.uuid(), email: z.string() })),
})

export const recipientRecordBody = namedObject('RecipientRecord', {
  values: placeholderTexts.nullable().describe('null: no active student has this address.'),
})

export const bulkResultBody = namedObject('BulkMailResult', {
  success: z.boolean().describe('False when nothing was sent or will be sent.'),
  message: z.string(),
  results: z.array(
    z.object({
      email: z.string(),
      success: z.boolean().describe('Whether the mail server accepted it.'),
      error: z.string().nullable(),
      state: z
        .enum([...mailStates, 'left-out', 'deleted'])
        .describe(
          'left-out: no e-mail was created. deleted: only in the response to a retry; the e-mail was deleted with the ' +
            'record of its student. It may have been sent.',
        ),
    }),
  ),
  errors: z.array(z.string()),
  batchId: z.uuid(),
})

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
export type RecipientList = z.infer<typeof recipientList>
export type RecipientFile = z.infer<typeof recipientFileBody>
export type BatchSource = z.infer<typeof source>
export type MailQueueStatus = z.infer<typeof queueStatusBody>
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
