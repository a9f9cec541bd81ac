import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>
beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())

async function preview(body: object) {
  const response = await admin.call('POST', '/mail/preview', body)
  expect(response.status).toBe(200)
  return await response.json()
}

describe('GET /api/mail/templates', () => {
  test('gives what a bulk mail can be sent with', async () => {
    const { items } = await (await admin.call('GET', '/mail/templates')).json()
    expect(items.map(({ name }: { name: string }) => name)).toEqual([
      'welcome',
      'requirements',
      'orientation',
    ])
    expect(items[1]).toEqual({
      name: 'requirements',
      title: 'Reminder: complete your requirements',
      subject: 'Please complete your NSTP requirements',
      text: expect.stringContaining('Dear {firstName},'),
    })
  })

  test('is for administrators', async () => {
    expect(await createAdminClient(server, '').refusal('GET', '/mail/templates')).toMatchObject({
      status: 401,
    })
  })
})

describe('POST /api/mail/preview', () => {
  test('shows a message of its own as it was written', async () => {
    const { subject, html, text } = await preview({ subject: 'Hi {x}', message: 'See **this** {x}' })
    expect(subject).toBe('Hi {x}')
    expect(html).toMatch(/^<!doctype html><html lang="en">.*<strong>this<\/strong> \{x\}/s)
    expect(text).toContain('See **this** {x}')
  })

  test('cleans HTML, and gives its words as text', async () => {
    const { html, text } = await preview({
      subject: 'S',
      message: '<p onclick="x()">Hi<img src="https://t.example/a"></p>',
    })
    expect(html).not.toMatch(/onclick|<img|<script|<style/)
    expect(text).toContain('Hi\n\n-- \n')
  })

  test('shows tags as text where the message is said to be text', async () => {
    const { html } = await preview({ subject: 'S', message: 'Use <p> here', format: 'text' })
    expect(html).toContain('Use &lt;p&gt; here')
  })

  test('fills placeholders, also those of a stored template', async () => {
    const values = { firstName: 'Ana', reference: 'NSTP-7K3D-M9QX' }
    const own = await preview({ subject: 'Hi {firstName}', message: 'Dear {firstName} {lastName}', values })
    expect(own.subject).toBe('Hi Ana')
    expect(own.text).toContain('Dear Ana\n')
    const stored = await preview({ subject: '{firstName}', message: '', template: 'orientation', values })
    expect(stored.text).toContain('Reference code: NSTP-7K3D-M9QX')
  })

  test.each([
    [
      { subject: 'Hi {name}', message: 'a', values: {} },
      'subject',
      /^There is no placeholder \{name\}\. You can use /,
    ],
    [
      { subject: 'Hi', message: '{surname}', values: {} },
      'message',
      /^There is no placeholder \{surname\}\./,
    ],
    [{ subject: 'Hi', message: 'a', template: 'none' }, 'template', /^There is no template of this name\.$/],
    [
      { subject: 'x'.repeat(201), message: 'a' },
      'subject',
      /^The subject may have at most 200 characters\.$/,
    ],
    [{ message: 'a' }, 'subject', /^Subject is required$/],
    [{ subject: 'Hi' }, 'message', /^Please fill in all fields$/],
  ])('refuses %j with a sentence', async (body, path, message) => {
    const refusal = await admin.refusal('POST', '/mail/preview', body)
    expect(refusal).toMatchObject({
      status: 422,
      errors: [{ path, message: expect.stringMatching(message) }],
    })
  })

  test('is for administrators', async () => {
    const refusal = await createAdminClient(server, '').refusal('POST', '/mail/preview', {
      subject: 'a',
      message: 'b',
    })
    expect(refusal).toMatchObject({ status: 401, code: 'unauthenticated' })
  })
})
