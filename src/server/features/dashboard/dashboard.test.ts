import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer({ now: new Date('2026-11-21T08:00:00+08:00') })
  cookie = await server.signIn()
})
afterAll(() => server.close())

test('counts the announcements that are public now: neither drafts nor scheduled ones', async () => {
  const desk = announcementsOf(server, cookie)
  await desk.added({ title: 'One' })
  await desk.added({ title: 'Two' })
  await desk.added({ title: 'Draft', draft: 'true' })
  await desk.added({ title: 'Later', publishAt: '2026-12-01T08:00' })
  const counts = await (await createAdminClient(server, cookie).call('GET', '/dashboard')).json()
  expect(counts.activeAnnouncements).toBe(2)
})
