import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailFixture, openMailFixture } from '#tests/setup/mail-fixture.ts'

let fixture: MailFixture
beforeAll(async () => {
  fixture = await openMailFixture()
  await fixture.configure()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.clear()
  await fixture.trail.clear()
})

const values = { firstName: 'Ana', component: 'CWTS', reference: 'NSTP-7K3D-M9QX' }
const stored = { subject: 'For {firstName}', template: 'requirements' }
const own = {
  subject: 'For {firstName}',
  useCustomTemplate: true,
  body: 'Dear **{firstName}**, write <b>bold</b>.',
}

/** Without what differs by recipient and moment: each has a link of its own to unsubscribe. */
function partsOf(raw: string): string {
  const boundaries = [...raw.matchAll(/boundary="([^"]+)"/g)].map(([, boundary = '']) => boundary)
  const alike = boundaries.reduce((text, boundary) => text.replaceAll(boundary, 'boundary'), raw)
  return alike
    .replaceAll(/^(?:Message-ID|Date|To): .*$/gm, '')
    .replaceAll('=\r\n', '')
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .replaceAll(/(?<=unsubscribe\?token=(?:3D)?)[\w-]+/g, 'token')
}

test.each([
  [
    'a stored template, with its heading and the recipient’s values',
    stored,
    'Reference code: NSTP-7K3D-M9QX',
  ],
  ['one’s own text, which is never taken for HTML', own, 'write <b>bold</b>.'],
])('a test equals the mail that recipients get: %s', async (_, form, expected) => {
  const response = await fixture.admin.call('POST', '/mail/test/bulk', { ...form, values })
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { success: true, message: 'Email sent successfully', state: 'sent' },
  ])
  // A recipient of a list is filled from the record.
  await fixture.done('POST', '/mail/batches', {
    ...form,
    recipients: [{ email: 'ana@x.example', firstName: 'Ana' }],
  })
  await fixture.allEnded()
  const [toSelf, real] = fixture.sink.messages
  expect(toSelf?.to).toEqual([fixture.sink.account.senderAddress])
  expect(toSelf?.raw).toContain(expected)
  expect(toSelf?.raw).toContain('Subject: For Ana')
  const headersOf = (raw = '') => partsOf(raw).split('\r\n\r\n')[0]
  expect(headersOf(toSelf?.raw)).toBe(headersOf(real?.raw))
  expect(await fixture.trail.entries()).toMatchObject([
    { action: 'mail-sent', detail: { kind: 'test' } },
    { action: 'mail-batch-started' },
  ])
})

test('a test without values equals the mail to an unknown recipient', async () => {
  await fixture.done('POST', '/mail/test/bulk', stored)
  await fixture.done('POST', '/mail/batches', { ...stored, recipients: ['ana@x.example'] })
  await fixture.allEnded()
  const [toSelf, real] = fixture.sink.messages.map(({ raw }) => partsOf(raw))
  expect(toSelf).toBe(real)
  expect(toSelf).toContain('>Please complete your requirements</h1>')
})

test('the outbox shows a test as it was sent, without a student', async () => {
  await fixture.done('POST', '/mail/test/bulk', { ...stored, values: { ...values, lastName: 'Reyes' } })
  const { items } = await fixture.done('GET', '/mail/messages')
  expect(items).toMatchObject([{ kind: 'test', name: '', subject: 'For Ana', state: 'sent' }])
  expect((await fixture.done('GET', `/mail/messages/${items[0].id}`)).text).toContain('Reference code')
  expect((await fixture.done('GET', '/mail/messages?search=reyes')).items).toEqual([])
})

test('the same key sends nothing again; another mail with it is refused', async () => {
  const key = { 'Idempotency-Key': 'a-key-of-a-test' }
  const first = await fixture.done('POST', '/mail/test/bulk', { ...stored, values }, key)
  expect(await fixture.done('POST', '/mail/test/bulk', { ...stored, values }, key)).toEqual(first)
  expect(await fixture.admin.refusal('POST', '/mail/test/bulk', stored, key)).toMatchObject({ status: 409 })
  expect(fixture.sink.messages).toHaveLength(1)
})

test.each([
  [{ subject: ' ' }, 'subject', 'Subject is required'],
  [{ subject: 'Dear {name}' }, 'subject', /^Unknown placeholder \{name\}\./],
  [{ template: '' }, 'template', 'Please choose a template.'],
  [{ template: 'none' }, 'template', 'Please choose a template.'],
  [{ useCustomTemplate: true, body: '' }, 'body', 'Please write the message.'],
  [{ values: { firstName: 'x'.repeat(301) } }, 'values.firstName', /to 300 characters or fewer/],
])('%j is refused', async (changes, path, message) => {
  const refusal = await fixture.admin.refusal('POST', '/mail/test/bulk', { ...stored, ...changes })
  expect(refusal).toMatchObject({ status: 422, errors: [{ path, message: expect.stringMatching(message) }] })
  expect(fixture.sink.messages).toEqual([])
})

test('needs an administrator and a configured account', async () => {
  expect(await fixture.anonymous.refusal('POST', '/mail/test/bulk', stored)).toMatchObject({
    status: 401,
    detail: 'Authentication required. Please login as admin.',
  })
  await fixture.forget()
  expect(await fixture.admin.refusal('POST', '/mail/test/bulk', stored)).toMatchObject({
    status: 503,
    detail: 'Email service is not configured.',
  })
  await fixture.configure()
})
