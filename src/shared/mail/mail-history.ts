import * as z from 'zod/mini'
import type { BatchSummary, MailItem, MailKind, MailState } from './mail.ts'
import { optOutSentences } from './mail-opt-out.ts'
import type { PlaceholderTexts } from './mail-placeholders.ts'

interface Page<Item> {
  items: Item[]
  nextCursor: string | null
}

export type BatchPage = Page<BatchSummary>
export type MailPage = Page<MailItem>

export interface MailDetails extends MailItem {
  html: string
  text: string
}

export interface AudiencePreview {
  count: number
  optedOut: number
  duplicates: number
  invalid: number
  sample: AudienceSample[]
}

export interface AudienceSample extends PlaceholderTexts {
  id: string
  email: string
}

export interface RecipientRecord {
  values: PlaceholderTexts | null
}

/** Spec §3 "Bulk result". */
export interface BulkResult {
  success: boolean
  message: string
  results: BulkRecipientResult[]
  errors: string[]
  batchId: string
}

export interface BulkRecipientResult {
  email: string
  success: boolean
  error: string | null
  state: MailState | 'left-out' | 'deleted'
}

export const batchPageSize = 20
export const mailPageSize = 50
export const maxMailSearch = 100

export const mailDecisionSentences = {
  notFound: 'This e-mail is no longer in the history.',
  batchNotFound: 'This bulk e-mail is no longer in the history.',
  notToSendAgain: 'Only an e-mail that failed or has an unknown result can be sent again.',
  alreadySettled: 'This e-mail was already marked as sent or failed.',
  repeated: 'This e-mail was already sent again with another bulk e-mail.',
  cancelled: 'This bulk e-mail was cancelled.',
  nothingFailed: 'This bulk e-mail has no failed e-mails left to send again.',
  nobodyLeft: 'No recipients left: all opted out or have no valid address.',
  optedOut: 'The owner of this address has stopped announcements by e-mail.',
  otherBatch:
    'This Idempotency-Key was used for another bulk e-mail. Please use a new one for each bulk e-mail.',
  settledAsFailed: 'Marked as not sent.',
} as const

export interface StudentMailItem {
  id: string
  kind: MailKind
  subject: string
  recipient: string
  state: MailState
  createdAt: string
  endedAt: string | null
  failure: string
}

export interface StudentMail {
  optedOut: boolean
  messages: StudentMailItem[]
}

export const studentMailLimit = 50

export const studentMailChangeSchema = z.strictObject({ announcements: z.boolean(optOutSentences.choose) })
