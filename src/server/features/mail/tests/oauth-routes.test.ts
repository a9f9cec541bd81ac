import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSealedSecrets } from '#server/lib/sealed-secret.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { removeMailAccount } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { until } from '#tests/setup/mail-worker-fixture.ts'
import { startTestServer, type TestServer, testSecretKey } from '#tests/setup/test-server.ts'
import { clientSecret, startTokenEndpoint, type TokenEndpoint } from '#tests/setup/token-endpoint.ts'

const fillAll = 'Please fill in all configuration fields'
const again = (what: string) =>
  `Please enter the ${what} again. It is required when a server, the user name, the client ID or the token address changes.`

let server: TestServer
let cookie: string
let endpoint: TokenEndpoint
let sink: MailSink
const logged: string[] = []
const answered: string[] = []

beforeAll(async () => {
  server = await startTestServer({ log: pino({ level: 'trace' }, { write: (line) => logged.push(line) }) })
  cookie = await server.signIn()
})
beforeEach(async () => {
  endpoint = await startTokenEndpoint()
  sink = await startMailSink({ accessTokens: endpoint.accessTokens })
})
afterEach(async () => {
  await removeMailAccount(server.url, cookie)
  await server.database.db.deleteFrom('mailMessages').execute()
  await sink.close()
  await endpoint.close()
})
afterAll(() => server.close())

async function call(method: string, path: string, body?: unknown) {
  const response = await createAdminClient(server, cookie).call(method, path, body)
  const text = await response.text()
  answered.push(text)
  return { status: response.status, ...JSON.parse(text) }
}

function configure(fields: Record<string, unknown> = {}) {
  const { senderAddress, host, port, secure } = sink.account
  const way = { signIn: 'microsoft', tokenEndpoint: endpoint.url, clientId: 'the app', clientSecret }
  return call('POST', '/update-email-config', {
    emailUser: senderAddress,
    host,
    port,
    secure,
    ...way,
    ...fields,
  })
}

const byPerson = (fields: Record<string, unknown> = {}) =>
  configure({ signIn: 'google', refreshToken: endpoint.refreshToken, ...fields })

const send = (to = 'ana@student.example') =>
  call('POST', '/send-email', { to, subject: 'Drill', message: 'Please come at seven.' })

const readRow = () => server.database.db.selectFrom('mailAccount').selectAll().executeTakeFirstOrThrow()

describe('an account that signs in by OAuth 2', () => {
  test('of an app is stored after a sign-in, and sends', async () => {
    expect(await configure()).toMatchObject({
      status: 200,
      account: {
        signIn: 'microsoft',
        grant: 'client_credentials',
        tokenEndpoint: endpoint.url,
        tokenScope: 'https://outlook.office365.com/.default',
        clientId: 'the app',
      },
    })
    expect(await send()).toMatchObject({ status: 200 })
    expect(await send()).toMatchObject({ status: 200 })
    expect(sink.messages.map(({ user }) => user)).toEqual(Array(2).fill('office@school.example'))
    // Of the test, and of all messages.
    expect(endpoint.requests).toHaveLength(2)
  })

  test('of a person sends too, and what the provider replaces is stored anew', async () => {
    endpoint.rotates = true
    expect(await byPerson()).toMatchObject({ status: 200, account: { grant: 'refresh_token', version: 1 } })
    expect(await send()).toMatchObject({ status: 200 })
    const { refreshToken } = await readRow()
    const sealed = createSealedSecrets({ secretKey: testSecretKey, purpose: 'mail account' })
    expect(refreshToken && sealed.open(refreshToken)).toBe(endpoint.refreshToken)
    expect(endpoint.refreshToken).not.toBe('the first refresh token')
    // A test of the stored one replaces it again.
    expect(await byPerson({ refreshToken: '', clientSecret: '' })).toMatchObject({ status: 200 })
    expect(await send()).toMatchObject({ status: 200 })
  })

  test('has its secrets sealed in the database, and in no answer, log or entry of the trail', async () => {
    await byPerson()
    await call('GET', '/mail/account')
    await send()
    await call('POST', '/mail/server-test', { step: 'authenticate' })
    endpoint.refusal = { status: 400, body: { error: 'invalid_grant', error_description: clientSecret } }
    await configure({ signIn: 'google', refreshToken: 'a typed refresh token' })
    const { password, ...row } = await readRow()
    expect(password).toBeNull()
    const trail = await server.database.db.selectFrom('auditEvents').selectAll().execute()
    expect(trail.flatMap(({ fields }) => fields ?? [])).toContain('clientSecret')
    const texts = [
      JSON.stringify([trail, answered, logged]),
      row.clientSecret?.toString('latin1'),
      row.refreshToken?.toString('latin1'),
    ].join()
    for (const secret of [
      clientSecret,
      'the first refresh token',
      'a typed refresh token',
      'access token, the',
    ]) {
      expect(texts).not.toContain(secret)
      expect(texts).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4))
    }
  })

  test('shows no token in the conversation of the server test, also when the server repeats it', async () => {
    await configure()
    const result = await call('POST', '/mail/server-test', { step: 'authenticate' })
    expect(result).toMatchObject({
      ok: true,
      verdict: '127.0.0.1 accepted the permission of office@school.example.',
    })
    expect(JSON.stringify(result.lines)).toContain('AUTH XOAUTH2 (not shown)')
    const [token = ''] = [...endpoint.accessTokens].slice(-1)
    const coded = Buffer.from(`user=office@school.example\x01auth=Bearer ${token}\x01\x01`).toString('base64')
    sink.fault({ at: 'auth', does: 'answer', code: 535, text: `Wrong: ${token} ${coded}` })
    const refused = await call('POST', '/mail/server-test', { step: 'authenticate' })
    expect(refused.verdict).toContain('It answered: 535 Wrong: (not shown) (not shown)')
    expect(JSON.stringify(refused)).not.toContain(token)
  })
})

describe('a permission that ends', () => {
  test('is told in the provider’s words; the message waits, and is sent once the account is connected again', async () => {
    await byPerson()
    endpoint.refreshToken = 'another refresh token'
    const sentence =
      'Google no longer accepts the stored permission. Connect the account again: enter a new refresh token in the configuration. It answered: invalid_grant: Expired or revoked.'
    expect(await send()).toMatchObject({ status: 202 })
    expect((await call('GET', '/mail/account')).status).toMatchObject({ status: 'error', message: sentence })
    const messages = server.database.db.selectFrom('mailMessages').select(['state', 'attempts'])
    expect(await messages.execute()).toEqual([{ state: 'queued', attempts: 0 }])
    const asked = endpoint.requests.length
    await send('ben@student.example')
    expect(endpoint.requests).toHaveLength(asked)
    await byPerson({ clientSecret: '' })
    await until('both are sent', async () => sink.messages.length === 2)
  })

  test('at the mail server is told in its words, without the token that it repeats, and the message waits', async () => {
    await configure()
    // The next one that is issued, to the queue.
    sink.fault({ at: 'auth', does: 'answer', code: 535, text: '5.7.3 Wrong: an access token, the 2th' })
    expect(await send()).toMatchObject({ status: 202 })
    expect((await call('GET', '/mail/account')).status.message).toBe(
      'The mail server did not accept the permission of Microsoft 365 for office@school.example. Please check the configuration. It answered: 535 5.7.3 Wrong: (not shown)',
    )
    const messages = server.database.db.selectFrom('mailMessages').select(['state', 'attempts'])
    expect(await messages.execute()).toEqual([{ state: 'queued', attempts: 0 }])
  })

  test('of an access token alone is renewed within the sign-in', async () => {
    await configure()
    await send()
    endpoint.accessTokens.clear()
    expect(await call('POST', '/mail/server-test', { step: 'authenticate' })).toMatchObject({ ok: true })
    expect(endpoint.requests).toHaveLength(3)
  })
})

describe('a configuration by OAuth 2 is refused', () => {
  const errorsOf = async (answer: Promise<{ status: number; errors?: unknown }>) => {
    const { status, errors } = await answer
    return { status, errors }
  }
  const refused = (path: string, message: unknown) => ({ status: 422, errors: [{ path, message }] })

  test.each([
    ['clientId', fillAll],
    ['clientSecret', fillAll],
  ])('without its field %s', async (path, message) => {
    expect(await errorsOf(configure({ [path]: '' }))).toEqual(refused(path, message))
  })

  test('without a refresh token where a person must give permission', async () => {
    expect(await errorsOf(configure({ signIn: 'google' }))).toEqual(refused('refreshToken', fillAll))
  })

  test.each([
    ['http://127.0.0.1/token', 'Please enter the token address. It begins with https://.'],
    ['https://user:secret@login.example/token', 'Please enter the token address. It begins with https://.'],
    ['https://127.0.0.1:99999/token', 'Please enter the token address. It begins with https://.'],
    ['https://10.1.2.3/token', expect.stringContaining('private network')],
    ['https://169.254.169.254/token', expect.stringContaining('private network')],
  ])('with the token address %s', async (tokenEndpoint, message) => {
    expect(await errorsOf(configure({ tokenEndpoint }))).toEqual(refused('tokenEndpoint', message))
    expect(endpoint.requests).toEqual([])
  })

  test('with a wrong secret, in the provider’s words', async () => {
    expect(await errorsOf(configure({ clientSecret: 'wrong' }))).toEqual(
      refused('clientSecret', expect.stringContaining('It answered: invalid_client: Wrong secret.')),
    )
  })

  test('when the mail server does not accept the token, with what is usually missing', async () => {
    sink.fault({ at: 'auth', does: 'answer', code: 535, text: '5.7.3 Authentication unsuccessful' })
    expect(await errorsOf(configure())).toEqual(
      refused(
        'signIn',
        '127.0.0.1 did not accept the permission of Microsoft 365 for office@school.example. The app needs SMTP.SendAsApp with admin consent and access to this mailbox, and the mailbox needs authenticated SMTP. It answered: 535 5.7.3 Authentication unsuccessful',
      ),
    )
  })

  test.each([
    ['another server', { host: 'localhost' }],
    ['another user', { userName: 'somebody' }],
    ['another bounce mailbox server', { imapHost: 'imap.evil.example' }],
    ['another app', { clientId: 'another' }],
    ['another token address', { tokenEndpoint: 'https://login.evil.example/token' }],
  ])('with the stored secrets for %s', async (_name, fields) => {
    await byPerson()
    const asked = endpoint.requests.length
    const kept = { clientSecret: '', refreshToken: '' }
    expect(await errorsOf(byPerson({ ...kept, ...fields }))).toEqual({
      status: 422,
      errors: [
        { path: 'clientSecret', message: again('client secret') },
        { path: 'refreshToken', message: again('refresh token') },
      ],
    })
    expect(endpoint.requests).toHaveLength(asked)
  })

  test('with the secrets of another way of signing in', async () => {
    await byPerson()
    expect(await errorsOf(configure({ clientSecret: '' }))).toEqual(refused('clientSecret', fillAll))
    expect(await errorsOf(configure({ signIn: 'password' }))).toEqual(refused('emailPassword', fillAll))
  })
})

test('a password that is sent without a way of signing in takes the place of OAuth 2', async () => {
  await configure()
  const given = { emailUser: sink.account.senderAddress, emailPassword: 'an app password' }
  // The mail server offers no sign-in by password.
  expect((await call('POST', '/update-email-config', given)).errors).toMatchObject([
    { path: 'emailPassword' },
  ])
  await call('POST', '/update-email-config', { ...given, emailPassword: '', senderName: 'The Office' })
  const { account } = await call('GET', '/mail/account')
  expect(account).toMatchObject({ senderName: 'The Office', signIn: 'microsoft', clientId: 'the app' })
})

test('secrets that were sealed with another key must be entered again', async () => {
  await configure()
  await server.database.db
    .updateTable('mailAccount')
    .set({ clientSecret: Buffer.alloc(64, 1) })
    .execute()
  expect((await call('GET', '/mail/account')).status).toMatchObject({
    isConfigured: false,
    message: expect.stringContaining('The stored client secret can no longer be read'),
  })
  expect(await configure()).toMatchObject({ status: 200 })
})
