import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exchangeReport, gmailReport, plainReport, postfixReport } from '#tests/factories/delivery-reports.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { connectToMailbox, mailboxFailure, maxReportBytes, readReport } from './mailbox-reader.ts'
import { SignInFailure } from './smtp/failures.ts'

describe('a connection to a mailbox', () => {
  let server: Server
  let commands: string[]
  let port: number

  beforeEach(async () => {
    commands = []
    server = createServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n')
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        const [tag = '', ...command] = data.toString().trim().split(' ')
        commands.push(command.join(' '))
        socket.write(`${tag} OK done\r\n`)
      })
    })
    // All of 127/8 is local, but only the usual addresses count as localhost.
    server.listen(0, '127.0.0.2')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  afterEach(() => {
    server.close()
  })

  test('sends no password to a remote server without TLS', async () => {
    const mailbox = {
      host: '127.0.0.2',
      port,
      userName: 'nstp',
      password: 'app password',
      mayConnect: () => true,
    }
    const failure = await connectToMailbox(mailbox, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(mailboxFailure(failure, mailbox)).toBe(
      `The mail server at 127.0.0.2, port ${port} offers no encrypted connection. Check the port: it is usually 993.`,
    )
    expect(commands.join('\n')).not.toMatch(/LOGIN|AUTHENTICATE|nstp|app password/)
  })

  test('is not opened to an address of a closed network', async () => {
    const opened: string[] = []
    server.on('connection', () => opened.push('connection'))
    const asked: string[] = []
    const mayConnect = (address: string) => {
      asked.push(address)
      return false
    }
    const mailbox = { host: '127.0.0.2', port, userName: 'nstp', password: 'app password', mayConnect }
    const failure = await connectToMailbox(mailbox, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(mailboxFailure(failure, mailbox)).toMatch(/private network/)
    expect([asked, opened]).toEqual([['127.0.0.2'], []])
  })

  test('is not opened after an abort', async () => {
    const mailbox = {
      host: '127.0.0.2',
      port,
      userName: 'nstp',
      password: 'app password',
      mayConnect: () => true,
    }
    await expect(connectToMailbox(mailbox, AbortSignal.abort())).rejects.toThrow(/abort/i)
    expect(commands).toEqual([])
  })
})

describe('a mailbox that is opened by OAuth 2', () => {
  let server: Server
  let port: number
  let accepted: string

  beforeEach(async () => {
    accepted = 'the access token'
    server = createServer((socket) => {
      const greeting = '* OK [CAPABILITY IMAP4rev1 SASL-IR AUTH=XOAUTH2] ready\r\n'
      socket.write(greeting)
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        const [tag = '', command = '', mechanism = '', coded = ''] = data.toString().trim().split(' ')
        const given = Buffer.from(coded, 'base64').toString()
        const isRight = mechanism === 'XOAUTH2' && given === `user=nstp\x01auth=Bearer ${accepted}\x01\x01`
        const isRefused = command === 'AUTHENTICATE' && !isRight
        socket.write(`${tag} ${isRefused ? 'NO [AUTHENTICATIONFAILED] no' : 'OK done'}\r\n`)
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  afterEach(() => {
    server.close()
  })

  function mailboxWith(current: () => Promise<string>) {
    const forgotten: string[] = []
    const tokens = { way: 'microsoft' as const, current, forget: (token: string) => forgotten.push(token) }
    const mailbox = {
      host: '127.0.0.1',
      port,
      userName: 'nstp',
      password: '',
      mayConnect: () => true,
      tokens,
    }
    return { mailbox, forgotten }
  }

  test('gets the access token', async () => {
    const { mailbox, forgotten } = mailboxWith(async () => 'the access token')
    const client = await connectToMailbox(mailbox, new AbortController().signal)
    expect(client.authenticated).toBeTruthy()
    client.close()
    expect(forgotten).toEqual([])
  })

  test('and refuses it, says what is usually missing, and gets another one next time', async () => {
    accepted = 'another'
    const { mailbox, forgotten } = mailboxWith(async () => 'the access token')
    const failure = await connectToMailbox(mailbox, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(mailboxFailure(failure, mailbox)).toBe(
      `The mail server at 127.0.0.1, port ${port} did not accept the permission of Microsoft 365. The app needs IMAP.AccessAsApp with admin consent and access to this mailbox, and the mailbox needs IMAP.`,
    )
    expect(forgotten).toEqual(['the access token'])
  })

  test('is not connected to without one, and the reason is that of the provider', async () => {
    const sentence = 'Google no longer accepts the stored permission.'
    const refusal = new SignInFailure(
      { kind: 'sign-in', sentence },
      { path: 'refreshToken', message: sentence },
    )
    const { mailbox } = mailboxWith(() => Promise.reject(refusal))
    let connections = 0
    server.on('connection', () => {
      connections += 1
    })
    const failure = await connectToMailbox(mailbox, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(mailboxFailure(failure, mailbox)).toBe(sentence)
    expect(connections).toBe(0)
  })
})

describe('why a mailbox could not be read', () => {
  const at = { host: 'imap.school.test', port: 993 }
  test.each([
    [{ authenticationFailed: true }, /refused the sign-in/],
    [{ code: 'EACCES' }, /private network/],
    [{ code: 'CERT_HAS_EXPIRED' }, /certificate .* is not valid/],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /certificate .* is not valid/],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /certificate .* is not valid/],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, /no encrypted connection/],
    [{ code: 'EDNS' }, /no mail server at imap\.school\.test/],
    [{ code: 'ECONNREFUSED' }, /Nothing answers at imap\.school\.test, port 993/],
    [{ code: 'ETIMEOUT' }, /did not answer as expected/],
  ])('explains %o and says what to do', (error, sentence) => {
    expect(mailboxFailure(error, at)).toMatch(sentence)
  })

  test('quotes nothing that the server said', () => {
    const error = Object.assign(new Error('NO juan@example.edu'), { responseText: 'juan@example.edu' })
    expect(mailboxFailure(error, at)).not.toContain('juan')
  })
})

const recipient = 'juan@example.edu'
const messageId = randomUUID()
const sentMessage = { messageId, recipient }

function read(report: string | Uint8Array) {
  return readReport(typeof report === 'string' ? Buffer.from(report) : report)
}

describe('a delivery-status message', () => {
  test.each([
    [
      'Postfix',
      postfixReport(sentMessage),
      '5.1.1',
      /^550 5\.1\.1 <.*>: Recipient address rejected: User unknown in virtual/,
    ],
    ['Gmail', gmailReport(sentMessage), '5.2.2', /^552-5\.2\.2 The recipient's inbox .*p=OverQuotaPerm$/],
    ['Exchange', exchangeReport(sentMessage), '5.7.133', /^550 5\.7\.133 RESOLVER/],
    [
      'a server without a status part',
      plainReport(sentMessage),
      '5.4.1',
      /^550 5\.4\.1 Recipient address rejected/,
    ],
  ])('of %s names the message, the recipient and the reason', async (_server, report, status, diagnostic) => {
    expect(await read(report)).toEqual({
      messageIds: [messageId],
      failures: [{ recipient, status, diagnostic: expect.stringMatching(diagnostic) }],
    })
  })

  test('of a delay or a success is no failure', async () => {
    expect(await read(postfixReport(sentMessage, { action: 'delayed', status: '4.4.1' }))).toBeNull()
    expect(await read(postfixReport(sentMessage, { action: 'delivered', status: '2.0.0' }))).toBeNull()
    expect(await read(postfixReport(sentMessage, { action: 'relayed', status: '2.0.0' }))).toBeNull()
  })

  test('of a temporary error is a failure when the server gave up', async () => {
    const given = await read(postfixReport(sentMessage, { action: 'failed', status: '4.4.7' }))
    expect(given?.failures).toEqual([expect.objectContaining({ status: '4.4.7' })])
  })

  test('is read from the server’s text when the status is missing', async () => {
    const report = postfixReport(sentMessage).replace('Status: 5.1.1\r\n', '')
    expect((await read(report))?.failures[0]?.status).toBe('5.1.1')
  })

  test('is read with bare line feeds, and when truncated after the status part', async () => {
    expect((await read(postfixReport(sentMessage).replaceAll('\r\n', '\n')))?.messageIds).toEqual([messageId])
    const truncated = gmailReport(sentMessage)
    expect((await read(truncated.slice(0, truncated.indexOf('message/rfc822'))))?.failures).toHaveLength(1)
  })

  test('yields no id of a foreign message', async () => {
    const report = postfixReport({ ...sentMessage, messageId: 'CAF=x1y2z3' })
    expect(await read(report)).toMatchObject({ messageIds: [], failures: [{ recipient }] })
  })
})

describe('other mail', () => {
  test.each([
    ['an ordinary message', 'From: Ana <ana@example.edu>\r\nSubject: Hello\r\n\r\n550 people came.\r\n'],
    [
      'an absence note',
      `From: a@example.edu\r\nIn-Reply-To: <${messageId}@school.test>\r\n\r\nI am away.\r\n`,
    ],
    ['nothing', ''],
    ['an empty status part', 'Content-Type: message/delivery-status\r\n\r\n\r\n\r\n'],
  ])('is no report: %s', async (_what, source) => {
    expect(await read(source)).toBeNull()
  })

  test('includes a report without a valid address', async () => {
    const failed = (addresses: string) => `X-Failed-Recipients: ${addresses}\r\n\r\n550 5.1.1 no\r\n`
    expect(await read(failed('ana\0@example.edu, <ana@example.edu>, everybody, a\u200b@b.edu'))).toBeNull()
    expect((await read(failed('x, ana@example.edu')))?.failures).toHaveLength(1)
  })

  test('is refused when it is nested too deeply', async () => {
    const parts = Array.from(
      { length: 200 },
      (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`,
    )
    await expect(read(parts.join(''))).rejects.toThrow(/nesting/i)
  })
})

describe('hostile input', () => {
  test('random bytes are read in limited time and size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4_000 }), async (bytes) => {
        const report = await read(bytes).catch(() => null)
        expect(report === null || report.failures.length <= 20).toBe(true)
      }),
    )
  })

  test('a mutated report never exceeds the limits', async () => {
    const real = Buffer.from(gmailReport(sentMessage))
    const change = fc.record({
      at: fc.nat(real.length),
      remove: fc.nat(60),
      insert: fc.uint8Array({ maxLength: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        let bytes: Buffer = real
        for (const { at, remove, insert } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)])
        }
        const report = await read(bytes).catch(() => null)
        for (const { recipient, status, diagnostic } of report?.failures ?? []) {
          expect(recipient).not.toMatch(/\p{Cc}/u)
          expect(status).toMatch(/^[45]\.\d{1,3}\.\d{1,3}$/)
          expect(diagnostic.length).toBeLessThanOrEqual(500)
          expect(diagnostic).not.toMatch(/\p{Cc}/u)
        }
      }),
    )
  })

  test('only the beginning of a huge message is read', async () => {
    const flood = 'Final-Recipient: rfc822; a@example.edu\r\nAction: failed\r\n\r\n'.repeat(200_000)
    const huge = Buffer.from(`Content-Type: message/delivery-status\r\n\r\n${flood}`)
    let report: Awaited<ReturnType<typeof read>> | undefined
    const ms = await processorMs(async () => {
      report = await read(huge)
    })
    expect(huge.length).toBeGreaterThan(30 * maxReportBytes)
    expect(report?.failures).toHaveLength(20)
    expect(ms).toBeLessThan(2_000)
  })

  test('text in any script is read, and invalid bytes are replaced', async () => {
    const report = postfixReport(sentMessage).replace(
      'User unknown in',
      'Buzón Peña \u{feff}\u0007inexistente in',
    )
    expect((await read(report))?.failures[0]?.diagnostic).toContain('Buzón Peña inexistente in virtual')
    const latin = Buffer.from(postfixReport(sentMessage).replace('User unknown in', 'Buz\u00f3n'), 'latin1')
    expect((await read(latin))?.failures[0]?.diagnostic).toContain('Buz\ufffdn')
  })
})
