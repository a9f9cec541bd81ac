import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { removeMailAccount } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

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
      signIn: 'password',
      grant: 'client_credentials',
      tokenEndpoint: '',
      tokenScope: '',
      clientId: '',
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
    expect(password?.toString('latin1')).not.toContain(sink.account.password)
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
