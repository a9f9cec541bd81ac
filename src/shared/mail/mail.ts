import { notConfigured } from './not-configured.ts'

// sent: accepted by the server · unknown: may have been accepted, sent again only on a decision of the user.
export const mailStates = ['queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled'] as const
export type MailState = (typeof mailStates)[number]

export const mailStateTexts: Record<MailState, string> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  cancelled: 'Cancelled',
}

export const mailKinds = ['welcome', 'single', 'test', 'bulk', 'announcement', 'code'] as const
export type MailKind = (typeof mailKinds)[number]

export const mailKindTexts: Record<MailKind, string> = {
  welcome: 'Welcome',
  single: 'Single',
  test: 'Test',
  bulk: 'Bulk',
  announcement: 'Announcement',
  // A code for the second step of a student at /my.
  code: 'Code',
}

export type BatchDecision = 'running' | 'paused' | 'cancelled'
export const batchStates = ['running', 'paused', 'cancelled', 'finished'] as const
export type BatchState = (typeof batchStates)[number]

export const batchKinds = ['bulk', 'announcement', 'repeat'] as const
export type BatchKind = (typeof batchKinds)[number]

export type MailCounts = Record<MailState, number>

export const serverTestSteps = ['connect', 'authenticate', 'send'] as const

export const notShown = '(not shown)'

export const mailPresets = [
  {
    name: 'Gmail',
    host: 'smtp.gmail.com',
    port: 465,
    secure: true,
    imapHost: 'imap.gmail.com',
    imapPort: 993,
    hint: 'Turn on 2-Step Verification in the Google account, then create an app password at myaccount.google.com/apppasswords. Where the school turned app passwords off, choose OAuth 2 (Google) below.',
  },
  {
    name: 'Outlook',
    host: 'smtp.office365.com',
    port: 587,
    secure: false,
    imapHost: 'outlook.office365.com',
    imapPort: 993,
    hint: 'The tenant must allow authenticated SMTP for this mailbox. Microsoft 365 turns sign-in by password off, app passwords included: choose OAuth 2 (Microsoft 365) below.',
  },
] as const

export const mailSentences = {
  fillAll: 'Please fill in all fields',
  missingData: 'Missing required email data',
  invalidRecipients: 'Invalid recipients format',
  subjectRequired: 'Subject is required',
  fillConfiguration: 'Please fill in all configuration fields',
  missingStudentData: 'Missing required student data for sending welcome email',
  notConfigured,
  noPublicAddress:
    'Every e-mail to many students needs a link to unsubscribe. Please set the public address in System Settings first.',
  failedToSend: 'Failed to send email',
  failedToSendBulk: 'Failed to send bulk emails',
  invalidResponse: 'Invalid response from email server',
  failedToSendWelcome: 'Failed to send welcome email',
  sent: 'Email sent successfully',
  sentSome: (sent: number, all: number) => `Successfully sent ${sent} of ${all} emails`,
  failedEmails: (reason: string) => `Failed to send emails: ${reason}`,
  configured: 'Email configuration updated successfully',
  // Decision 023.
  noConnection:
    'Could not connect to email service. Please try again in a moment, then check the configuration in Email System.',
} as const

// Product 17.5.
export const defaultFirstName = 'Student'

export const mailLimits = {
  address: 254,
  name: 100,
  subject: 200,
  // characters
  body: 50_000,
  recipients: 20_000,
  // Security: limits the mail that a visitor can trigger to any address.
  welcomeADay: 3,
} as const
