import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Notices } from '#server/database/notices.ts'
import { listen as openPort } from '#server/listen.ts'
import type { Topic } from '#shared/topics.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { openEvents } from '#tests/setup/event-stream.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import type { AppEnv, SessionAdmin } from '../context.ts'
import { createEventRoutes } from '../event-routes.ts'

const options: { now?: Date } = {}
let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await startTestServer(options)
  second = await startTestServer({ database: first.database })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const listen = ({ url }: TestServer, cookie?: string, query?: string) => openEvents(url, cookie, query)

async function register(server: TestServer) {
  const answer = await fetch(`${server.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(buildRegistration()),
  })
  expect(answer.status).toBe(201)
}

test('a registration at one process notifies an administrator at another, by topic and without data', async () => {
  const stream = await listen(second, await second.signIn())
  await stream.waitFor('event: hello')
  await register(first)
  await stream.waitFor('event: change\ndata: students')
  expect(stream.received()).not.toContain('Dela Cruz')
  await stream.close()
})

test('a visitor gets no notices of students', async () => {
  const visitor = await listen(first)
  const admin = await listen(first, await first.signIn())
  await Promise.all([visitor.waitFor('event: hello'), admin.waitFor('event: hello')])
  await register(first)
  await admin.waitFor('data: students')
  // The administrator was notified, so the visitor would have been too.
  expect(visitor.received()).not.toContain('students')
  await Promise.all([visitor.close(), admin.close()])
})

test('a stream begins with what has changed since the page was read', async () => {
  const cookie = await first.signIn()
  const watching = await listen(first, cookie)
  await watching.waitFor('event: hello')
  const since = new Date().toISOString()
  await register(first)
  await watching.waitFor('data: students')
  const late = await listen(first, cookie, `?since=${since}`)
  await late.waitFor('event: change\ndata: students')
  const next = new Date(Date.now() + 1).toISOString()
  const later = await listen(first, cookie, `?since=${next}`)
  const visitor = await listen(first, undefined, `?since=${since}`)
  // Whose page was read by an administrator, who is signed out by now.
  await Promise.all([later.waitFor('event: hello'), visitor.waitFor('data: session')])
  await register(first)
  await later.waitFor('data: students')
  expect(later.received().match(/data: students/g)).toHaveLength(1)
  expect(later.received()).not.toContain('session')
  expect(visitor.received()).not.toContain('students')
  await Promise.all([watching.close(), late.close(), later.close(), visitor.close()])
})

test('signing out ends the streams of that session at every process, and nobody else’s', async () => {
  const cookie = await first.signIn()
  const other = await first.signIn()
  const own = await Promise.all([listen(first, cookie), listen(first, cookie), listen(second, cookie)])
  const others = await Promise.all([listen(first, other), listen(second, other)])
  await Promise.all([...own, ...others].map((stream) => stream.waitFor('event: hello')))
  // The notices of the sign-ins are over: later ones would end the streams too.
  await register(first)
  await Promise.all([...own, ...others].map((stream) => stream.waitFor('data: students')))
  const before = others.map((stream) => stream.received().length)
  await fetch(`${first.url}/api/session`, { method: 'DELETE', headers: { Cookie: cookie } })
  await Promise.all(own.map(({ ended }) => ended))
  await register(first)
  for (const [at, stream] of others.entries()) {
    const since = () => stream.received().slice(before[at])
    // The list of devices is read again.
    await expect.poll(since).toContain('data: session')
    await expect.poll(since).toContain('data: students')
    await stream.close()
  }
})

test('asking a stream’s session again is no use of it', async () => {
  const cookie = await first.signIn()
  const stream = await listen(first, cookie)
  await stream.waitFor('event: hello')
  const other = await first.signIn()
  const hourAgo = new Date(Date.now() - 3_600_000)
  await first.database.db.updateTable('sessions').set({ lastUsedAt: hourAgo }).execute()
  await fetch(`${first.url}/api/session`, { method: 'DELETE', headers: { Cookie: other } })
  await stream.waitFor('data: session')
  await register(first)
  await stream.waitFor('data: students')
  const used = await first.database.db.selectFrom('sessions').select('lastUsedAt').execute()
  expect(new Set(used.map(({ lastUsedAt }) => lastUsedAt.getTime()))).toEqual(new Set([hourAgo.getTime()]))
  await stream.close()
})

test('a stream ends when its session may read less, or more', async () => {
  const { db } = first.database
  const cookie = await first.signIn()
  const setDue = (ms: number | null) =>
    db
      .updateTable('admins')
      .set({ secondFactorDue: ms === null ? null : new Date(Date.now() + ms) })
      .execute()
  await setDue(1_500)
  const graced = await listen(first, cookie)
  await graced.waitFor('event: hello')
  await graced.ended
  const confined = await listen(first, cookie)
  await confined.waitFor('event: hello')
  await register(first)
  await setDue(null)
  const other = await first.signIn()
  await fetch(`${first.url}/api/session`, { method: 'DELETE', headers: { Cookie: other } })
  await confined.ended
  expect(confined.received()).not.toContain('data: students')
})

test("a stream ends with the administrator's session", async () => {
  const cookie = await first.signIn()
  const stream = await listen(first, cookie)
  await stream.waitFor('event: hello')
  options.now = new Date(Date.now() + 8 * 3_600_000 + 60_000)
  await stream.ended
  delete options.now
})

test('an account has fifty streams, of all its sessions; the next gets its place when one ends', async () => {
  const sessions = [await first.signIn(), await first.signIn()]
  const ask = (cookie = '') => fetch(`${first.url}/api/events`, { headers: { Cookie: cookie } })
  const streams = await Promise.all(Array.from({ length: 50 }, (_, i) => listen(first, sessions[i % 2])))
  const refused = await ask(sessions[0])
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('30')
  expect(await refused.json()).toMatchObject({
    detail:
      'This account has 50 pages with live updates open. Please close some: this one reconnects after that.',
  })
  const visitor = await listen(first)
  await visitor.waitFor('event: hello')
  await streams.pop()?.close()
  await expect
    .poll(async () => {
      const answer = await ask(sessions[1])
      await answer.body?.cancel()
      return answer.status
    })
    .toBe(200)
  await Promise.all([...streams, visitor].map((stream) => stream.close()))
})

test('a notice asks once for each session, whatever else its browsers’ cookies say', async () => {
  const listeners = new Set<(topic: Topic) => void>()
  const asked: string[] = []
  const owner: SessionAdmin = {
    id: 'a',
    email: 'office@school.edu.ph',
    displayName: 'Office',
    role: 'administrator',
    components: [],
    mustSetUp: null,
    secondFactorDue: null,
    endsAt: new Date(Date.now() + 60_000),
    isFresh: true,
    takeRecords: async () => true,
    takeRemovals: async () => true,
    noteRemovals: async () => undefined,
  }
  const { signal } = new AbortController()
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    c.set('readAdmin', async () => owner)
    await next()
  })
  app.route(
    '/api',
    createEventRoutes({
      clock: () => new Date(),
      notices: { subscribe: (listener) => listeners.add(listener) && (() => listeners.delete(listener)) },
      readToken: (cookies) => /session=(\w+)/.exec(cookies ?? '')?.[1],
      findSession: async (token) => {
        asked.push(token)
        return owner
      },
      closing: signal,
    }),
  )
  const server = await openPort({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  const cookies = ['session=a', 'session=a; theme=1', 'theme=2; session=a', 'session=b']
  const streams = await Promise.all(cookies.map((cookie) => openEvents(server.url, cookie)))
  await Promise.all(streams.map((stream) => stream.waitFor('event: hello')))
  for (const listener of listeners) listener('session')
  expect(asked.toSorted()).toEqual(['a', 'b'])
  await Promise.all(streams.map((stream) => stream.close()))
  await server.stop()
})

test('a stream that nobody reads is dropped', async () => {
  const listeners = new Set<(topic: Topic) => void>()
  let outgoing: ServerResponse | undefined
  const { signal } = new AbortController()
  const app = new Hono<AppEnv>()
  app.use(async (c, next) => {
    c.set('readAdmin', async () => null)
    outgoing = c.env?.outgoing
    await next()
  })
  const notices: Pick<Notices, 'subscribe'> = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  app.route(
    '/api',
    createEventRoutes({
      clock: () => new Date(),
      notices,
      readToken: () => undefined,
      findSession: async () => null,
      closing: signal,
    }),
  )
  const server = await openPort({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.pause().write('GET /api/events HTTP/1.1\r\nHost: a\r\n\r\n')
  await expect.poll(() => outgoing?.headersSent).toBe(true)
  // More than the system's own buffers take.
  for (let round = 0; round < 400 && !outgoing?.destroyed; round++) {
    for (let i = 0; i < 1_000; i++) for (const listener of listeners) listener('slides')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(outgoing?.destroyed).toBe(true)
  socket.destroy()
  await server.stop()
})
