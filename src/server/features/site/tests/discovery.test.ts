import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicPages } from '#shared/site/public-pages.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const now = new Date('2026-11-21T08:00:00+08:00')
const site = 'https://nstp.example.edu.ph'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer({ now, env: { PUBLIC_URL: `${site}/` } })
  cookie = await server.signIn()
})
afterAll(() => server.close())

async function read(path: string) {
  const response = await fetch(server.url + path)
  expect(response.status).toBe(200)
  return { type: response.headers.get('Content-Type'), text: await response.text() }
}

test('robots.txt excludes the admin screens and names the sitemap', async () => {
  const { type, text } = await read('/robots.txt')
  expect(type).toMatch(/^text\/plain/)
  const lines = text.split('\n')
  expect(lines).toContain('Disallow: /admin')
  expect(lines).toContain('Disallow: /api/')
  expect(lines).toContain('Allow: /api/files/')
  expect(lines).toContain(`Sitemap: ${site}/sitemap.xml`)
})

describe('the sitemap', () => {
  test('names every public page by its one address', async () => {
    const { type, text } = await read('/sitemap.xml')
    expect(type).toMatch(/^application\/xml/)
    for (const path of publicPages) expect(text).toContain(`<loc>${site}${path}</loc>`)
  })

  test('names an announcement that is public now, and no other', async () => {
    const admin = announcementsOf(server, cookie)
    const open = await admin.added({ title: 'Open' })
    const draft = await admin.added({ title: 'Draft', draft: 'true' })
    const { text } = await read('/sitemap.xml')
    expect(text).toContain(
      `<loc>${site}/announcements/${open.id}</loc><lastmod>2026-11-21T00:00:00.000Z</lastmod>`,
    )
    expect(text).not.toContain(draft.id)
  })
})

test('the manifest has the name of the settings and existing icons', async () => {
  const client = createAdminClient(server, cookie)
  const { version } = await (await client.call('GET', '/settings')).json()
  const change = { systemName: 'NSTP of Santa Rosa', schoolName: 'Santa Rosa College' }
  expect((await client.call('PATCH', '/settings', change, { 'If-Match': `"${version}"` })).status).toBe(200)
  const { type, text } = await read('/site.webmanifest')
  expect(type).toMatch(/^application\/manifest\+json/)
  const manifest = JSON.parse(text)
  expect(manifest).toMatchObject({
    name: 'NSTP of Santa Rosa · Santa Rosa College',
    short_name: 'NSTP',
    start_url: '/',
  })
  expect(manifest.icons.map(({ purpose = 'any' }) => purpose)).toContain('maskable')
})

test('without a configured address, the requested host counts', async () => {
  const other = await startTestServer({ database: server.database })
  try {
    const text = await (await fetch(`${other.url}/robots.txt`)).text()
    expect(text).toContain(`Sitemap: ${other.url}/sitemap.xml`)
  } finally {
    await other.close()
  }
})
