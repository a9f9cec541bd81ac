// @module-tag rest
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Announcement, ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import type { OrgChartContent } from '#shared/org-chart/org-chart-response.ts'
import type { SiteTexts } from '#shared/settings/site-texts.ts'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { fillContent, seedDemo } from '../fill-with-demo.ts'

const now = new Date('2026-11-20T04:00:00Z')

describe('the content of the demo', () => {
  let server: TestServer
  let database: TestDatabase
  let cookie: string

  beforeAll(async () => {
    database = await createTestDatabase()
    await seedDemo({ database, count: 5, now, content: fillContent })
    server = await startTestServer({ database, now })
    cookie = await server.signIn()
  })
  afterAll(async () => {
    await server.close()
    await database.close()
  })

  async function read<T>(path: string, headers: Record<string, string> = {}): Promise<T> {
    const response = await fetch(server.url + path, { headers })
    expect(response.status).toBe(200)
    return await response.json()
  }

  test('has announcements of every category and in every state', async () => {
    const { items } = await read<{ items: ManagedAnnouncement[] }>('/api/announcements?all=true', { cookie })
    expect(items).toHaveLength(12)
    expect(new Set(items.map(({ category }) => category)).size).toBe(6)
    expect(new Set(items.map(({ state }) => state))).toEqual(
      new Set(['published', 'scheduled', 'draft', 'expired']),
    )
  })

  test('lists the pinned one first, and its attachment is a PDF file', async () => {
    const { items } = await read<{ items: Announcement[] }>('/api/announcements?limit=3')
    expect(items[0]).toMatchObject({ title: 'Orientation of all components', pinned: true })
    expect(items[0]).toMatchObject({
      eventAt: Date.parse('2026-12-02T08:00+08:00'),
      place: 'School auditorium',
    })
    const response = await fetch(server.url + String(items[0]?.attachmentUrl))
    const file = await response.text()
    expect(file).toMatch(/^%PDF-1\.4/)
    const table = Number(/startxref\n(\d+)/.exec(file)?.[1])
    expect(file.slice(table, table + 4)).toBe('xref')
    const first = Number(/f \n(\d{10}) /.exec(file)?.[1])
    expect(file.slice(first, first + 7)).toBe('1 0 obj')
  })

  test('has slides and photos with existing files', async () => {
    const { items } = await read<{ items: Slide[] }>('/api/slides')
    expect(items).toHaveLength(3)
    const { items: nodes } = await read<OrgChartContent>('/api/org-chart')
    expect(nodes).toHaveLength(16)
    for (const url of [items[0]?.imageUrl, nodes[0]?.imageUrl]) {
      expect((await fetch(server.url + String(url))).status).toBe(200)
    }
  })

  test('has the contact of the office, at addresses that nobody can own', async () => {
    const { contact, officeLinks } = await read<SiteTexts>('/api/site/texts')
    expect(contact.email).toBe('nstp@school.example')
    expect(officeLinks.facebook).toBe('https://facebook.example/nstp')
  })
})

test('a demo that fails is rolled back', async () => {
  const database = await createTestDatabase()
  try {
    const content: typeof fillContent = async (tx, at) => {
      await fillContent(tx, at)
      throw new Error('The disk is full.')
    }
    await expect(seedDemo({ database, count: 5, now, content })).rejects.toThrow('The disk is full.')
    const { rows } = await database.pool.query(
      'select (select count(*) from students)::int + (select count(*) from slides)::int + (select count(*) from files)::int as n',
    )
    expect(rows).toEqual([{ n: 0 }])
  } finally {
    await database.close()
  }
})
