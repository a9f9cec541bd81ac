import MailComposer from 'nodemailer/lib/mail-composer'
import { AppError } from '#server/errors.ts'
import type { RenderedMail } from '#server/mail/rendering/render.ts'
import { isMailAddress } from '#shared/mail-address.ts'

/** A message ready for the mail server. */
export interface ComposedMessage {
  envelope: { from: string; to: string; size: number }
  bytes: Buffer
}

interface ComposeOptions extends RenderedMail {
  /** The id of its row in the ledger: what comes back is matched by it. */
  id: string
  from: { name: string; address: string }
  to: string
  date: Date
}

/**
 * Writes the message as it goes over the wire, to exactly one recipient.
 *
 * @throws AppError `invalid` for anything but one address
 */
export async function composeMessage(options: ComposeOptions): Promise<ComposedMessage> {
  const { id, from, to, date, subject, html, text, headers, attachments } = options
  if (!isMailAddress(to)) throw new AppError('invalid', { detail: 'The recipient is not an e-mail address.' })
  const node = new MailComposer({
    from,
    to: { name: '', address: to },
    date,
    messageId: messageIdOf(id, from.address),
    subject,
    // Texts only: an object here would have files or addresses read.
    text: String(text),
    html: String(html),
    headers,
    attachments,
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  const envelope = node.getEnvelope()
  const [recipient, ...others] = envelope.to
  if (recipient === undefined || others.length > 0) {
    throw new AppError('invalid', { detail: 'A message goes to exactly one recipient.' })
  }
  const bytes = await node.build()
  return { envelope: { from: from.address, to: recipient, size: bytes.length }, bytes }
}

/** How other servers name this message when it comes back. */
export function messageIdOf(id: string, senderAddress: string): string {
  return `<${id}@${senderAddress.slice(senderAddress.lastIndexOf('@') + 1)}>`
}
