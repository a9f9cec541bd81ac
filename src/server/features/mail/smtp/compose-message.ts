import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { RenderedMail } from '#server/features/mail/rendering/render.ts'
import { AppError } from '#server/lib/errors.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'

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

/** Handed over at once; less than a socket takes without waiting. */
const chunkBytes = 16_384

/**
 * The bytes of a message on their way to the mail server. Its end stands for the final dot, after which nobody can
 * know any more whether the server accepted the message until it answers.
 */
export class MessageStream extends Readable {
  /** Whether the final dot may have been written. */
  isEnded = false
  readonly #message: Buffer
  #offset = 0

  constructor(message: Buffer) {
    super({ highWaterMark: chunkBytes })
    this.#message = message
  }

  override _read(): void {
    if (this.#offset < this.#message.length) {
      const from = this.#offset
      this.#offset += chunkBytes
      this.push(this.#message.subarray(from, this.#offset))
      return
    }
    // A look at the connection before the point of no return: what broke off until now was certainly not accepted.
    setImmediate(() => setImmediate(() => this.#end()))
  }

  #end(): void {
    if (this.destroyed) return
    this.isEnded = true
    this.push(null)
  }
}
