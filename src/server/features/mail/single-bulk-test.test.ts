import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailAdmin, openMailAdmin } from '#tests/setup/mail-admin.ts'

let desk: MailAdmin
beforeAll(async () => {
  desk = await openMailAdmin()
  await desk.configure()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.clear()
  await desk.trail.clear()
})

const values = { firstName: 'Ana', component: 'CWTS', reference: 'NSTP-7K3D-M9QX' }
const stored = { subject: 'For {firstName}', template: 'requirements' }
const own = {
  subject: 'For {firstName}',
  useCustomTemplate: true,
  body: 'Dear **{firstName}**, write <b>bold</b>.',
}

function partsOf(raw: string): string {
  const boundaries = [...raw.matchAll(/boundary="([^"]+)"/g)].map(([, boundary = '']) => boundary)
  const alike = boundaries.reduce((text, boundary) => text.replaceAll(boundary, 'boundary'), raw)
  return alike.replaceAll(/^(?:Message-ID|Date|To): .*$/gm, '')
}

test.each([
  [
    'a stored text, with its heading and what is told of the recipient',
    stored,
    'Reference code: NSTP-7K3D-M9QX',
  ],
  ['one’s own text, which is never taken for HTML', own, 'write <b>bold</b>.'],
])('to oneself it is what its recipients get: %s', async (_, form, expected) => {
  const response = await desk.admin.call('POST', '/mail/test/bulk', { ...form, values })
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { success: true, message: 'Email sent successfully', state: 'sent' },
  ])
  // What a list's recipient is filled in with is the record's.
  await desk.done('POST', '/mail/batches', {
    ...form,
    recipients: [{ email: 'ana@x.example', firstName: 'Ana' }],
  })
  await desk.allEnded()
  const [toSelf, real] = desk.sink.messages
  expect(toSelf?.to).toEqual([desk.sink.account.senderAddress])
  expect(toSelf?.raw).toContain(expected)
  expect(toSelf?.raw).toContain('Subject: For Ana')
  const headersOf = (raw = '') => partsOf(raw).split('\r\n\r\n')[0]
  expect(headersOf(toSelf?.raw)).toBe(headersOf(real?.raw))
  expect(await desk.trail.entries()).toMatchObject([
    { action: 'mail-sent', detail: { kind: 'test' } },
    { action: 'mail-batch-started' },
  ])
})

test('of nobody in particular it is the same to the letter', async () => {
  await desk.done('POST', '/mail/test/bulk', stored)
  await desk.done('POST', '/mail/batches', { ...stored, recipients: ['ana@x.example'] })
  await desk.allEnded()
  const [toSelf, real] = desk.sink.messages.map(({ raw }) => partsOf(raw))
  expect(toSelf).toBe(real)
  expect(toSelf).toContain('>Please complete your requirements</h1>')
})

test('is shown in the outbox as it went out, under nobody’s name', async () => {
  await desk.done('POST', '/mail/test/bulk', { ...stored, values: { ...values, lastName: 'Reyes' } })
  const { items } = await desk.done('GET', '/mail/messages')
  expect(items).toMatchObject([{ kind: 'test', name: '', subject: 'For Ana', state: 'sent' }])
  expect((await desk.done('GET', `/mail/messages/${items[0].id}`)).text).toContain('Reference code')
  expect((await desk.done('GET', '/mail/messages?search=reyes')).items).toEqual([])
})

test('the same sending again sends nothing more; another one is refused', async () => {
  const key = { 'Idempotency-Key': 'a-key-of-a-test' }
  const first = await desk.done('POST', '/mail/test/bulk', { ...stored, values }, key)
  expect(await desk.done('POST', '/mail/test/bulk', { ...stored, values }, key)).toEqual(first)
  expect(await desk.admin.refusal('POST', '/mail/test/bulk', stored, key)).toMatchObject({ status: 409 })
  expect(desk.sink.messages).toHaveLength(1)
})

test.each([
  [{ subject: ' ' }, 'subject', 'Subject is required'],
  [{ subject: 'Dear {name}' }, 'subject', /^There is no placeholder \{name\}\./],
  [{ template: '' }, 'template', 'Please choose a template.'],
  [{ template: 'none' }, 'template', 'Please choose a template.'],
  [{ useCustomTemplate: true, body: '' }, 'body', 'Please write the message.'],
  [{ values: { firstName: 'x'.repeat(301) } }, 'values.firstName', /at most 300 characters/],
])('%j is refused', async (changes, path, message) => {
  const refusal = await desk.admin.refusal('POST', '/mail/test/bulk', { ...stored, ...changes })
  expect(refusal).toMatchObject({ status: 422, errors: [{ path, message: expect.stringMatching(message) }] })
  expect(desk.sink.messages).toEqual([])
})

test('is for administrators, and for an account to send by', async () => {
  expect(await desk.visitor.refusal('POST', '/mail/test/bulk', stored)).toMatchObject({
    status: 401,
    detail: 'Authentication required. Please login as admin.',
  })
  await desk.removeAccount()
  expect(await desk.admin.refusal('POST', '/mail/test/bulk', stored)).toMatchObject({
    status: 503,
    detail: 'Email service is not configured.',
  })
  await desk.configure()
})
