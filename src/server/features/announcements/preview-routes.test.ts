import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const path = '/announcements/preview'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>

beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
})
afterAll(() => server.close())

test('a content is shown as visitors would read it, and nothing is stored', async () => {
  const response = await admin.call('POST', path, { content: '**Drill** at 7.\n\n<script>alert(1)</script>' })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    contentHtml: '<p><strong>Drill</strong> at 7.</p>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
  })
  const list = await admin.call('GET', '/announcements?all=true')
  expect(await list.json()).toEqual({ items: [], nextCursor: null })
})

test.each([
  ['no text', { content: 5 }, 'Please send the content as text.'],
  [
    'too long a text',
    { content: 'x'.repeat(20_001) },
    'Please shorten the content to 20,000 characters or fewer.',
  ],
])('%s is refused', async (_what, body, message) => {
  expect(await admin.refusal('POST', path, body)).toMatchObject({
    status: 422,
    errors: [{ path: 'content', message }],
  })
})

test('nobody previews without a session', async () => {
  expect(await createAdminClient(server, '').refusal('POST', path, { content: 'x' })).toMatchObject({
    status: 401,
    detail: 'Only admins can add announcements',
  })
})
