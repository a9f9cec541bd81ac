import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Announcement } from '#shared/announcements/announcement-response.ts'
import { announcementsOf, refusalOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const origin = 'https://nstp.school.example'
const start = new Date('2026-11-21T08:00:00+08:00')
const hour = 3_600_000
const setting = { now: start, env: { PUBLIC_URL: origin } }

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
const event = { category: 'Event', eventAt: '2026-12-05T08:00', place: 'Gymnasium' }

async function upcoming(): Promise<string[]> {
  const { items } = await visitor.read<{ items: Announcement[] }>('/upcoming')
  return items.map(({ title }) => title)
}

describe('the date of an event', () => {
  test('is in the program’s time zone, with a place', async () => {
    const added = await admin.added(event)
    expect(added).toMatchObject({ eventAt: Date.parse('2026-12-05T00:00:00Z'), place: 'Gymnasium' })
    expect(await visitor.read(`/${added.id}`)).toMatchObject({
      eventAt: added.eventAt,
      place: 'Gymnasium',
    })
  })

  test('is changed, kept and removed', async () => {
    const added = await admin.added(event)
    const renamed = await admin.edited(added, { title: 'Orientation' })
    expect(renamed).toMatchObject({ eventAt: added.eventAt, place: 'Gymnasium' })
    const moved = await admin.edited(renamed, { eventAt: '2026-12-06T09:30', place: ' Auditorium ' })
    expect(moved).toMatchObject({ eventAt: Date.parse('2026-12-06T01:30:00Z'), place: 'Auditorium' })
    expect(await admin.edited(moved, { eventAt: '' })).toMatchObject({ eventAt: null, place: 'Auditorium' })
  })

  test('is only kept for the category Event', async () => {
    expect(await admin.added({ ...event, category: 'General' })).toMatchObject({ eventAt: null, place: '' })
    const added = await admin.added(event)
    expect(await admin.edited(added, { category: 'ROTC' })).toMatchObject({ eventAt: null, place: '' })
  })

  test('is refused when it is none', async () => {
    const refusal = await refusalOf(
      admin.add({ title: 'Drill', content: 'At the gym.', ...event, eventAt: '2026-02-30T08:00' }),
    )
    expect(refusal).toMatchObject({
      status: 422,
      errors: [{ path: 'eventAt', message: 'Please choose a date and a time.' }],
    })
  })
})

describe('the next events', () => {
  test('are the public ones that lie ahead, the next first', async () => {
    for (const [title, hours] of [
      ['Fourth', 9],
      ['Second', 4],
      ['First', 2],
      ['Third', 6],
    ] as const)
      await admin.added({ ...event, title, eventAt: inHours(hours) })
    await admin.added({ ...event, title: 'Over', eventAt: inHours(-1) })
    await admin.added({ ...event, title: 'Draft', eventAt: inHours(1), draft: 'true' })
    await admin.added({ title: 'No event' })
    expect(await upcoming()).toEqual(['First', 'Second', 'Third'])
    setting.now = new Date(start.getTime() + 2 * hour)
    expect(await upcoming()).toEqual(['Second', 'Third', 'Fourth'])
  })
})

describe('the calendar file', () => {
  const read = (id: string) => fetch(`${server.url}/announcements/${id}/event.ics`)

  test('is an event of RFC 5545', async () => {
    const title = 'Orientation; ROTC, CWTS \\ LTS'
    const { id } = await admin.added({ ...event, title, content: `Be early.\n\n${'ñ'.repeat(60)}` })
    const response = await read(id)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/calendar; charset=utf-8')
    const text = await response.text()
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    expect(text.replaceAll('\r\n ', '')).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//NSTP Portal//EN',
        'BEGIN:VEVENT',
        `UID:${id}`,
        'DTSTAMP:20261121T000000Z',
        'DTSTART:20261205T000000Z',
        'SUMMARY:Orientation\\; ROTC\\, CWTS \\\\ LTS',
        'LOCATION:Gymnasium',
        `DESCRIPTION:Be early. ${'ñ'.repeat(60)}\\n${origin}/announcements/${id}`,
        `URL:${origin}/announcements/${id}`,
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    )
  })

  test('is not there for a draft, or without a date', async () => {
    const draft = await admin.added({ ...event, draft: 'true' })
    const undated = await admin.added({ category: 'Event' })
    for (const id of [draft.id, undated.id, 'none']) expect((await read(id)).status).toBe(404)
  })
})
