import type { BodyFormat, MailContent } from '#server/mail/mail-content.ts'
import type { BatchKind, MailKind } from '#shared/mail.ts'

/** What a message of a batch has from it. */
export interface BatchText {
  kind: BatchKind
  /** A stored template's name, 'announcement', or 'custom': then `body` is the text. */
  template: string
  body: string
  bodyFormat: BodyFormat
  announcementId: string | null
}

/** A message of the ledger as it is about to be sent. */
export interface RenderableMessage {
  kind: MailKind
  recipient: string
  /** As the recipient reads it. */
  subject: string
  content: MailContent
  /** Null for a message of its own. */
  batch: BatchText | null
}

/** A picture that stands in the HTML as `cid:{cid}`. */
export interface InlinePicture {
  cid: string
  filename: string
  contentType: 'image/png'
  content: Buffer
}

/** A message as it goes to the mail server. */
export interface RenderedMail {
  subject: string
  html: string
  text: string
  /** Beside what every message has. Their values hold no line breaks. */
  headers: Record<string, string>
  attachments: InlinePicture[]
}

/**
 * Makes a message ready to be sent.
 *
 * @param senderAddress where somebody without a browser writes to have no more announcements
 */
export type RenderMail = (message: RenderableMessage, senderAddress: string) => Promise<RenderedMail>
