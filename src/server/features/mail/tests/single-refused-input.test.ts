import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { configureMail } from '#tests/setup/configure-mail.ts'
import { type MailSink, startMailSink } from '#tests/setup/mail-sink.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const mail = { to: 'juan@example.edu.ph', subject: 'Orientation', message: 'On Monday.' }
const missing = 'Missing required email data'
const address = 'Please enter a valid email address.'
const oddSubject = 'Please remove the unusual characters from the subject.'

let sink: MailSink
let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  sink = await startMailSink()
  server = await startTestServer()
  const cookie = await server.signIn()
  admin = createAdminClient(server, cookie)
  await configureMail(server.url, cookie, sink.account)
  sink.reset()
})
afterAll(async () => {
  await server.close()
  await sink.close()
})

async function refused(body: unknown) {
  const response = await admin.call('POST', '/send-email', body)
  const { detail, errors, success, message } = await response.json()
  expect({ status: response.status, success, message }).toEqual({
    status: 422,
    success: false,
    message: detail,
  })
  return { detail, paths: errors?.map(({ path }: { path: string }) => path) }
}

test.each([
  [{}, ['to', 'subject', 'message']],
  [{ ...mail, to: undefined }, ['to']],
  [{ ...mail, subject: '' }, ['subject']],
  [{ ...mail, message: ' \n\u200b' }, ['message']],
  [{ ...mail, to: 7 }, ['to']],
  // Reported before other errors.
  [{ to: 'juan', subject: '', message: 'x' }, ['subject']],
])('missing data is reported: %j', async (body, paths) => {
  expect(await refused(body)).toEqual({ detail: missing, paths })
})

test.each([
  ['Please shorten the subject to 200 characters or fewer.', { ...mail, subject: 'x'.repeat(201) }],
  ['Please shorten the message to 50,000 characters or fewer.', { ...mail, message: 'x'.repeat(50_001) }],
  ['Please remove the unusual characters from the message.', { ...mail, message: 'a\u0000b' }],
  ['Please remove the unusual characters from the message.', { ...mail, message: 'a\u202eb' }],
  ['Please choose the format of the message: text or html.', { ...mail, format: 'markdown' }],
  ['Unknown fields: cc.', { ...mail, cc: 'ana@example.edu.ph' }],
  ['Please send a JSON object.', []],
])('a violated rule is reported: %s', async (detail, body) => {
  expect((await refused(body)).detail).toBe(detail)
})

const recipients = [
  'juan@example.edu.ph, eve@evil.example',
  'juan@example.edu.ph;eve@evil.example',
  'juan@example.edu.ph eve@evil.example',
  'juan@example.edu.ph\r\nBcc: eve@evil.example',
  'juan@example.edu.ph\nRCPT TO:<eve@evil.example>',
  'juan@example.edu.ph\u0000eve@evil.example',
  'juan@example.edu.ph\u2028Bcc: eve@evil.example',
  '<eve@evil.example> juan@example.edu.ph',
  'Juan <eve@evil.example>',
  '"juan@example.edu.ph" <eve@evil.example>',
  'group: eve@evil.example;',
  'juan@example.edu.ph>, <eve@evil.example',
  'eve@evil.example(juan@example.edu.ph)',
  'eve@[127.0.0.1]',
  '@evil.example:juan@example.edu.ph',
  'juan@example.edu.ph%0d%0aBcc:eve@evil.example',
  'juan@example.edu.ph\\r\\nBcc:eve@evil.example',
]

test.each(recipients)('no other recipient is reached by %j', async (to) => {
  expect(await refused({ ...mail, to })).toEqual({ detail: address, paths: ['to'] })
})

test('a too long address is refused', async () => {
  expect(await refused({ ...mail, to: `${'a'.repeat(250)}@evil.example` })).toMatchObject({ detail: address })
})

test('a list of recipients is refused', async () => {
  expect((await refused({ ...mail, to: ['juan@example.edu.ph', 'eve@evil.example'] })).detail).toBe(missing)
  expect((await refused({ ...mail, to: { address: 'eve@evil.example' } })).detail).toBe(missing)
})

const subjects = [
  'Hello\r\nBcc: eve@evil.example',
  'Hello\nBcc: eve@evil.example',
  'Hello\rBcc: eve@evil.example',
  'Hello\tthere',
  'Hello\u0000',
  'Hello\u2028Bcc: eve@evil.example',
  'Hello\u202ethere',
  'Hello\u0085Bcc: eve@evil.example',
]

test.each(subjects)('no header is added by the subject %j', async (subject) => {
  expect(await refused({ ...mail, subject })).toEqual({ detail: oddSubject, paths: ['subject'] })
})

test('text that looks like SMTP commands stays text', async () => {
  const hostile = {
    to: mail.to,
    subject: '=?utf-8?q?Hello=0D=0ABcc:_eve@evil.example?=',
    message:
      '\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\r\nBcc: eve@evil.example\r\n.\r\n',
  }
  const response = await admin.call('POST', '/send-email', hostile)
  expect(response.status).toBe(200)
  expect(sink.messages).toHaveLength(1)
  const [{ to, raw = '' } = { to: [] }] = sink.messages
  expect(to).toEqual([mail.to])
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'))
  expect(head).not.toMatch(/^(bcc|cc):/im)
  expect(head.match(/^to:/gim)).toHaveLength(1)
  expect(head.match(/^subject:/gim)).toHaveLength(1)
  // Only the one valid mail was ever transmitted.
  expect(sink.counts.offered).toBe(1)
})
