import type { Period } from '#shared/periods.ts'

/** Outgoing mail: what the server and its clients call things, and the sentences of the specification. */

/**
 * queued: waits its turn · sending: a worker has it · sent: the mail server accepted it · failed: it certainly did
 * not · unknown: it may have been accepted, and is sent again only by somebody's decision · cancelled: its batch
 * was cancelled before its turn
 */
export const mailStates = ['queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const
export type MailState = (typeof mailStates)[number]

/** How screens word the states. */
export const mailStateTexts: Record<MailState, string> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  cancelled: 'Cancelled',
}

export const mailKinds = ['welcome', 'single', 'test', 'bulk', 'announcement'] as const
export type MailKind = (typeof mailKinds)[number]

export const mailKindTexts: Record<MailKind, string> = {
  welcome: 'Welcome',
  single: 'Single',
  test: 'Test',
  bulk: 'Bulk',
  announcement: 'Announcement',
}

/** What was decided about a batch, as it is kept. running: nothing against it. */
export type BatchDecision = 'running' | 'paused' | 'cancelled'
/** How a batch stands. finished: every message has ended, one way or another, and cancelling kept none back. */
export const batchStates = ['running', 'paused', 'cancelled', 'finished'] as const
export type BatchState = (typeof batchStates)[number]

export const batchKinds = ['bulk', 'announcement', 'repeat'] as const
export type BatchKind = (typeof batchKinds)[number]

/** The filters of the Students tab that choose recipients; what is left out does not narrow. */
export interface StudentAudience {
  component?: 'ROTC' | 'CWTS' | 'LTS' | undefined
  academicYear?: string | undefined
  course?: string | undefined
  archive?: 'all' | 'active' | 'archived' | undefined
  period?: Period | undefined
}

/** Whom a batch was for. */
export type BatchSource =
  | { kind: 'list' }
  | { kind: 'students'; audience: StudentAudience }
  | { kind: 'repeat' }

/** One recipient of a bulk mail (spec §3 "Bulk recipient"). */
export interface BulkRecipient {
  email: string
  firstName: string
}

/** How many messages of a batch stand where. */
export type MailCounts = Record<MailState, number>

/** A batch in the history, and with its progress. Instants are ISO texts. */
export interface BatchSummary {
  id: string
  kind: BatchKind
  subject: string
  state: BatchState
  createdAt: string
  createdBy: string
  source: BatchSource
  recipientCount: number
  /** Left out: who opted out, who was listed before, what is no address. */
  optedOutCount: number
  duplicateCount: number
  invalidCount: number
  counts: MailCounts
  /** How many of the failed ones were not sent again yet. */
  repeatableCount: number
  /** When the last of it will probably be sent, by the quotas; null when nothing is left, or while it is paused. */
  finishesAt: string | null
}

/** A message in a table. */
export interface MailItem {
  id: string
  kind: MailKind
  batchId: string | null
  studentId: string | null
  recipient: string
  /** The recipient's name as far as it is known: 'Dela Cruz, Juan', 'Juan' or ''. */
  name: string
  subject: string
  state: MailState
  createdAt: string
  attempts: number
  endedAt: string | null
  /** When it is tried next, after a temporary refusal. */
  notBefore: string | null
  failure: string
}

/** The queue as a whole. */
export interface MailQueueStatus {
  /** Of what was sent, failed or was cancelled: within the last 24 hours. Of the others: all. */
  counts: MailCounts
  /** Why nothing goes out at the moment; '' when it does. */
  trouble: string
  sentToday: number
  perDay: number
  perMinute: number
  finishesAt: string | null
}

/** GET /emailService/status (spec §7). */
export interface MailServiceStatus {
  isConfigured: boolean
  status: 'ok' | 'not_configured' | 'error'
  message: string
}

/** The account as it is given out: never with its password. */
export interface MailAccount {
  senderAddress: string
  senderName: string
  /** '' for the sender's address. */
  userName: string
  host: string
  port: number
  secure: boolean
  imapHost: string
  imapPort: number
  version: number
}

/** Where the two usual providers are reached. */
export const mailPresets = [
  {
    name: 'Gmail',
    host: 'smtp.gmail.com',
    port: 465,
    secure: true,
    imapHost: 'imap.gmail.com',
    imapPort: 993,
    hint: 'Turn on 2-Step Verification in the Google account, then make an app password at myaccount.google.com/apppasswords.',
  },
  {
    name: 'Outlook',
    host: 'smtp.office365.com',
    port: 587,
    secure: false,
    imapHost: 'outlook.office365.com',
    imapPort: 993,
    hint: 'The tenant must allow authenticated SMTP for this mailbox; then make an app password in the Microsoft account’s security settings.',
  },
] as const

/** The sentences of spec §5 and §8. */
export const mailSentences = {
  fillAll: 'Please fill in all fields',
  missingData: 'Missing required email data',
  invalidRecipients: 'Invalid recipients format',
  subjectRequired: 'Subject is required',
  fillConfiguration: 'Please fill in all configuration fields',
  missingStudentData: 'Missing required student data for sending welcome email',
  notConfigured: 'Email service is not configured.',
  failedToSend: 'Failed to send email',
  failedToSendBulk: 'Failed to send bulk emails',
  invalidResponse: 'Invalid response from email server',
  failedToSendWelcome: 'Failed to send welcome email',
  sent: 'Email sent successfully',
  sentSome: (sent: number, all: number) => `Successfully sent ${sent} of ${all} emails`,
  failedEmails: (reason: string) => `Failed to send emails: ${reason}`,
  configured: 'Email configuration updated successfully',
  // Not the specification's word for word: decision 023.
  noConnection:
    'Could not connect to email service. Please try again in a moment, then check the configuration in Email System.',
} as const

/** Who is greeted when no first name is given (spec §5). */
export const defaultFirstName = 'Student'

/** Longest texts and lists. */
export const mailLimits = {
  address: 254,
  name: 100,
  subject: 200,
  /** Characters of a message. */
  body: 50_000,
  recipients: 20_000,
  /** Welcome mails to one address within a day: the form mails whoever is typed in. */
  welcomeADay: 3,
} as const
