import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { NodemailerError } from 'nodemailer'
import type { ExternalLogger } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { after } from '#server/lib/scheduler.ts'
import { notShown } from '#shared/mail/mail.ts'
import type { ConversationLine } from '#shared/mail/mail-response.ts'
import { checkedAddresses } from './allowed-server.ts'
import { outcomeOfError, type SendOutcome } from './failures.ts'
import { type ComposedMessage, MessageStream } from './message.ts'
import { createTokenLogin } from './token-login.ts'

/** ms; a message's claim lasts longer than the sum. */
export interface SmtpLimits {
  connectMs: number
  answerMs: number
  messageMs: number
}

export const smtpLimits: SmtpLimits = { connectMs: 10_000, answerMs: 30_000, messageMs: 60_000 }

/** For a user who waits. `answerMs` is longer than `connectMs`, whose errors say what timed out. */
export const testLimits: SmtpLimits = { connectMs: 10_000, answerMs: 11_000, messageMs: 60_000 }

// bytes: above this the connection is closed.
const maxAnswerBytes = 64 * 1024

interface SessionOptions {
  account: SendingAccount
  limits: SmtpLimits
  // Limits connecting and signing in.
  deadline: AbortSignal
  transcript?: Transcript
}

export type SmtpSession = Awaited<ReturnType<typeof connect>>

// Another address of the name may answer. A silent one has taken the time already.
const tryNext = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']

/**
 * Security: TLS and a valid certificate are required, except for localhost.
 * @throws NodemailerError, also from `signIn`
 */
export async function connect(options: SessionOptions) {
  const { account, limits, deadline } = options
  const resolving = AbortSignal.any([deadline, AbortSignal.timeout(limits.connectMs)])
  const [first, ...others] = await checkedAddresses(account.host, account.mayConnect, resolving)
  let attempt = connectTo(first, options)
  for (const address of others) {
    attempt = attempt.catch((error: unknown) => {
      const { code = '', originalCode = code } = asError(error)
      if (!tryNext.includes(originalCode)) throw error
      return connectTo(address, options)
    })
  }
  return await attempt
}

async function connectTo(address: string, { account, limits, deadline, transcript }: SessionOptions) {
  const { host, port, secure, userName, password, tokens } = account
  const isLocal = isLocalhost(host)
  const connection = new SMTPConnection({
    host: address,
    port,
    secure,
    requireTLS: !secure && !isLocal,
    // The certificate is that of the name.
    tls: {
      rejectUnauthorized: !isLocal,
      minVersion: 'TLSv1.2',
      ...(isIP(host) ? {} : { servername: host }),
    },
    connectionTimeout: limits.connectMs,
    greetingTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    socketTimeout: limits.answerMs,
    socketCloseTimeout: 1_000,
    maxResponseSize: maxAnswerBytes,
    ...(transcript ? { logger: transcript.logger, transactionLog: true } : {}),
  })
  let sentCount = 0
  let isClosing = false
  // A waiting caller gets the error from `run`; an error while idle only closes the connection.
  connection.on('error', () => connection.close())

  type Done = (error?: NodemailerError | null) => void

  function run(signal: AbortSignal, command: (done: Done) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const done: Done = (error) => {
        signal.removeEventListener('abort', abort)
        connection.off('error', done)
        if (error) reject(error)
        else resolve()
      }
      const abort = () => {
        done(Object.assign(new Error('deadline exceeded'), { code: 'ETIMEDOUT' }))
        connection.close()
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort)
      connection.on('error', done)
      command(done)
    })
  }

  async function resetAfter(outcome: SendOutcome, stream: MessageStream, signal: AbortSignal): Promise<void> {
    const isBetweenCommands = !stream.readableDidRead || stream.isEnded
    if (connection.destroyed || outcome.end === 'unknown' || !isBetweenCommands) return connection.close()
    await run(signal, (done) => connection.reset(done)).catch(() => connection.close())
  }

  async function logIn(): Promise<void> {
    if (!tokens) return run(deadline, (done) => connection.login({ user: userName, pass: password }, done))
    const login = createTokenLogin(account, tokens, (secret) => transcript?.hide(secret))
    await run(deadline, (done) => connection.login(login.auth, done)).catch((error: unknown) => {
      throw login.reasonOf(asError(error))
    })
  }

  await run(deadline, (done) => connection.connect(done))
  transcript?.note(describeEncryption(connection._socket))

  return {
    isUsable: () => !connection.destroyed && !isClosing,
    sentCount: () => sentCount,

    /** @returns whether the server requires it */
    async signIn(): Promise<boolean> {
      try {
        if (connection.allowsAuth) {
          await logIn()
        } else if (!isLocal) {
          throw Object.assign(new Error('the server offers no sign-in'), { code: 'EAUTH' })
        }
        return connection.allowsAuth
      } catch (error) {
        connection.close()
        throw error
      }
    },

    async send({ envelope, bytes }: ComposedMessage, signal: AbortSignal): Promise<SendOutcome> {
      const stream = new MessageStream(bytes)
      try {
        await run(signal, (done) => connection.send(envelope, stream, (error) => done(error)))
        sentCount += 1
        return { end: 'sent' }
      } catch (error) {
        const outcome = outcomeOfError(asError(error), stream.isEnded)
        await resetAfter(outcome, stream, signal)
        return outcome
      }
    },

    close(): void {
      isClosing = true
      if (!connection.destroyed) connection.quit()
    },
  }
}

/** @throws NodemailerError */
export async function openSession(options: SessionOptions): Promise<SmtpSession> {
  const session = await connect(options)
  await session.signIn()
  return session
}

export function asError(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error))
}

// Loopback traffic can’t be intercepted.
const localHosts = new Set(['127.0.0.1', '::1', 'localhost'])

export function isLocalhost(host: string): boolean {
  return localHosts.has(host.toLowerCase())
}

const signIn = ['host', 'port', 'secure', 'userName', 'password', 'tokens'] as const
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

  function remove(one: IdleSession): void {
    one.cancel()
    idle.delete(one)
  }

  function drop(one: IdleSession): void {
    remove(one)
    one.session.close()
  }

  return {
    async take(account: SendingAccount, deadline: AbortSignal): Promise<SmtpSession> {
      for (const one of idle) {
        if (one.session.isUsable() && signIn.every((name) => one.account[name] === account[name])) {
          remove(one)
          return one.session
        }
        drop(one)
      }
      return await openSession({ account, limits, deadline })
    },

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

function describeEncryption(socket: unknown): string {
  if (!(socket instanceof TLSSocket)) return 'Not encrypted: this is a server on this machine.'
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

export type Transcript = ReturnType<typeof createTranscript>

/**
 * Security: removes the sign-in, and secrets in every encoding.
 * @param secret removed from every line
 */
export function createTranscript(secret: string) {
  const lines: ConversationLine[] = []
  const secrets: string[] = []
  let isSigningIn = false

  function clean(text: string): string {
    return secrets.reduce((cleaned, one) => cleaned.replaceAll(one, notShown), text)
  }

  /** Hides a secret in the transcript from now on. */
  function hide(one: string): void {
    if (one !== '') secrets.push(one, Buffer.from(one).toString('base64'))
  }
  hide(secret)

  function add(by: ConversationLine['by'], text: string): void {
    if (lines.length >= maxLines) return
    const line = clean(text)
    lines.push({ by, text: line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line })
  }

  function addClient(text: string): void {
    const mechanism = /^AUTH \S+/i.exec(text)?.[0]
    if (mechanism) isSigningIn = true
    if (mechanism === text) add('client', text)
    else if (mechanism) add('client', `${mechanism} ${notShown}`)
    else add('client', isSigningIn ? notShown : text)
  }

  function addServer(text: string): void {
    // 334 is a challenge of the sign-in; every other answer ends it.
    isSigningIn &&= /^334[ -]/.test(text)
    for (const line of isSigningIn ? [`334 ${notShown}`] : text.split('\n')) add('server', line)
  }

  const logger: ExternalLogger = {
    debug(entry: { tnx?: string }, text: unknown) {
      if (typeof text !== 'string') return
      if (entry.tnx === 'client') addClient(text)
      if (entry.tnx === 'server') addServer(text)
    },
  }

  return { lines, logger, clean, hide, note: (text: string) => add('note', text) }
}
