import { TLSSocket } from 'node:tls'
import type { ExternalLogger } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { type ConversationLine, notShown } from '#shared/mail/server-test.ts'
import { type ComposedMessage, MessageStream } from './compose-message.ts'
import { classifyFailure, isConnectionError, type SendOutcome } from './failures.ts'
import { isLocalhost, smtpOptions, withConnection } from './with-connection.ts'

// ms for the greeting with TLS, and for each answer.
const answerMs = 10_000
// bytes: above this the connection is closed.
const maxAnswerBytes = 64 * 1024

interface ConversationOptions {
  account: SendingAccount
  transcript: Transcript
  deadline: AbortSignal
}

export type Conversation = Awaited<ReturnType<typeof openConversation>>

/** @throws NodemailerError for `explainFailure` */
export async function openConversation({ account, transcript, deadline }: ConversationOptions) {
  const connection = new SMTPConnection({
    ...smtpOptions(account),
    connectionTimeout: answerMs,
    greetingTimeout: answerMs,
    dnsTimeout: answerMs,
    // Longer than the timeouts of the greeting and of TLS, whose errors say what timed out.
    socketTimeout: answerMs + 1_000,
    socketCloseTimeout: 1_000,
    maxResponseSize: maxAnswerBytes,
    logger: transcript.logger,
    transactionLog: true,
  })
  // A waiting caller gets the error from withConnection; an error while idle only closes the connection.
  connection.on('error', () => connection.close())
  await withConnection(connection, deadline, (done) => connection.connect(done))
  const socket = connection._socket
  transcript.note(
    socket instanceof TLSSocket
      ? describeEncryption(socket)
      : 'Not encrypted: this is a server on this machine.',
  )

  return {
    /** @throws NodemailerError */
    async signIn(): Promise<boolean> {
      if (!connection.allowsAuth) {
        if (isLocalhost(account.host)) return false
        throw Object.assign(new Error('the server offers no sign-in'), { code: 'EAUTH' })
      }
      const credentials = { user: account.userName, pass: account.password }
      await withConnection(connection, deadline, (done) => connection.login(credentials, done))
      return true
    },

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

    close(): void {
      if (!connection.destroyed) connection.quit()
    },
  }
}

function describeEncryption(socket: TLSSocket): string {
  const { subject, issuer, valid_to: end } = socket.getPeerCertificate()
  const protocol = socket.getProtocol() ?? 'TLS'
  if (!subject) return `Encrypted with ${protocol}.`
  const name = nameOf(subject.CN)
  const authority = nameOf(issuer.O ?? issuer.CN)
  return `Encrypted with ${protocol}. The certificate of ${name} was issued by ${authority} and is valid until ${end}.`
}

function nameOf(name: string | string[] | undefined): string {
  return [name].flat().find((one) => one !== undefined && one !== '') ?? 'an unnamed owner'
}

// characters
const maxLineLength = 300
const maxLines = 200

type Transcript = ReturnType<typeof createTranscript>

/**
 * Security: removes the sign-in and every encoding of the secrets.
 * @param secrets removed from every line
 */
export function createTranscript(secrets: readonly string[]) {
  const lines: ConversationLine[] = []
  const hidden = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, base64(secret)])
  let isSigningIn = false

  function add(by: ConversationLine['by'], text: string): void {
    if (lines.length >= maxLines) return
    const line = clean(text)
    lines.push({ by, text: line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line })
  }

  function clean(text: string): string {
    return hidden.reduce((rest, secret) => rest.replaceAll(secret, notShown), text)
  }

  function recordClient(text: string): void {
    const mechanism = /^AUTH \S+/i.exec(text)?.[0]
    if (mechanism) {
      isSigningIn = true
      add('client', text === mechanism ? text : `${mechanism} ${notShown}`)
    } else {
      add('client', isSigningIn ? notShown : text)
    }
  }

  function recordServer(text: string): void {
    // 334 is a challenge of the sign-in; every other answer ends it.
    const isChallenge = /^334[ -]/.test(text)
    if (isSigningIn && isChallenge) {
      add('server', `334 ${notShown}`)
      return
    }
    isSigningIn = false
    for (const line of text.split('\n')) add('server', line)
  }

  const logger: ExternalLogger = {
    debug(entry: { tnx?: string }, text: unknown) {
      if (typeof text !== 'string') return
      if (entry.tnx === 'client') recordClient(text)
      if (entry.tnx === 'server') recordServer(text)
    },
  }

  return { lines, logger, clean, note: (text: string) => add('note', text) }
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
