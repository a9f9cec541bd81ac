import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServerTestResult, ServerTestStep } from '#shared/mail/mail-response.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { startMailingServer } from '#tests/setup/mail-account.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

describe('account routes', () => {
  const fillAll = 'Please fill in all configuration fields'
  const loginFirst = 'Authentication required. Please login as admin.'
  const again =
    'Please enter the password again. It is required when the mail server, the user name or the bounce mailbox server changes.'

  let server: TestServer
  let sink: MailSink
  let cookie: string

  beforeAll(async () => {
    server = await startTestServer()
    sink = await startMailSink()
    cookie = await server.signIn()
  })
  afterAll(async () => {
    await sink.close()
    await server.close()
  })
  afterEach(() => removeMailAccount(server.url, cookie))

  function send(fields: Record<string, unknown> = {}, headers?: Record<string, string>) {
    const { senderAddress, password, host, port, secure } = sink.account
    const body = { emailUser: senderAddress, emailPassword: password, host, port, secure, ...fields }
    return createAdminClient(server, cookie).call('POST', '/update-email-config', body, headers)
  }

  async function refusalOf(fields: Record<string, unknown>) {
    const response = await send(fields)
    const { detail, errors, success, message } = await response.json()
    return { status: response.status, detail, errors, success, message }
  }

  function refused(path: string, sentence: string) {
    const errors = [{ path, message: sentence }]
    return { status: 422, detail: sentence, errors, success: false, message: sentence }
  }

  async function read() {
    return (await createAdminClient(server, cookie).call('GET', '/mail/account')).json()
  }

  describe('a mail account', () => {
    test('is stored after a successful sign-in, and returned without its password', async () => {
      const response = await send({ senderName: 'NSTP Office' })
      expect(response.status).toBe(200)
      const answer = await response.json()
      expect(answer).toMatchObject({ success: true, message: 'Email configuration updated successfully' })
      const { account, status, defaults } = await read()
      expect(account).toEqual({
        senderAddress: 'office@school.example',
        senderName: 'NSTP Office',
        userName: '',
        host: '127.0.0.1',
        port: sink.port,
        secure: false,
        imapHost: '',
        imapPort: 993,
        version: 1,
      })
      expect(status).toEqual({ isConfigured: true, status: 'ok', message: 'Email service is configured.' })
      expect(defaults).toEqual({ host: 'smtp.gmail.com', port: 465, secure: true })
      expect(JSON.stringify([answer, account])).not.toContain(sink.account.password)
    })

    test('is stored with an encrypted password, and audited without it', async () => {
      await send()
      const { password } = await server.database.db
        .selectFrom('mailAccount')
        .select('password')
        .executeTakeFirstOrThrow()
      expect(password.toString('latin1')).not.toContain(sink.account.password)
      const event = await server.database.db
        .selectFrom('auditEvents')
        .selectAll()
        .where('action', '=', 'mail-account-changed')
        .orderBy('at', 'desc')
        .executeTakeFirstOrThrow()
      expect(event.fields).toContain('password')
      const output = JSON.stringify(event)
      for (const secret of [sink.account.password, sink.account.senderAddress])
        expect(output).not.toContain(secret)
    })

    test('keeps the values of omitted fields', async () => {
      await send({ senderName: 'NSTP Office' })
      const { senderAddress, password } = sink.account
      await createAdminClient(server, cookie).call('POST', '/update-email-config', {
        emailUser: senderAddress,
        emailPassword: password,
      })
      expect((await read()).account).toMatchObject({
        senderName: 'NSTP Office',
        host: '127.0.0.1',
        port: sink.port,
        version: 2,
      })
    })

    test('is changed only from the version in If-Match, if given', async () => {
      await send()
      expect((await send({}, { 'If-Match': '"7"' })).status).toBe(409)
      expect((await send({}, { 'If-Match': '"1"' })).status).toBe(200)
    })

    test('can be removed', async () => {
      await send()
      const response = await createAdminClient(server, cookie).call('DELETE', '/mail/account')
      expect(response.status).toBe(204)
      expect(await read()).toMatchObject({
        account: null,
        status: {
          isConfigured: false,
          status: 'not_configured',
          message: 'Email service is not configured.',
        },
      })
    })

    test.each([
      ['GET', '/mail/account'],
      ['POST', '/update-email-config'],
      ['DELETE', '/mail/account'],
    ])('needs a session: %s %s', async (method, path) => {
      const body = method === 'POST' ? { emailUser: 'a@b.example', emailPassword: 'x' } : undefined
      const anonymous = createAdminClient(server, '')
      expect(await anonymous.refusal(method, path, body)).toMatchObject({ status: 401, detail: loginFirst })
    })
  })

  describe('a configuration is refused with an error for the field', () => {
    test('empty: both fields have errors', async () => {
      const response = await createAdminClient(server, cookie).refusal('POST', '/update-email-config', {})
      expect(response).toEqual({
        status: 422,
        code: 'invalid',
        detail: fillAll,
        errors: [
          { path: 'emailUser', message: fillAll },
          { path: 'emailPassword', message: fillAll },
        ],
      })
    })

    test.each([
      ['emailUser', 'office', 'Please enter a valid email address.'],
      ['emailPassword', '', fillAll],
      ['host', 'https://mail.example', 'Please enter the name of a mail server, for example smtp.gmail.com.'],
      ['port', 70_000, 'Please enter a port between 1 and 65535.'],
      ['imapHost', 'in box', 'Please enter the name of a mail server, for example imap.gmail.com.'],
    ])('%s: %j', async (path, value, sentence) => {
      expect(await refusalOf({ [path]: value })).toEqual(refused(path, sentence))
      expect((await read()).account).toBeNull()
    })
  })

  describe('the stored password', () => {
    test('is used when the field is empty and the server and user stay the same', async () => {
      await send()
      expect((await send({ emailPassword: '', senderName: 'The Office' })).status).toBe(200)
      expect((await read()).account).toMatchObject({ senderName: 'The Office', version: 2 })
    })

    test.each([
      ['another server', { host: 'localhost' }],
      ['another user', { userName: 'somebody' }],
      ['another sender, who signs in', { emailUser: 'other@school.example' }],
      ['another bounce mailbox server', { imapHost: 'imap.evil.example' }],
    ])('is never sent to %s', async (_name, fields) => {
      await send()
      const signIns = sink.counts.signIns
      expect(await refusalOf({ emailPassword: '', ...fields })).toEqual(refused('emailPassword', again))
      expect(sink.counts.signIns).toBe(signIns)
    })

    test('must be entered again after a change of the secret key', async () => {
      await send()
      await server.database.db
        .updateTable('mailAccount')
        .set({ password: Buffer.alloc(64, 1) })
        .execute()
      expect((await read()).status).toEqual({
        isConfigured: false,
        status: 'not_configured',
        message:
          'The stored password can no longer be read because the secret key was changed. Please enter the password again.',
      })
      expect(await refusalOf({ emailPassword: '' })).toEqual(refused('emailPassword', fillAll))
      expect((await send()).status).toBe(200)
    })
  })
})

describe('server status routes', () => {
  let server: TestServer
  let cookie: string

  beforeAll(async () => {
    server = await startTestServer({ env: { DATA_DIR: '.' } })
    cookie = await server.signIn()
  })
  afterAll(() => server.close())

  async function madeToken(): Promise<string> {
    const response = await createAdminClient(server, cookie).call('POST', '/tokens', { name: 'a program' })
    const { token } = await response.json()
    return token
  }

  describe('GET /api/status', () => {
    test('returns version, uptime, database, queue, disk and e-mail', async () => {
      const response = await createAdminClient(server, cookie).call('GET', '/status')
      expect(response.status).toBe(200)
      const status = await response.json()
      expect(status).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        startedAt: expect.stringMatching(/^\d{4}-/),
        uptimeSeconds: expect.any(Number),
        database: { reachable: true, version: expect.stringMatching(/^\d+/), sizeBytes: expect.any(Number) },
        queue: { queued: 0, sending: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 },
        disk: { freeBytes: expect.any(Number), totalBytes: expect.any(Number) },
        email: {
          isConfigured: false,
          status: 'not_configured',
          message: 'Email service is not configured.',
        },
        proxyIgnored: false,
      })
      expect(status.disk.freeBytes).toBeLessThan(status.disk.totalBytes)
    })

    test('says that a proxy’s header is ignored, once one was sent', async () => {
      const read = async () => (await createAdminClient(server, cookie).call('GET', '/status')).json()
      expect(await read()).toMatchObject({ proxyIgnored: false })
      await fetch(`${server.url}/api/site`, { headers: { 'X-Forwarded-For': '203.0.113.7' } })
      expect(await read()).toMatchObject({ proxyIgnored: true })
    })

    test('needs a session', async () => {
      expect(await createAdminClient(server, '').refusal('GET', '/status')).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    })
  })

  describe('GET /emailService/status', () => {
    const read = (headers: Record<string, string>) => fetch(`${server.url}/emailService/status`, { headers })

    test('says that e-mail is configured, to an administrator and to a program with a token', async () => {
      const sink = await startMailSink()
      await configureMail(server.url, cookie, sink.account)
      const answers = [
        await read({ cookie: cookie }),
        await read({ Authorization: `Bearer ${await madeToken()}` }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        expect(await answer.json()).toEqual({
          isConfigured: true,
          status: 'ok',
          message: 'Email service is configured.',
        })
      }
      await removeMailAccount(server.url, cookie)
      await sink.close()
    })

    test('says that e-mail is not configured', async () => {
      expect(await (await read({ cookie: cookie })).json()).toEqual({
        isConfigured: false,
        status: 'not_configured',
        message: 'Email service is not configured.',
      })
    })

    test('needs a session or a token', async () => {
      const answer = await read({})
      expect(answer.status).toBe(401)
      expect((await answer.json()).detail).toBe('Authentication required. Please login as admin.')
    })

    test('is documented in OpenAPI with its own base path', async () => {
      const { paths } = await (await fetch(`${server.url}/api/openapi.json`)).json()
      expect(paths['/emailService/status'].get.servers).toEqual([{ url: '/' }])
      expect(paths['/update-email-config'].post.summary).toBe('Configure the mail account')
    })
  })
})

describe('server test routes', () => {
  let server: TestServer
  let sink: MailSink
  let cookie: string

  beforeAll(async () => {
    server = await startTestServer()
    sink = await startMailSink()
    cookie = await server.signIn()
  })
  beforeEach(async () => {
    sink.reset()
    await configureMail(server.url, cookie, sink.account)
  })
  afterAll(async () => {
    await sink.close()
    await server.close()
  })

  async function run(step: ServerTestStep): Promise<ServerTestResult> {
    return (await createAdminClient(server, cookie).call('POST', '/mail/server-test', { step })).json()
  }

  function textOf({ lines }: ServerTestResult): string {
    return lines.map(({ text }) => text).join('\n')
  }

  function expectNoSecrets(result: ServerTestResult) {
    const { password, userName } = sink.account
    const output = JSON.stringify(result)
    const words = [password, `\0${userName}\0${password}`]
    for (const word of words) {
      expect(output).not.toContain(word)
      expect(output).not.toContain(Buffer.from(word).toString('base64'))
    }
  }

  function messages() {
    return server.database.db
      .selectFrom('mailMessages')
      .select(['kind', 'state', 'recipient', 'attempts', 'failure'])
      .orderBy('createdAt', 'desc')
      .execute()
  }

  describe('the mail server', () => {
    test('is connected to, and the conversation is returned', async () => {
      const result = await run('connect')
      expect(result).toMatchObject({
        step: 'connect',
        ok: true,
        verdict: '127.0.0.1 answers and can accept mail.',
      })
      expect(textOf(result)).toMatch(/^Connecting to 127\.0\.0\.1, port \d+\.\n220 /)
      expect(textOf(result)).toContain('EHLO ')
      expect(textOf(result)).not.toContain('AUTH PLAIN (not shown)')
    })

    test('accepts the sign-in, and the credentials are not shown', async () => {
      const result = await run('authenticate')
      expect(result).toMatchObject({
        ok: true,
        verdict: '127.0.0.1 accepted the password of office@school.example.',
      })
      expect(textOf(result)).toContain('AUTH PLAIN (not shown)')
      expectNoSecrets(result)
    })

    test('accepts a test message to the sender, which is stored and audited', async () => {
      const result = await run('send')
      expect(result).toMatchObject({
        ok: true,
        verdict: '127.0.0.1 accepted a test message to office@school.example. Please check its inbox.',
      })
      expect(textOf(result)).toContain('RCPT TO:<office@school.example>')
      expectNoSecrets(result)
      expect(sink.messages.map(({ to }) => to)).toEqual([['office@school.example']])
      expect((await messages())[0]).toEqual({
        kind: 'test',
        state: 'sent',
        recipient: 'office@school.example',
        attempts: 1,
        failure: '',
      })
      expect(await createAuditTrail(server.database).of('mail-sent')).toMatchObject([
        { detail: { kind: 'test' } },
      ])
    })

    test('refuses the password, and its answer is shown', async () => {
      sink.fault({ at: 'auth', does: 'answer', code: 535, text: '5.7.8 Not accepted' })
      const result = await run('authenticate')
      expect(result).toMatchObject({
        ok: false,
        verdict:
          '127.0.0.1 did not accept the user name and password. Please check both. Many providers accept only app passwords.',
      })
      expect(textOf(result)).toContain('535 5.7.8 Not accepted')
      expectNoSecrets(result)
    })

    test('echoes the password, and it is removed from the transcript', async () => {
      const { password } = sink.account
      const coded = Buffer.from(password).toString('base64')
      sink.fault({ at: 'auth', does: 'answer', code: 535, text: `Wrong: ${password} ${coded}` })
      const result = await run('authenticate')
      expect(textOf(result)).toContain('535 Wrong: (not shown) (not shown)')
      expectNoSecrets(result)
    })

    test('refuses the message, which fails without a retry', async () => {
      sink.fault({ at: 'rcpt', does: 'answer', code: 451, text: 'Later, please' })
      const result = await run('send')
      expect(result.ok).toBe(false)
      expect(result.verdict).toContain('Later, please')
      expect((await messages())[0]).toMatchObject({ kind: 'test', state: 'failed', attempts: 1 })
      expect(sink.messages).toEqual([])
    })

    test('closes the connection after the final dot, and the message is unknown', async () => {
      sink.fault({ at: 'dot', does: 'cut', accepts: true })
      expect((await run('send')).ok).toBe(false)
      expect((await messages())[0]).toMatchObject({ kind: 'test', state: 'unknown' })
    })

    test('gets nothing when the quota in the settings is used up', async () => {
      const admin = createAdminClient(server, cookie)
      const change = async (mailPerDay: number) => {
        const { version } = await (await admin.call('GET', '/settings')).json()
        return admin.call('PATCH', '/settings', { mailPerDay }, { 'If-Match': `"${version}"` })
      }
      await change(1)
      const result = await run('send')
      expect(result).toMatchObject({
        ok: false,
        verdict: 'The e-mail limit in the settings is reached. Please try again later.',
      })
      expect(sink.messages).toEqual([])
      await change(450)
    })
  })

  describe('the test is refused', () => {
    test('while e-mail is not configured', async () => {
      await removeMailAccount(server.url, cookie)
      expect(
        await createAdminClient(server, cookie).refusal('POST', '/mail/server-test', { step: 'connect' }),
      ).toMatchObject({ status: 503, detail: 'Email service is not configured.' })
    })

    test('without a session', async () => {
      const anonymous = createAdminClient(server, '')
      expect(await anonymous.refusal('POST', '/mail/server-test', { step: 'connect' })).toMatchObject({
        status: 401,
        detail: 'Authentication required. Please login as admin.',
      })
    })

    test('for an unknown step', async () => {
      expect(
        await createAdminClient(server, cookie).refusal('POST', '/mail/server-test', { step: 'scan' }),
      ).toMatchObject({ status: 422, detail: 'Please choose what to test: connect, authenticate or send.' })
    })
  })
})

describe('welcome routes', () => {
  let mailing: Awaited<ReturnType<typeof startMailingServer>>
  let cookie = ''
  beforeAll(async () => {
    mailing = await startMailingServer()
    cookie = await mailing.server.signIn()
  })
  afterAll(() => mailing.close())
  beforeEach(() => mailing.sink.reset())

  const ana = { email: 'ana@student.example', firstName: 'Ana', lastName: 'Peña', nstpComponent: 'ROTC' }

  async function send(body: object, headers: Record<string, string> = { Cookie: cookie }) {
    const response = await fetch(`${mailing.server.url}/emailService/send-welcome-email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    return { status: response.status, success: answer.success, message: answer.message }
  }

  describe('POST /emailService/send-welcome-email', () => {
    test('sends the welcome mail', async () => {
      expect(await send(ana)).toEqual({ status: 200, success: true, message: 'Email sent successfully' })
      expect(mailing.sink.messages.map(({ to }) => to)).toEqual([[ana.email]])
    })

    test.each(['email', 'firstName', 'lastName', 'nstpComponent'])('needs %s', async (field) => {
      const message = 'Missing required student data for sending welcome email'
      const without = Object.fromEntries(Object.entries(ana).filter(([name]) => name !== field))
      expect(await send(without)).toEqual({ status: 422, success: false, message })
      expect(await send({ ...ana, [field]: '  ' })).toEqual({ status: 422, success: false, message })
    })

    test.each(['NSTP', 'rotc', 'ROTC, CWTS', 'x'.repeat(101)])(
      'refuses the component %s',
      async (nstpComponent) => {
        expect(await send({ ...ana, nstpComponent })).toEqual({
          status: 422,
          success: false,
          message: 'Please choose the component: ROTC, CWTS, LTS.',
        })
        expect(mailing.sink.messages).toEqual([])
      },
    )

    test.each(['CWTS', ' LTS '])('takes %s', async (nstpComponent) => {
      const email = `${nstpComponent.trim()}@student.example`
      expect(await send({ ...ana, email, nstpComponent })).toMatchObject({ status: 200, success: true })
      expect(mailing.sink.messages[0]?.raw).toContain(`${nstpComponent.trim()} (`)
    })

    test('says why the mail server refused it', async () => {
      mailing.sink.fault({ at: 'rcpt', does: 'answer', code: 550, text: 'No such user' })
      const { status, success, message } = await send({ ...ana, email: 'none@student.example' })
      expect([status, success]).toEqual([502, false])
      expect(message).toMatch(/^Failed to send welcome email/)
    })

    test('sends at most three a day to one address', async () => {
      const flooded = { ...ana, email: 'flooded@student.example' }
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(flooded)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
      expect(answers.find(({ status }) => status !== 200)).toEqual({
        status: 429,
        success: false,
        message:
          'This address has already been sent 3 welcome e-mails within a day. Please try again tomorrow.',
      })
      expect(mailing.sink.messages).toHaveLength(3)
    })

    test('is for administrators and for programs with a token', async () => {
      expect(await send(ana, {})).toMatchObject({ status: 401, success: false })
      const made = await fetch(`${mailing.server.url}/api/tokens`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie },
        body: JSON.stringify({ name: 'The library' }),
      })
      const { token } = await made.json()
      const headers = { Authorization: `Bearer ${token}` }
      expect(await send({ ...ana, email: 'library@student.example' }, headers)).toMatchObject({ status: 200 })
    })
  })
})
