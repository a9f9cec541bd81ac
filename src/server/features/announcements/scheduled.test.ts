import { afterAll, beforeAll, expect, test } from 'vitest'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
})
afterAll(() => server.close())

/** The data of each change that everybody's stream of events tells, as they come. */
async function* changes(): AsyncGenerator<string> {
  const { body } = await fetch(`${server.url}/api/events`)
  if (!body) throw new Error('a stream has a body')
  let text = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      if (event.includes('event: change')) yield /^data: (.*)$/m.exec(event)?.[1] ?? ''
    }
  }
}

test('a planned publication begins and ends by itself, and open pages hear of it', async () => {
  const desk = announcementsOf(server, cookie)
  const everybody = announcementsOf(server, '')
  const stream = changes()
  const count = async () => (await everybody.read<{ items: unknown[] }>('')).items.length
  const told = async () => {
    // A change of the coordinator's own may still be on its way.
    expect((await stream.next()).value).toBe('announcements')
    return count()
  }
  const start = Date.now()
  const publishAt = start + 2_000
  const expireAt = start + 4_500
  const reading = told()
  const added = await desk.added({ publishAt: String(publishAt), expireAt: String(expireAt) })
  expect(added.state).toBe('scheduled')
  expect(await reading).toBe(0)
  expect(await told()).toBe(1)
  expect(Date.now()).toBeGreaterThanOrEqual(publishAt)
  expect(await told()).toBe(0)
  expect(Date.now()).toBeGreaterThanOrEqual(expireAt)
  await stream.return(undefined)
  expect(await desk.read(`/${added.id}`)).toMatchObject({ state: 'expired' })
})
