import { Readable } from 'node:stream'

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
