import { TLSSocket } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SendingAccount } from '#server/mail/sending-account.ts'
import { classifyFailure } from './classify-failure.ts'
import type { ComposedMessage } from './compose-message.ts'
import { isConnectionError } from './connection-failures.ts'
import { describeEncryption } from './describe-encryption.ts'
import { MessageStream } from './message-stream.ts'
import type { SendOutcome } from './send-outcome.ts'
import { isOwnMachine, smtpOptions } from './smtp-options.ts'
import type { Transcript } from './transcript.ts'
import { withConnection } from './with-connection.ts'

/** Until the greeting, encryption included, and for each answer after it. In milliseconds. */
const answerMs = 10_000
/** More than any answer needs; a server that says more is cut off. */
const maxAnswerBytes = 64 * 1024

interface ConversationOptions {
  account: SendingAccount
  transcript: Transcript
  /** Aborts when it takes too long altogether. */
  deadline: AbortSignal
}

export type Conversation = Awaited<ReturnType<typeof openConversation>>

/**
 * Connects to a mail server, and encrypts, so that somebody can see how it goes.
 *
 * @throws NodemailerError, which `explainFailure` makes a sentence of
 */
export async function openConversation({ account, transcript, deadline }: ConversationOptions) {
  const connection = new SMTPConnection({
    ...smtpOptions(account),
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    dnsTimeout: answerMs,
    // After the clocks of the greeting and of the encryption, which tell what was waited for.
    socketTimeout: answerMs + 1_000,
    socketCloseTimeout: 1_000,
    maxResponseSize: maxAnswerBytes,
    logger: transcript.logger,
    transactionLog: true,
  })
  // Whoever waits hears of an error; one that nobody waits for only ends the connection.
  connection.on('error', () => connection.close())
  await withConnection(connection, deadline, (done) => connection.connect(done))
  const socket = connection._socket
  transcript.note(
    socket instanceof TLSSocket
      ? describeEncryption(socket)
      : 'Not encrypted: this is a server on this machine.',
  )

  return {
    /**
     * Signs in.
     *
     * @returns false where a server of this machine asks nobody to
     * @throws NodemailerError
     */
    async signIn(): Promise<boolean> {
      if (!connection.allowsAuth) {
        if (isOwnMachine(account.host)) return false
        throw Object.assign(new Error('the server offers no sign-in'), { code: 'EAUTH' })
      }
      const credentials = { user: account.userName, pass: account.password }
      await withConnection(connection, deadline, (done) => connection.login(credentials, done))
      return true
    },

    /** Hands one message over. Never rejects for what the server does. */
    async send({ envelope, bytes }: ComposedMessage): Promise<SendOutcome> {
      const stream = new MessageStream(bytes)
      try {
        await withConnection(connection, deadline, (done) =>
          connection.send(envelope, stream, (error) => done(error)),
        )
        return { end: 'sent' }
      } catch (error) {
        if (!isConnectionError(error)) throw error
        return classifyFailure(error, stream.isEnded)
      }
    },

    /** Takes its leave. */
    close(): void {
      if (!connection.destroyed) connection.quit()
    },
  }
}
