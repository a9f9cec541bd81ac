import type { MailContent } from '#server/mail/mail-content.ts'
import type { MailKind } from '#shared/mail.ts'

/** A message to write into the ledger. */
export interface NewMessage {
  /** Made from the key of a request that must not be carried out twice; otherwise left out. */
  id?: string
  kind: MailKind
  batchId?: string
  studentId?: string
  /** Exactly one address, checked by `isMailAddress`. */
  recipient: string
  /** As the recipient reads it. */
  subject: string
  content: MailContent
}
