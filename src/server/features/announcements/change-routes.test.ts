import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const now = new Date('2026-11-21T08:00:00+08:00')

let server: TestServer
let desk: ReturnType<typeof announcementsOf>

beforeAll(async () => {
  server = await startTestServer({ now })
  desk = announcementsOf(server, await server.signIn())
})
afterAll(() => server.close())

describe('a new announcement', () => {
  test('is public at once, as it was typed', async () => {
    const response = await desk.add({
      title: '  First drill ',
      content: 'At the **gym**.\r\nBring water.',
      category: 'ROTC',
      pinned: 'true',
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('ETag')).toBe('"1"')
    const added: ManagedAnnouncement = await response.json()
    expect(added).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      state: 'published',
      title: 'First drill',
      content: 'At the **gym**.\nBring water.',
      contentHtml: '<p>At the <strong>gym</strong>.<br />\nBring water.</p>',
      excerpt: 'At the gym. Bring water.',
      category: 'ROTC',
      pinned: true,
      createdAt: now.getTime(),
      updatedAt: now.getTime(),
      publishAt: now.getTime(),
      expireAt: null,
      imageUrl: null,
      image: null,
      attachmentUrl: null,
      attachmentName: null,
      attachmentType: null,
      attachmentSize: null,
    })
    expect(await desk.read(`/${added.id}`)).toEqual(added)
  })
})
