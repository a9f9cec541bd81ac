// @module-tag rest
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect, createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Authority, createAuthority, hasOpenssl } from '#tests/setup/certificates.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { configureUnlimitedMail } from '#tests/setup/mailing-product.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'

// A loopback address that counts as remote for the product, which then requires TLS and a valid certificate.
const host = '127.0.0.2'

const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const

/** A mailbox that goes over to TLS, and answers nothing there. */
async function startMailbox(certificate: SecureContextOptions) {
  const commands: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n')
    socket.on('data', (bytes) => {
      const [tag, command = ''] = String(bytes).trim().split(' ')
      if (command !== 'STARTTLS') return void socket.write(`* CAPABILITY IMAP4rev1 STARTTLS\r\n${tag} OK\r\n`)
      commands.push(command)
      socket.removeAllListeners('data')
      socket.write(`${tag} OK begin\r\n`)
      const secured = new TLSSocket(socket, {
        isServer: true,
        secureContext: createSecureContext(certificate),
      })
      secured.on('error', () => undefined).on('data', (sent) => commands.push(String(sent)))
    })
  })
  await once(server.listen(0, host), 'listening')
  const address = server.address()
  return {
    commands,
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => void server.close(),
  }
}

describe.skipIf(!hasOpenssl)('a remote mail server with a certificate of a trusted authority', () => {
  let folder: TemporaryFolder
  let authority: Authority
  let product: Product
  let sink: MailSink | undefined

  beforeAll(async () => {
    folder = makeTemporaryFolder()
    authority = createAuthority(folder.path)
    product = await startProduct({
      DATA_DIR: join(folder.path, 'data'),
      NODE_EXTRA_CA_CERTS: authority.path,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    })
  }, 180_000)
  afterEach(async () => {
    await sink?.close()
    sink = undefined
  })
  afterAll(async () => {
    await product.stop()
    folder.remove()
  })

  /** Starts a mail server with a certificate. */
  async function startWith(certifiedFor: string, encryption: 'starttls' | 'implicit') {
    sink = await startMailSink({ host, encryption, certificate: authority.issue(certifiedFor) })
    return sink
  }

  test.each(['starttls', 'implicit'] as const)(
    'gets mail over TLS (%s)',
    async (encryption) => {
      const server = await startWith(`IP:${host}`, encryption)
      const cookie = await configureUnlimitedMail(product.url, server.account)
      const answer = await fetch(`${product.url}/api/send-email`, {
        method: 'POST',
        headers: { cookie, 'Content-Type': 'application/json' },
        body: JSON.stringify({ to: 'ana@student.example', subject: 'Drill', message: 'Please come.' }),
      })
      expect(await answer.json()).toMatchObject({ success: true, message: 'Email sent successfully' })
      expect(server.messages).toMatchObject([
        { to: ['ana@student.example'], isEncrypted: true, user: server.account.userName },
      ])
    },
    60_000,
  )

  test.each(['starttls', 'implicit'] as const)(
    'gets no password and no mail when its certificate is for another name (%s)',
    async (encryption) => {
      const server = await startWith('DNS:mail.school.example', encryption)
      const cookie = await signInOverHttp(product.url)
      await expect(configureMail(product.url, cookie, server.account)).rejects.toThrow(
        `The certificate of ${host} is for another name. Please enter the server name that the provider gives.`,
      )
      expect(server.counts).toMatchObject({ signIns: 0, offered: 0 })
    },
    60_000,
  )

  test('gets no password for a mailbox whose certificate is for another name', async () => {
    const server = await startWith(`IP:${host}`, 'implicit')
    const mailbox = await startMailbox(authority.issue('DNS:mail.school.example'))
    const account = { ...server.account, imapHost: host, imapPort: mailbox.port }
    const cookie = await signInOverHttp(product.url)
    await expect(configureMail(product.url, cookie, account)).rejects.toThrow(
      `The certificate of the mail server at ${host}, port ${mailbox.port} is not valid.`,
    )
    expect(mailbox.commands).toEqual(['STARTTLS'])
    mailbox.close()
  })

  test('gets no password for a mailbox when that knows TLS 1.1 only', async () => {
    const server = await startWith(`IP:${host}`, 'implicit')
    const mailbox = await startMailbox({ ...authority.issue(`IP:${host}`), ...old })
    const account = { ...server.account, imapHost: host, imapPort: mailbox.port }
    const cookie = await signInOverHttp(product.url)
    await expect(configureMail(product.url, cookie, account)).rejects.toThrow(
      `The mail server at ${host}, port ${mailbox.port} offers no encrypted connection.`,
    )
    expect(mailbox.commands).toEqual(['STARTTLS'])
    mailbox.close()
  })

  test('gets no password and no mail when it knows TLS 1.1 only', async () => {
    const certificate = { ...authority.issue(`IP:${host}`), ...old }
    sink = await startMailSink({ host, encryption: 'implicit', certificate })
    // It would answer one who accepts that.
    const trusting = connect({ host, port: sink.port, ca: readFileSync(authority.path), ...old })
    await once(trusting, 'secureConnect')
    expect(trusting.getProtocol()).toBe('TLSv1.1')
    trusting.destroy()

    const cookie = await signInOverHttp(product.url)
    await expect(configureMail(product.url, cookie, sink.account)).rejects.toThrow(
      `The connection to ${host} could not be encrypted. Please check the port and the encryption.`,
    )
    expect(sink.counts).toMatchObject({ signIns: 0, offered: 0 })
  })
})
