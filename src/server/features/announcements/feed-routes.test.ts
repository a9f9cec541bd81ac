import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildImage } from '#tests/factories/images.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const origin = 'https://nstp.school.example'

let server: TestServer
let admin: ReturnType<typeof announcementsOf>

beforeAll(async () => {
  server = await startTestServer({ env: { PUBLIC_URL: origin } })
  admin = announcementsOf(server, await server.signIn())
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('announcements').execute()
})

function read(headers: Record<string, string> = {}) {
  return fetch(`${server.url}/announcements/feed.xml`, { headers })
}

function textsOf(xml: string, name: string): string[] {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' }
  return [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text = '']) =>
    text.replace(/&(\w+);/g, (_entity, code) => entities[code] ?? ''),
  )
}

describe('the feed', () => {
  test('lists public announcements: title, link, dates, content, category, image', async () => {
    const image = new File([new Uint8Array(await buildImage('png'))], 'a.png', { type: 'image/png' })
    const added = await admin.added({
      title: 'R&D <b>"day"</b> 日本',
      content: '**Bring** ]]> & <water>\n\n- hat',
      category: 'Event',
      image,
    })
    await admin.added({ title: 'Not yet', draft: 'true' })
    await admin.added({ title: 'Later', publishAt: String(Date.now() + 3_600_000) })

    const response = await read()
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8')
    const xml = await response.text()
    expect(xml).not.toMatch(/Not yet|Later|admin@/)
    expect(textsOf(xml, 'title')).toEqual(['NSTP Portal announcements', added.title])
    expect(textsOf(xml, 'id')).toEqual([`${origin}/announcements`, `urn:uuid:${added.id}`])
    expect(textsOf(xml, 'content')).toEqual([added.contentHtml])
    expect(textsOf(xml, 'summary')).toEqual(['Bring ]]> & <water> · hat'])
    expect(textsOf(xml, 'published')).toEqual([new Date(added.publishAt ?? 0).toISOString()])
    expect(textsOf(xml, 'updated')).toEqual(Array(2).fill(new Date(added.updatedAt).toISOString()))
    expect(textsOf(xml, 'name')).toEqual(['NSTP Portal'])
    expect(xml).toContain('<category term="Event"/>')
    expect(xml).toContain(
      `<link rel="alternate" type="text/html" href="${origin}/announcements/${added.id}"/>`,
    )
    expect(xml).toContain(
      `<link rel="enclosure" type="image/jpeg" href="${origin}${added.image?.jpeg.url}"/>`,
    )
    expect(xml).toContain(
      `<link rel="self" type="application/atom+xml" href="${origin}/announcements/feed.xml"/>`,
    )
  })

  test('is valid when it is empty', async () => {
    expect(textsOf(await (await read()).text(), 'updated')).toEqual(['1970-01-01T00:00:00.000Z'])
  })

  test("leaves out characters that XML doesn't allow", async () => {
    const { id } = await admin.added()
    // As a restored backup of another program may contain it.
    const broken = 'a\u0001b\ufffe'
    await server.database.db
      .updateTable('announcements')
      .set({ title: broken })
      .where('id', '=', id)
      .execute()
    expect(textsOf(await (await read()).text(), 'title')[1]).toBe('ab')
  })

  test('lists the latest twenty', async () => {
    // However long one of them was pinned.
    await storeAnnouncements(server.database, [...Array(20).fill({}), { pinned: true }])
    const titles = textsOf(await (await read()).text(), 'title').slice(1)
    expect(titles).toEqual(Array.from({ length: 20 }, (_, index) => `Announcement ${index + 1}`))
  })

  test('answers 304 to conditional requests until something changes', async () => {
    const added = await admin.added()
    const tag = (await read()).headers.get('ETag') ?? ''
    for (const tags of [tag, `"x", ${tag}`]) {
      const again = await read({ 'If-None-Match': tags })
      expect([again.status, await again.text()]).toEqual([304, ''])
    }
    // Taking away the only one is a change as well.
    await admin.delete(added.id)
    const changed = await read({ 'If-None-Match': tag })
    expect(changed.status).toBe(200)
    expect(await changed.text()).not.toContain('<entry>')
  })
})
