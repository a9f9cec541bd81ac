import * as z from 'zod/mini'
import type { BatchSummary, MailItem, MailKind, MailState } from './mail.ts'
import { optOutSentences } from './mail-opt-out.ts'
import type { PlaceholderTexts } from './mail-placeholders.ts'

/** What is read of bulk e-mails and of messages: lists, newest first, in pieces. */

/** A piece of a list; null at its end. */
interface Piece<Item> {
  items: Item[]
  nextCursor: string | null
}

export type BatchPage = Piece<BatchSummary>
export type MailPage = Piece<MailItem>

/** One message as its recipient reads it. */
export interface MailDetails extends MailItem {
  html: string
  text: string
}

/** Whom a bulk e-mail to students would go to. */
export interface AudiencePreview {
  /** How many mails: each address gets one. */
  count: number
  /** Left out: who opted out, whose address a student before has, whose address is none. */
  optedOut: number
  duplicates: number
  invalid: number
  /** The first few, to preview the mail with. */
  sample: AudienceSample[]
}

/** A student of an audience, with what stands in for the placeholders. */
export interface AudienceSample extends PlaceholderTexts {
  id: string
  email: string
}

/** What the record of a list's recipient fills in; null when no active student has the address. */
export interface RecipientRecord {
  values: PlaceholderTexts | null
}

/** The answer of POST /api/send-bulk-emails (spec §3 "Bulk result"). */
export interface BulkResult {
  success: boolean
  message: string
  results: BulkRecipientResult[]
  errors: string[]
  batchId: string
}

/**
 * How far one recipient's mail is. Only what was sent is a success; queued is neither that nor an error. left-out: none
 * was made · deleted: nothing is kept of it any more, and it may have been sent
 */
export interface BulkRecipientResult {
  email: string
  success: boolean
  error: string | null
  state: MailState | 'left-out' | 'deleted'
}

export const batchPageSize = 20
export const mailPageSize = 50
/** Longest text that messages are searched for. */
export const maxMailSearch = 100

/** What a decision about a message is refused with. */
export const mailDecisionSentences = {
  notFound: 'This e-mail is no longer in the history.',
  batchNotFound: 'This bulk e-mail is no longer in the history.',
  notToSendAgain: 'Only an e-mail that failed, or whose end is unknown, can be sent again.',
  notUnknown: 'Somebody decided about this e-mail already.',
  repeated: 'This e-mail was already sent again with another bulk e-mail.',
  cancelled: 'This bulk e-mail was cancelled.',
  nothingFailed: 'No e-mail of this bulk e-mail has failed that was not sent again already.',
  nobodyLeft: 'Nobody is left to write to: everybody on the list opted out or has no valid address.',
  optedOut: 'This address wants no announcements by e-mail any more.',
  /** A key stands for one bulk e-mail: the same again is a retry, another one a slip. */
  otherBatch:
    'This Idempotency-Key was used for another bulk e-mail. Please use a new one for each bulk e-mail.',
  settledAsFailed: 'Marked as not sent.',
} as const

/** A message in a student's details. */
export interface StudentMailItem {
  id: string
  kind: MailKind
  subject: string
  recipient: string
  state: MailState
  createdAt: string
  /** When the state became final. */
  endedAt: string | null
  failure: string
}

/** The mail of a student. */
export interface StudentMail {
  /** Whether the student's address gets no announcements. */
  optedOut: boolean
  /** The newest first. */
  messages: StudentMailItem[]
}

/** How many messages a student's details show. */
export const studentMailLimit = 50

/** Whether a student gets announcements by mail. */
export const studentMailChangeSchema = z.strictObject({ announcements: z.boolean(optOutSentences.choose) })
