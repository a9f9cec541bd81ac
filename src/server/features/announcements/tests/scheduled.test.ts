import { afterAll, beforeAll, expect, test } from 'vitest'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let other: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  other = await startTestServer({ database: server.database })
  cookie = await server.signIn()
})
afterAll(async () => {
  await other.close()
  await server.close()
})

async function* eventsOf({ url }: TestServer): AsyncGenerator<string> {
  const { body } = await fetch(`${url}/api/events`)
  if (!body) throw new Error('a stream has a body')
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? []
      if (data !== undefined) yield data
    }
  }
}

async function timesOf(
  process: TestServer,
  changes: AsyncGenerator<string>,
  counts: readonly number[],
): Promise<number[]> {
  const times: number[] = []
  for await (const topic of changes) {
    expect(topic).toBe('announcements')
    const { items } = await announcementsOf(process, '').read<{ items: unknown[] }>('')
    if (items.length === counts[times.length]) times.push(Date.now())
    if (times.length === counts.length) break
  }
  return times
}

test('a scheduled publication begins and ends in time, and open pages of every process are notified', async () => {
  const admin = announcementsOf(server, cookie)
  const open = [server, other].map((process) => ({ process, events: eventsOf(process) }))
  for (const { events } of open) expect((await events.next()).value).toBe('connected')
  const start = Date.now()
  const publishAt = start + 2_000
  const expireAt = start + 4_500
  const added = await admin.added({ publishAt: String(publishAt), expireAt: String(expireAt) })
  expect(added.state).toBe('scheduled')
  const received = open.map(({ process, events }) => timesOf(process, events, [0, 1, 0]))
  for (const [, appeared = 0, disappeared = 0] of await Promise.all(received)) {
    expect(appeared).toBeGreaterThanOrEqual(publishAt)
    expect(disappeared).toBeGreaterThanOrEqual(expireAt)
  }
  expect(await admin.read(`/${added.id}`)).toMatchObject({ state: 'expired' })
})
