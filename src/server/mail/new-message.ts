import type { MailKind } from '#shared/mail.ts'
import type { MailContent } from './mail-content.ts'

/** A message to write into the ledger. */
export interface NewMessage {
  kind: MailKind
  batchId?: string
  studentId?: string
  /** Exactly one address, checked by `isEmail`. */
  recipient: string
  /** As the recipient reads it. */
  subject: string
  content: MailContent
  /** Not sent before. Now, unless given. */
  notBefore?: Date
}
