import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { storeAnnouncements } from '#tests/factories/stored-announcement.ts'
import { announcementsOf, refusalOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

interface Page<T> {
  items: T[]
  nextCursor: string | null
}

const start = new Date('2026-11-21T08:00:00+08:00')
const hour = 3_600_000
const setting = { now: start }

let server: TestServer
let admin: ReturnType<typeof announcementsOf>
let visitor: ReturnType<typeof announcementsOf>

beforeAll(async () => {
  server = await startTestServer(setting)
  admin = announcementsOf(server, await server.signIn())
  visitor = announcementsOf(server, '')
})
afterAll(() => server.close())
beforeEach(async () => {
  setting.now = start
  await server.database.db.deleteFrom('announcements').execute()
})

const inHours = (hours: number) => String(start.getTime() + hours * hour)

async function titles(path: string, as = visitor): Promise<string[]> {
  const { items } = await as.read<Page<Announcement>>(path)
  return items.map(({ title }) => title)
}

async function pageTitles(path: string, as: typeof admin): Promise<string[][]> {
  const found: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Page<Announcement> = await as.read(`${path}&cursor=${cursor}`)
    found.push(page.items.map(({ title }) => title))
    cursor = page.nextCursor
  }
  return found
}

async function addStates(): Promise<void> {
  await admin.added({ title: 'Published', publishAt: inHours(-2), expireAt: inHours(2) })
  await admin.added({ title: 'Scheduled', publishAt: inHours(1) })
  await admin.added({ title: 'Draft', draft: 'true', category: 'LTS' })
  setting.now = new Date(start.getTime() - 3 * hour)
  // The administrator's session hasn't begun yet.
  const earlier = announcementsOf(server, await server.signIn())
  await earlier.added({ title: 'Expired', expireAt: inHours(-1) })
  setting.now = start
}

describe('the public list', () => {
  test('has pinned ones first, then the latest published', async () => {
    await admin.added({ title: 'Older', publishAt: inHours(-3) })
    await admin.added({ title: 'Pinned', publishAt: inHours(-4), pinned: 'true' })
    await admin.added({ title: 'Newer', publishAt: inHours(-1) })
    expect(await titles('')).toEqual(['Pinned', 'Newer', 'Older'])
  })

  test('can be limited to one category', async () => {
    for (const category of ['General', 'ROTC', 'LTS']) await admin.added({ title: category, category })
    expect(await titles('?category=ROTC')).toEqual(['ROTC'])
    expect(await titles('?category=LTS')).toEqual(['LTS'])
    expect(await titles('?category=CWTS')).toEqual([])
    expect((await titles('')).sort()).toEqual(['General', 'LTS', 'ROTC'])
  })

  test('has only announcements that are public now', async () => {
    await addStates()
    expect(await titles('')).toEqual(['Published'])
    expect(await titles('?all=false&state=draft')).toEqual(['Published'])
    setting.now = new Date(start.getTime() + hour)
    expect(await titles('')).toEqual(['Scheduled', 'Published'])
    setting.now = new Date(start.getTime() + 2 * hour)
    expect(await titles('')).toEqual(['Scheduled'])
  })

  test('has pages that stay stable while new ones appear', async () => {
    for (const number of [1, 2, 3, 4, 5]) await admin.added({ title: `${number}`, publishAt: inHours(-10) })
    await admin.added({ title: 'Pinned', pinned: 'true' })
    expect((await pageTitles('?limit=2', visitor)).map((titles) => titles.length)).toEqual([2, 2, 2])
    const first = await visitor.read<Page<Announcement>>('?limit=2')
    expect(first.items[0]?.title).toBe('Pinned')
    await admin.added({ title: 'New', publishAt: inHours(-1) })
    const second = await visitor.read<Page<Announcement>>(`?limit=4&cursor=${first.nextCursor}`)
    const found = [...first.items, ...second.items].map(({ title }) => title)
    expect(found.sort()).toEqual(['1', '2', '3', '4', '5', 'Pinned'])
    expect(second.nextCursor).toBeNull()
  })

  test('has twenty by default, and at most fifty', async () => {
    await storeAnnouncements(server.database, Array(51).fill({}))
    expect(await titles('')).toHaveLength(20)
    expect(await titles('?limit=50')).toHaveLength(50)
  })

  test.each([
    [
      '?category=Sports',
      'category',
      'Please choose the category: General, ROTC, CWTS, LTS, Important, Event.',
    ],
    ['?limit=51', 'limit', 'Please give the limit as a whole number from 1 to 50.'],
    ['?limit=0', 'limit', 'Please give the limit as a whole number from 1 to 50.'],
    ['?limit=many', 'limit', 'Please give the limit as a whole number from 1 to 50.'],
    ['?cursor=abc', 'cursor', 'Please begin again at the newest announcements.'],
    ['?cursor=1.1.x', 'cursor', 'Please begin again at the newest announcements.'],
    ['?all=yes', 'all', 'Must be true or false.'],
    ['?state=lost', 'state', 'Please choose the state: published, scheduled, draft, expired.'],
    ['?page=2', '', 'Unknown fields: page.'],
  ])('%s is refused with a sentence', async (query, path, message) => {
    expect(await refusalOf(visitor.call('GET', query))).toEqual({
      status: 422,
      detail: message,
      errors: [{ path, message }],
    })
  })
})

describe('the coordinator', () => {
  test('gets all announcements, newest first, with their state and version', async () => {
    await addStates()
    const { items } = await admin.read<Page<ManagedAnnouncement>>('?all=true')
    expect(items.map(({ title, state, version }) => [title, state, version])).toEqual([
      ['Draft', 'draft', 1],
      ['Scheduled', 'scheduled', 1],
      ['Published', 'published', 1],
      ['Expired', 'expired', 1],
    ])
  })

  test('can filter by state or category', async () => {
    await addStates()
    for (const state of ['published', 'scheduled', 'draft', 'expired']) {
      const found = await titles(`?all=true&state=${state}`, admin)
      expect(found.map((title) => title.toLowerCase())).toEqual([state])
    }
    expect(await titles('?all=true&category=LTS', admin)).toEqual(['Draft'])
    expect(await titles('?all=true&category=LTS&state=published', admin)).toEqual([])
  })

  test('gets them in pages', async () => {
    for (const number of [1, 2, 3, 4, 5]) await admin.added({ title: `${number}`, draft: 'true' })
    const found = await pageTitles('?all=true&limit=2', admin)
    expect(found).toEqual([['5', '4'], ['3', '2'], ['1']])
  })

  test('must be signed in to list all', async () => {
    expect(await refusalOf(visitor.call('GET', '?all=true'))).toEqual({
      status: 401,
      detail: 'Authentication required. Please login as admin.',
    })
  })

  test('reads any, and visitors only public ones', async () => {
    await addStates()
    const { items } = await admin.read<Page<ManagedAnnouncement>>('?all=true')
    for (const item of items) {
      const mine = await admin.call('GET', `/${item.id}`)
      expect(mine.headers.get('ETag')).toBe('"1"')
      expect(mine.headers.get('Cache-Control')).toContain('no-store')
      expect(await mine.json()).toEqual(item)
      const theirs = await visitor.call('GET', `/${item.id}`)
      expect(theirs.status).toBe(item.state === 'published' ? 200 : 404)
      expect(theirs.headers.get('ETag')).not.toBe('"1"')
      if (theirs.status === 404) expect((await theirs.json()).detail).toBe('Announcement not found')
    }
    expect(await refusalOf(visitor.call('GET', '/nothing'))).toMatchObject({ status: 404 })
  })
})

test("visitors don't get the author or other internal fields", async () => {
  const { id } = await admin.added({ expireAt: inHours(1) })
  const { items } = await visitor.read<Page<Announcement>>('')
  const publicFields = [
    ...['attachmentName', 'attachmentSize', 'attachmentType', 'attachmentUrl', 'category', 'content'],
    ...['contentHtml', 'createdAt', 'eventAt', 'excerpt', 'id', 'image', 'imageUrl', 'pinned', 'place'],
    ...['publishAt', 'title', 'updatedAt'],
  ]
  for (const found of [items[0], await visitor.read<Announcement>(`/${id}`)]) {
    expect(Object.keys(found ?? {}).sort()).toEqual(publicFields)
  }
})

test('a record without title and content has a placeholder title', async () => {
  const { id } = await admin.added()
  await server.database.db
    .updateTable('announcements')
    .set({ title: '', content: '' })
    .where('id', '=', id)
    .execute()
  expect(await visitor.read(`/${id}`)).toMatchObject({
    title: 'Untitled Announcement',
    content: 'No content provided',
    contentHtml: '<p>No content provided</p>',
    excerpt: 'No content provided',
  })
})
