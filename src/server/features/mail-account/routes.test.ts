import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { configureMail, forgetMail } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const fillAll = 'Please fill in all configuration fields'
const loginFirst = 'Authentication required. Please login as admin.'
const again =
  'Please enter the password again: it is kept only while the server, the user name and the server of returned mail stay the same.'

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
afterEach(() => forgetMail(server.url, cookie))

const admin = () => createAdminClient(server, cookie)

function send(fields: Record<string, unknown> = {}, headers?: Record<string, string>) {
  const { senderAddress, password, host, port, secure } = sink.account
  const body = { emailUser: senderAddress, emailPassword: password, host, port, secure, ...fields }
  return admin().call('POST', '/update-email-config', body, headers)
}

async function refusalOf(fields: Record<string, unknown>) {
  const { detail, errors, success, message } = await (await send(fields)).json()
  return { detail, errors, success, message }
}

async function read() {
  return (await admin().call('GET', '/mail/account')).json()
}

describe('a mail account', () => {
  test('is kept when its server lets it sign in, and given out without its password', async () => {
    const response = await send({ senderName: 'NSTP Office' })
    expect(response.status).toBe(200)
    const answer = await response.json()
    expect(answer).toMatchObject({ success: true, message: 'Email configuration updated successfully' })
    const { account, status } = await read()
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
    expect(JSON.stringify([answer, account])).not.toContain(sink.account.password)
  })
})
