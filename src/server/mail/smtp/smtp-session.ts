import type { NodemailerError } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SendingAccount } from '#server/mail/sending-account.ts'
import { classifyFailure } from './classify-failure.ts'
import type { ComposedMessage } from './compose-message.ts'
import { MessageStream } from './message-stream.ts'
import type { SendOutcome } from './send-outcome.ts'
import { isOwnMachine, smtpOptions } from './smtp-options.ts'
import { withConnection } from './with-connection.ts'

/** How long a server may take. All in milliseconds; a message's claim lasts longer than all of it together. */
export interface SmtpLimits {
  /** To the greeting, encryption included. */
  connectMs: number
  /** For each answer. */
  answerMs: number
  /** For the message as a whole. */
  messageMs: number
}

export const smtpLimits: SmtpLimits = { connectMs: 10_000, answerMs: 30_000, messageMs: 60_000 }

/** A connection to the mail server, signed in. */
export interface SmtpSession {
  /** Whether another message may go this way. */
  isUsable: () => boolean
  /** How many messages went this way. */
  sentCount: () => number
  /** Sends one message. Never rejects. */
  send: (message: ComposedMessage, deadline: AbortSignal) => Promise<SendOutcome>
  /** Takes its leave. */
  close: () => void
}

/**
 * Connects, encrypts and signs in.
 *
 * @param deadline aborts when it takes too long altogether
 * @throws NodemailerError, which `troubleOf` makes a sentence of
 */
export async function openSmtpSession(
  account: SendingAccount,
  limits: SmtpLimits,
  deadline: AbortSignal,
): Promise<SmtpSession> {
  const connection = new SMTPConnection({
    ...smtpOptions(account),
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.answerMs,
    socketCloseTimeout: 1_000,
  })
  // Whoever waits hears of an error; one that nobody waits for only ends the connection.
  connection.on('error', () => connection.close())
  await withConnection(connection, deadline, (done) => connection.connect(done))
  try {
    if (connection.allowsAuth) {
      const credentials = { user: account.userName, pass: account.password }
      await withConnection(connection, deadline, (done) => connection.login(credentials, done))
    } else if (!isOwnMachine(account.host)) {
      throw Object.assign(new Error('the server offers no authentication'), { code: 'EAUTH' })
    }
  } catch (error) {
    connection.close()
    throw error
  }
  return sessionOver(connection)
}

function sessionOver(connection: SMTPConnection): SmtpSession {
  let sent = 0

  async function send({ envelope, bytes }: ComposedMessage, deadline: AbortSignal): Promise<SendOutcome> {
    const stream = new MessageStream(bytes)
    try {
      await withConnection(connection, deadline, (done) =>
        connection.send(envelope, stream, (error) => done(error)),
      )
      sent += 1
      return { end: 'sent' }
    } catch (error) {
      const outcome = classifyFailure(asError(error), stream.isEnded)
      await reset(outcome, stream, deadline)
      return outcome
    }
  }

  /** After a refusal the server may still hold a part of the envelope. */
  async function reset(outcome: SendOutcome, stream: MessageStream, deadline: AbortSignal): Promise<void> {
    const isBetweenCommands = !stream.readableDidRead || stream.isEnded
    if (connection.destroyed || outcome.end === 'unknown' || !isBetweenCommands) return connection.close()
    await withConnection(connection, deadline, (done) => connection.reset(done)).catch(() =>
      connection.close(),
    )
  }

  let isLeaving = false
  return {
    isUsable: () => !connection.destroyed && !isLeaving,
    sentCount: () => sent,
    send,
    close() {
      isLeaving = true
      if (!connection.destroyed) connection.quit()
    },
  }
}

function asError(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error))
}
