import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailDesk, openMailDesk } from '#tests/setup/mail-desk.ts'

let desk: MailDesk
beforeAll(async () => {
  desk = await openMailDesk()
  await desk.configure()
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.clear()
  await desk.trail.forget()
})

const form = {
  recipients: [{ email: 'juan@x.example', firstName: 'Juan' }, { email: 'ana@x.example' }],
  subject: 'Drill on Saturday',
  template: '<p>Good day <b>{firstName}</b>, please come.</p>',
  useCustomTemplate: true,
}
const send = (changes: object = {}) => desk.done('POST', '/send-bulk-emails', { ...form, ...changes })

test('a short list is answered with what became of each recipient', async () => {
  await desk.optOut('out@x.example')
  const recipients = [...form.recipients, 'out@x.example', 'no address']
  expect(await send({ recipients })).toEqual({
    success: true,
    message: 'Successfully sent 2 of 2 emails',
    results: [
      { email: 'juan@x.example', success: true, error: null, state: 'sent' },
      { email: 'ana@x.example', success: true, error: null, state: 'sent' },
      {
        ...{ email: 'out@x.example', success: false, state: 'left-out' },
        error: 'This address wants no announcements by e-mail any more.',
      },
      {
        ...{ email: 'no address', success: false, state: 'left-out' },
        error: 'Please enter a valid email address.',
      },
    ],
    errors: [
      'out@x.example: This address wants no announcements by e-mail any more.',
      'no address: Please enter a valid email address.',
    ],
    batchId: expect.any(String),
  })
  const juan = desk.sink.messages.find(({ to }) => to[0] === 'juan@x.example')
  expect(juan?.raw).toMatch(/^Good day Juan, please come\.\r$/m)
  expect(juan?.raw).toContain('<b>Juan</b>')
})

test('says who could not be reached, and why', async () => {
  desk.sink.fault({ at: 'rcpt', recipient: 'ana@x.example', does: 'answer', code: 550, text: 'No such user' })
  const result = await send()
  expect(result).toMatchObject({ success: true, message: 'Successfully sent 1 of 2 emails' })
  expect(result.results[1]).toMatchObject({ email: 'ana@x.example', success: false, state: 'failed' })
  expect(result.errors).toEqual([`ana@x.example: ${result.results[1].error}`])

  const nobody = await send({ recipients: ['ana@x.example'] })
  expect(nobody).toMatchObject({
    success: false,
    message: `Failed to send emails: ${nobody.results[0].error}`,
  })
})

test('a program with a token sends as well; what it leaves waiting is said to wait', async () => {
  const { token } = await desk.done('POST', '/tokens', { name: 'Student portal' })
  desk.sink.fault({ at: 'rcpt', recipient: 'ana@x.example', does: 'answer', code: 451, text: 'Later' })
  const response = await desk.nobody.call('POST', '/send-bulk-emails', form, {
    Authorization: `Bearer ${token}`,
  })
  expect(response.status).toBe(200)
  const result = await response.json()
  expect(result.success).toBe(true)
  expect(result.message).toMatch(
    /^1 of 2 emails are queued\. The last of them will be sent (at|tomorrow at) about \d+:\d\d [AP]M\.$/,
  )
  expect(result.results[1]).toEqual({ email: 'ana@x.example', success: false, error: null, state: 'queued' })
  expect(result.errors).toEqual([])
  expect(await desk.done('GET', `/mail/batches/${result.batchId}`)).toMatchObject({
    createdBy: 'API token Student portal',
  })
})

test.each([
  [{ recipients: [] }, 'Invalid recipients format'],
  [{ recipients: undefined }, 'Invalid recipients format'],
  [{ recipients: 'nobody' }, 'Invalid recipients format'],
  [{ subject: '' }, 'Subject is required'],
  [{ subject: undefined }, 'Subject is required'],
  [{ template: '' }, 'Please write the message.'],
  [{ useCustomTemplate: false, template: 'none' }, 'Please choose a template.'],
  [{ audience: {} }, 'These fields are not known here: audience.'],
])('%j is refused: %s', async (changes, message) => {
  const response = await desk.admin.call('POST', '/send-bulk-emails', { ...form, ...changes })
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { success: false, message, detail: message },
  ])
  expect(desk.sink.messages).toEqual([])
})

test('a stored template is sent by its name', async () => {
  const result = await send({
    useCustomTemplate: false,
    template: 'orientation',
    recipients: ['a@x.example'],
  })
  expect(result.message).toBe('Successfully sent 1 of 1 emails')
})

test('nobody sends without a session or a token, or while e-mail is not configured', async () => {
  const refused = await desk.nobody.call('POST', '/send-bulk-emails', form)
  expect([refused.status, await refused.json()]).toMatchObject([
    401,
    { success: false, message: 'Authentication required. Please login as admin.' },
  ])
  await desk.forget()
  const response = await desk.admin.call('POST', '/send-bulk-emails', form)
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { success: false, message: 'Email service is not configured.' },
  ])
  await desk.configure()
})
