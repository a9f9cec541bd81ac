import * as z from 'zod/mini'
import type { MailKind, MailState } from './mail.ts'
import { optOutSentences } from './mail-opt-out.ts'

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
