import type { NodemailerError } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { isSameSignIn, type SendingAccount } from '#server/features/mail/mailer.ts'
import { after } from '#server/lib/scheduler.ts'
import { type ComposedMessage, MessageStream } from './compose-message.ts'
import { classifyFailure, type SendOutcome } from './failures.ts'
import { isLocalhost, smtpOptions, withConnection } from './with-connection.ts'

/** ms; a message's claim lasts longer than the sum. */
export interface SmtpLimits {
  connectMs: number
  answerMs: number
  messageMs: number
}

export const smtpLimits: SmtpLimits = { connectMs: 10_000, answerMs: 30_000, messageMs: 60_000 }

interface SmtpSession {
  isUsable: () => boolean
  sentCount: () => number
  send: (message: ComposedMessage, deadline: AbortSignal) => Promise<SendOutcome>
  close: () => void
}

/** @throws NodemailerError for `mailProblemOf` */
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
  // A waiting caller gets the error from withConnection; an error while idle only closes the connection.
  connection.on('error', () => connection.close())
  await withConnection(connection, deadline, (done) => connection.connect(done))
  try {
    if (connection.allowsAuth) {
      const credentials = { user: account.userName, pass: account.password }
      await withConnection(connection, deadline, (done) => connection.login(credentials, done))
    } else if (!isLocalhost(account.host)) {
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

  async function reset(outcome: SendOutcome, stream: MessageStream, deadline: AbortSignal): Promise<void> {
    const isBetweenCommands = !stream.readableDidRead || stream.isEnded
    if (connection.destroyed || outcome.end === 'unknown' || !isBetweenCommands) return connection.close()
    await withConnection(connection, deadline, (done) => connection.reset(done)).catch(() =>
      connection.close(),
    )
  }

  let isClosing = false
  return {
    isUsable: () => !connection.destroyed && !isClosing,
    sentCount: () => sent,
    send,
    close() {
      isClosing = true
      if (!connection.destroyed) connection.quit()
    },
  }
}

function asError(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error))
}

// ms
const idleMs = 5_000
// Servers close longer connections.
const messagesEach = 100

interface IdleSession {
  session: SmtpSession
  account: SendingAccount
  cancel: () => void
}

export function createSessions(limits: SmtpLimits) {
  const idle = new Set<IdleSession>()

  function drop(one: IdleSession): void {
    one.cancel()
    idle.delete(one)
    one.session.close()
  }

  function takeIdle(account: SendingAccount): SmtpSession | undefined {
    for (const one of idle) {
      if (!one.session.isUsable() || !isSameSignIn(one.account, account)) {
        drop(one)
        continue
      }
      one.cancel()
      idle.delete(one)
      return one.session
    }
    return undefined
  }

  return {
    take: async (account: SendingAccount, deadline: AbortSignal): Promise<SmtpSession> =>
      takeIdle(account) ?? openSmtpSession(account, limits, deadline),

    release(session: SmtpSession, account: SendingAccount): void {
      if (session.sentCount() >= messagesEach) session.close()
      if (!session.isUsable()) return
      const one = { session, account, cancel: after(idleMs, () => drop(one)) }
      idle.add(one)
    },

    close(): void {
      for (const one of idle) drop(one)
    },
  }
}
