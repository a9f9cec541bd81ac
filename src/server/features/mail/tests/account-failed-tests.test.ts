import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mailAccountMessages } from '#shared/mail/mail-account.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { storeMailAccount } from '#tests/setup/mail-account.ts'
import { type MailSink, type MailSinkOptions, startMailSink } from '#tests/setup/mail-sink.ts'
import { createTestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import type { SendingAccount } from '../mailer.ts'

let server: TestServer
let cookie: string
let sink: MailSink | undefined

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())
afterEach(async () => {
  await sink?.close()
  sink = undefined
  // A refused configuration is not stored.
  const { account } = await (await createAdminClient(server, cookie).call('GET', '/mail/account')).json()
  expect(account).toBeNull()
})

async function start(options?: MailSinkOptions): Promise<MailSink> {
  sink = await startMailSink(options)
  return sink
}

async function refusalOf({ senderAddress, password, ...account }: SendingAccount, more = {}) {
  const { errors } = await createAdminClient(server, cookie).refusal('POST', '/update-email-config', {
    emailUser: senderAddress,
    emailPassword: password,
    ...account,
    ...more,
  })
  return errors
}

describe('a configuration is refused when its server does not accept it:', () => {
  test('a wrong password', async () => {
    const { account } = await start()
    expect(await refusalOf({ ...account, password: 'wrong' })).toEqual([
      {
        path: 'emailPassword',
        message:
          '127.0.0.1 did not accept the user name and password. Please check both. Many providers accept only app passwords. It answered: 535 No.',
      },
    ])
  })

  test('a port without a server', async () => {
    const { account, close } = await startMailSink()
    await close()
    expect(await refusalOf(account)).toEqual([
      {
        path: 'port',
        message: `127.0.0.1 refuses connections at port ${account.port}. Please check the port.`,
      },
    ])
  })

  test('a server that does not answer for ten seconds', { tags: ['rest'], timeout: 20_000 }, async () => {
    const { account, fault } = await start()
    fault({ at: 'greeting', does: 'silence' })
    const begun = performance.now()
    expect(await refusalOf(account)).toEqual([
      {
        path: 'port',
        message: `127.0.0.1 gave no answer at port ${account.port} within 10 seconds. If the server uses SSL/TLS, as at port 465, please choose SSL/TLS.`,
      },
    ])
    expect(performance.now() - begun).toBeLessThan(15_000)
  })

  test('an untrusted certificate', async () => {
    const { account } = await start({ host: '127.0.0.2', encryption: 'implicit' })
    const [error] = await refusalOf(account)
    expect(error).toMatchObject({ path: 'host', message: expect.stringMatching(/certificate/) })
  })

  test('an untrusted certificate with STARTTLS', async () => {
    const { account, counts } = await start({ host: '127.0.0.2', encryption: 'starttls' })
    const [error] = await refusalOf(account)
    expect(error).toMatchObject({ path: 'host', message: expect.stringMatching(/certificate/) })
    expect(counts.signIns).toBe(0)
  })

  test('no encryption: the password isn’t sent in plain text', async () => {
    const { account, counts } = await start({ host: '127.0.0.2', encryption: 'none' })
    expect(await refusalOf(account)).toEqual([
      {
        path: 'secure',
        message: `127.0.0.2 offers no encryption (STARTTLS) at port ${account.port}. Please choose TLS with port 465, or another server.`,
      },
    ])
    expect(counts.signIns).toBe(0)
  })

  test('TLS at a port without TLS', async () => {
    const { account } = await start()
    expect(await refusalOf({ ...account, secure: true })).toEqual([
      {
        path: 'secure',
        message: `127.0.0.1 does not use TLS at port ${account.port}. Please choose STARTTLS, or port 465.`,
      },
    ])
  })

  test('a server that refuses every connection', async () => {
    const { account, fault } = await start()
    fault({ at: 'greeting', does: 'answer', code: 554, text: 'No service here' })
    expect(await refusalOf(account)).toEqual([
      { path: 'host', message: '127.0.0.1 refused the connection. It answered: 554' },
    ])
  })

  test('an unknown host name', async () => {
    const { account } = await start()
    expect(await refusalOf({ ...account, host: 'mail.nowhere.invalid' })).toEqual([
      { path: 'host', message: 'There is no server named mail.nowhere.invalid. Please check its spelling.' },
    ])
  }, 20_000)

  test('an IMAP server that can’t be reached', async () => {
    const { account } = await start()
    expect(await refusalOf(account, { imapHost: '127.0.0.1', imapPort: 9 })).toEqual([
      { path: 'imapHost', message: expect.stringContaining('127.0.0.1, port 9') },
    ])
  })
})

const closed = (path: string) => ({ path, message: mailAccountMessages.closedNetwork })
const unusual = (path: string) => ({ path, message: mailAccountMessages.unusualPort })

// By its own sentence: who connects to what isn't there is refused too, and later.
test.each([
  ['a private network', { host: '192.168.1.25', port: 587 }, [closed('host')]],
  ['a private network of IPv6', { host: 'fd00::25', port: 587 }, [closed('host')]],
  ['the address of cloud machines', { host: '169.254.169.254', port: 25 }, [closed('host')]],
  ['an address of everybody', { host: '224.0.0.1', port: 25 }, [closed('host')]],
  ['another service of this machine', { host: '127.0.0.1', port: 5432 }, [unusual('port')]],
  [
    'a bounce mailbox elsewhere',
    { imapHost: '10.1.3.1', imapPort: 80 },
    [unusual('imapPort'), closed('imapHost')],
  ],
])('refuses a mail server that it must not reach: %s', async (_, more, errors) => {
  const strict = await startTestServer({ env: { MAIL_PORTS: '2525', MAIL_NETWORKS: '10.1.2.0/24' } })
  const client = createAdminClient(strict, await strict.signIn())
  const body = {
    emailUser: 'nstp@school.example',
    emailPassword: 'secret',
    host: '127.0.0.1',
    port: 2525,
    ...more,
  }
  const refusal = await client.refusal('POST', '/update-email-config', body)
  expect(refusal).toMatchObject({ status: 422, errors })
  await strict.close()
})

test('a name that leads into a closed network after it was saved is not connected to', async () => {
  const sink = await startMailSink()
  const database = await createTestDatabase()
  // Stored without the form, as if it had led elsewhere then.
  await storeMailAccount(database, { ...sink.account, host: '10.1.3.1' })
  const strict = await startTestServer({ database, env: { MAIL_NETWORKS: '10.1.2.0/24' } })
  const client = createAdminClient(strict, await strict.signIn())
  const response = await client.call('POST', '/mail/server-test', { step: 'connect' })
  expect(await response.json()).toMatchObject({
    ok: false,
    verdict: expect.stringContaining('private network'),
  })
  await strict.close()
  await database.close()
  await sink.close()
})
