import type { MailKind } from './mail.ts'

/** A message that came back and is to be seen to. */
export interface ReturnedMessage {
  id: string
  /** Null when the address is none of a student. */
  studentId: string | null
  /** 'Dela Cruz, Juan' */
  studentName: string | null
  recipient: string
  /** RFC 3463: '5.1.1'. */
  status: string
  /** What the refusing mail server said, in its words; '' when it said nothing. */
  diagnostic: string
  /** ISO instant. */
  receivedAt: string
  messageId: string | null
  /** The subject of the mail that came back; '' when it is no longer known. */
  subject: string
  kind: MailKind | null
}

/** How the reading of the mailbox stands. */
export interface MailboxStatus {
  /** Whether the account names a mailbox to read. */
  isConfigured: boolean
  isChecking: boolean
  /** ISO instant of the last try; null before the first. */
  checkedAt: string | null
  /** Why it could not be read then: a sentence; '' when it could. */
  failure: string
}

/** The addresses to fix, newest first. */
export interface ReturnedPage {
  items: ReturnedMessage[]
  nextCursor: string | null
  /** How many there are in all. */
  openCount: number
  mailbox: MailboxStatus
}

export const returnedPageSize = 50

export const returnedSentences = {
  missing: 'This entry is no longer there.',
  notConfigured: 'No mailbox is configured. Enter the IMAP server in the e-mail configuration.',
  onlyAdmins: 'Only administrators can see which mail came back.',
} as const

/** By the beginning of the status; the longest that fits counts. */
const reasons: Record<string, string> = {
  '4': 'The mail could not be delivered in time',
  '4.2.2': 'The mailbox is full',
  '4.4': 'The recipient’s mail server could not be reached in time',
  '5': 'The recipient’s mail server refused the mail',
  '5.1': 'This address is not valid',
  '5.1.1': 'This address does not exist',
  '5.1.2': 'The part after the @ does not exist',
  '5.1.3': 'This address is not written correctly',
  '5.1.6': 'The mailbox has moved to another address',
  '5.1.10': 'The part after the @ takes no mail',
  '5.2': 'The mailbox takes no mail',
  '5.2.1': 'The mailbox is closed',
  '5.2.2': 'The mailbox is full',
  '5.2.3': 'The mail is too large for the mailbox',
  '5.3': 'The recipient’s mail server has a problem',
  '5.3.4': 'The mail is too large for the recipient’s mail server',
  '5.4': 'The recipient’s mail server could not be reached',
  '5.7': 'The recipient’s mail server refused us, not the address',
}

/** Why a message came back, in words: '5.1.1' is an address that does not exist. */
export function returnReason(status: string): string {
  const [kind = '', subject, detail] = status.split('.')
  return (
    reasons[`${kind}.${subject}.${detail}`] ??
    reasons[`${kind}.${subject}`] ??
    reasons[kind] ??
    'The mail came back'
  )
}
