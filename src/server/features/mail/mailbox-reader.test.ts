import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connectToMailbox, mailboxFailure } from './mailbox-reader.ts'

describe('a connection to a mailbox', () => {
  let server: Server
  let heard: string[]
  let port: number

  beforeEach(async () => {
    heard = []
    server = createServer((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready\r\n')
      socket.on('error', () => undefined)
      socket.on('data', (data) => {
        const [tag = '', ...command] = data.toString().trim().split(' ')
        heard.push(command.join(' '))
        socket.write(`${tag} OK done\r\n`)
      })
    })
    // All of 127/8 leads here, but only the usual addresses pass for this machine's own.
    server.listen(0, '127.0.0.2')
    await once(server, 'listening')
    const address = server.address()
    port = typeof address === 'object' && address ? address.port : 0
  })
  afterEach(() => {
    server.close()
  })

  test('sends no password to a server elsewhere that offers no TLS', async () => {
    const mailbox = { host: '127.0.0.2', port, userName: 'nstp', password: 'app password' }
    const failure = await connectToMailbox(mailbox, new AbortController().signal).catch(
      (error: unknown) => error,
    )
    expect(mailboxFailure(failure, mailbox)).toBe(
      `The mail server at 127.0.0.2, port ${port} offers no safe connection. Check the port: it is usually 993.`,
    )
    expect(heard.join('\n')).not.toMatch(/LOGIN|AUTHENTICATE|nstp|app password/)
  })

  test('is not made when it is no longer wanted', async () => {
    const mailbox = { host: '127.0.0.2', port, userName: 'nstp', password: 'app password' }
    await expect(connectToMailbox(mailbox, AbortSignal.abort())).rejects.toThrow(/abort/i)
    expect(heard).toEqual([])
  })
})

describe('why a mailbox could not be read', () => {
  const at = { host: 'imap.school.test', port: 993 }
  test.each([
    [{ authenticationFailed: true }, /refused the sign-in/],
    [{ code: 'CERT_HAS_EXPIRED' }, /certificate .* is not valid/],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /certificate .* is not valid/],
    [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /certificate .* is not valid/],
    [{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }, /no safe connection/],
    [{ code: 'ENOTFOUND' }, /no mail server at imap\.school\.test/],
    [{ code: 'ECONNREFUSED' }, /Nothing answers at imap\.school\.test, port 993/],
    [{ code: 'ETIMEOUT' }, /did not answer as it should/],
  ])('says of %o what to do', (error, sentence) => {
    expect(mailboxFailure(error, at)).toMatch(sentence)
  })

  test('quotes nothing that the server said', () => {
    const error = Object.assign(new Error('NO juan@example.edu'), { responseText: 'juan@example.edu' })
    expect(mailboxFailure(error, at)).not.toContain('juan')
  })
})
