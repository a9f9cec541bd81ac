import { Readable } from 'node:stream'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import type { RenderableMessage, RenderedMail, RenderMail } from '#server/features/mail/rendering/render.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { AppError } from '#server/lib/errors.ts'
import { isMailAddress } from '#shared/mail/mail-address.ts'

export interface ComposedMessage {
  envelope: { from: string; to: string; size: number }
  bytes: Buffer
}

interface ComposeOptions extends RenderedMail {
  id: string
  from: { name: string; address: string }
  to: string
  date: Date
}

export interface ComposerOptions extends Pick<AppContext, 'clock'> {
  render: RenderMail
  schoolName: () => string
}

export function createComposer({ render, clock, schoolName }: ComposerOptions) {
  return async (
    message: RenderableMessage & { id: string },
    { senderAddress: address, senderName }: SendingAccount,
  ): Promise<ComposedMessage> => {
    const rendered = await render(message, address)
    const from = { name: senderName || schoolName(), address }
    return composeMessage({ ...rendered, id: message.id, from, to: message.recipient, date: clock() })
  }
}

/**
 * Security: exactly one recipient.
 * @throws AppError `invalid` for anything but one address
 */
export async function composeMessage(options: ComposeOptions): Promise<ComposedMessage> {
  const { id, from, to, date, subject, html, text, headers, attachments } = options
  if (!isMailAddress(to)) throw new AppError('invalid', 'The recipient is not an e-mail address.')
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const node = new MailComposer({
    from,
    to: { name: '', address: to },
    date,
    messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
    subject,
    // Security: strings only, because MailComposer reads files and URLs given as objects.
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
    throw new AppError('invalid', 'A message goes to exactly one recipient.')
  }
  const bytes = await node.build()
  return { envelope: { from: from.address, to: recipient, size: bytes.length }, bytes }
}

// bytes: less than a socket buffers.
const chunkBytes = 16_384

/** The stream's end is the final dot: after it the result is unknown until the server answers. */
export class MessageStream extends Readable {
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
    // Lets a lost connection be noticed before the final dot: until then the message was certainly not accepted.
    setImmediate(() => setImmediate(() => this.#end()))
  }

  #end(): void {
    if (this.destroyed) return
    this.isEnded = true
    this.push(null)
  }
}
