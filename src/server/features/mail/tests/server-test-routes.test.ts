import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServerTestResult, ServerTestStep } from '#shared/mail/mail-response.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createAuditTrail } from '#tests/setup/audit-trail.ts'
import { configureMail, removeMailAccount } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

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
        '127.0.0.1 did not accept the user name and password. Please check both. Many providers accept only app passwords. It answered: 535 5.7.8 Not accepted',
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
