import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import {
  SMTPServer,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server'
import type { SendingAccount } from '#server/features/mail/mailer.ts'
import { createMailFaults, type MailFault, play } from './mail-faults.ts'

export interface ReceivedMessage {
  // Of its Message-ID: the id of its row in the ledger.
  id: string
  from: string
  to: string[]
  raw: string
  user: string | undefined
  isEncrypted: boolean
}

export interface MailSinkOptions {
  // 127.0.0.2 counts as remote for the product, which then requires TLS and a valid certificate.
  host?: '127.0.0.1' | '127.0.0.2'
  port?: number
  // With smtp-server's own certificate, which no client trusts.
  encryption?: 'implicit' | 'starttls' | 'none'
  certificate?: Pick<TlsOptions, 'key' | 'cert' | 'minVersion' | 'maxVersion' | 'ciphers'>
  // When offered, sign-in is required.
  offersSignIn?: boolean
  // Signs in by XOAUTH2 only, with the access tokens of this set.
  accessTokens?: ReadonlySet<string>
}

export interface MailSink {
  port: number
  account: SendingAccount
  messages: ReceivedMessage[]
  // Apart: each sign-in of a test would add one.
  notices: ReceivedMessage[]
  counts: { connections: number; open: () => number; offered: number; signIns: number }
  fault: (fault: MailFault) => void
  clearFaults: () => void
  reset: () => void
  close: () => Promise<void>
}

const password = 'an app password'

/** A real mail server that stores what it gets, and fails as the test scripts. */
export async function startMailSink(options: MailSinkOptions = {}): Promise<MailSink> {
  const { host = '127.0.0.1', encryption = 'none', offersSignIn = true } = options
  const faults = createMailFaults()
  const messages: ReceivedMessage[] = []
  const notices: ReceivedMessage[] = []
  const counts = { connections: 0, offered: 0, signIns: 0, open: () => server.connections.size }
  const userName = 'office@school.example'

  const disabledCommands = [
    ...(encryption === 'starttls' ? [] : ['STARTTLS']),
    ...(offersSignIn ? [] : ['AUTH']),
  ]
  const serverOptions: SMTPServerOptions = {
    secure: encryption === 'implicit',
    ...options.certificate,
    disabledCommands,
    authOptional: !offersSignIn,
    allowInsecureAuth: true,
    ...(options.accessTokens ? { authMethods: ['XOAUTH2'] } : {}),
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 1,
    onConnect(session, callback) {
      counts.connections += 1
      void play(faults.take('greeting'), () => cut(session), callback)
    },
    onAuth(auth, session, callback) {
      counts.signIns += 1
      const isRight =
        auth.username === userName &&
        (options.accessTokens ? options.accessTokens.has(auth.accessToken ?? '') : auth.password === password)
      // Gmail answers a refused access token by 334, and by 535 after that.
      const refusal = options.accessTokens
        ? { data: { status: '400' } }
        : { responseCode: 535, message: 'No.' }
      void play(
        faults.take('auth'),
        () => cut(session),
        (error) => callback(error, isRight ? { user: userName } : refusal),
      )
    },
    onMailFrom(_address, session, callback) {
      counts.offered += 1
      void play(faults.take('mail'), () => cut(session), callback)
    },
    onRcptTo({ address }, session, callback) {
      const fault = faults.take('rcpt', [address])
      refuseData(session, [...recipientsOf(session), address])
      void play(fault, () => cut(session), callback)
    },
    onData(stream, session, callback) {
      const recipients = recipientsOf(session)
      // After the "go ahead", which smtp-server writes when this function returns.
      const inBody = faults.take('body', recipients)
      if (inBody?.does === 'cut') return void setImmediate(() => cut(session))
      if (inBody?.does === 'silence') return
      void readAll(stream).then(
        (raw) => {
          const fault = faults.take('dot', recipients)
          const isAccepted = !fault || fault.does === 'wait' || (fault.does !== 'answer' && fault.accepts)
          if (isAccepted) store(session, raw)
          return play(fault, () => cut(session), callback)
        },
        // The client was killed in the middle of the message: no answer is needed.
        () => undefined,
      )
    },
  }
  const server = new SMTPServer(serverOptions)
  // Disconnecting clients are part of the simulated faults.
  server.on('error', () => undefined)

  function cut({ id }: SMTPServerSession): void {
    connectionOf(id)?._socket.destroy()
  }

  function connectionOf(id: string) {
    return [...server.connections].find((connection) => connection.id === id)
  }

  // smtp-server has no handler for DATA: its own is replaced once.
  function refuseData(session: SMTPServerSession, recipients: readonly string[]): void {
    const connection = connectionOf(session.id)
    if (!connection) return
    const original = Object.getPrototypeOf(connection).handler_DATA.bind(connection)
    connection.handler_DATA = (command, callback) => {
      const fault = faults.take('data', recipients)
      if (fault?.does !== 'answer' || recipientsOf(session).length === 0) {
        return void play(
          fault,
          () => cut(session),
          () => original(command, callback),
        )
      }
      connection.send(fault.code, fault.text)
      callback()
    }
  }

  function store(session: SMTPServerSession, raw: string): void {
    const { mailFrom } = session.envelope
    const received = /^Subject: Security notice/im.test(raw) ? notices : messages
    received.push({
      id: /^Message-ID: <([^@>]+)@/im.exec(raw)?.[1] ?? '',
      from: mailFrom === false ? '' : mailFrom.address,
      to: recipientsOf(session),
      raw,
      user: session.user,
      isEncrypted: session.secure,
    })
  }

  const listening = server.listen(options.port ?? 0, host)
  await once(listening, 'listening')
  // What listens on a port has an address of this kind.
  const { port } = listening.address() as AddressInfo
  return {
    port,
    account: {
      senderAddress: userName,
      senderName: '',
      userName,
      password,
      host,
      port,
      secure: encryption === 'implicit',
      mayConnect: () => true,
    },
    messages,
    notices,
    counts,
    fault: faults.add,
    clearFaults: faults.clear,
    reset() {
      faults.clear()
      messages.length = 0
      notices.length = 0
      Object.assign(counts, { connections: 0, offered: 0, signIns: 0 })
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve))
      for (const connection of server.connections) connection._socket.destroy()
      await closed
    },
  }
}

function recipientsOf({ envelope }: SMTPServerSession): string[] {
  return envelope.rcptTo.map(({ address }) => address)
}

async function readAll(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
