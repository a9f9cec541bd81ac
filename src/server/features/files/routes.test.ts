import { randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { cachedRoutesOf } from '#server/http/cache/cached-routes.ts'
import { createResponseCache } from '#server/http/cache/response-cache.ts'
import type { AppEnv } from '#server/http/context.ts'
import { handleError } from '#server/http/problem.ts'
import { listen, type Middleware } from '#server/listen.ts'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import { buildImage } from '#tests/factories/images.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createFileRoutes } from './routes.ts'

let server: TestServer
let admin: ReturnType<typeof announcementsOf>
let session: string
let url: string
const bytes = randomBytes(100_000)
const size = bytes.length

const attachment = (content: Buffer) => new File([new Uint8Array(content)], 'a.bin')

beforeAll(async () => {
  server = await startTestServer({ cachesResponses: true })
  session = await server.signIn()
  admin = announcementsOf(server, session)
  url = server.url + (await admin.added({ attachment: attachment(bytes) })).attachmentUrl
})
afterAll(() => server.close())

const read = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers })

describe('a file', () => {
  test('arrives whole in slices, with its length', async () => {
    const answer = await read()
    expect([answer.status, answer.headers.get('Content-Length')]).toEqual([200, String(size)])
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('is described by HEAD', async () => {
    const answer = await read({}, 'HEAD')
    expect([answer.status, answer.headers.get('Content-Length')]).toEqual([200, String(size)])
    expect(answer.headers.get('Accept-Ranges')).toBe('bytes')
  })

  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, size],
    ['bytes=10-69999', 10, 70_000],
    ['bytes=99999-', 99_999, size],
    ['bytes=5-999999999', 5, size],
    ['bytes=-1', 99_999, size],
    ['bytes=-999999999', 0, size],
  ])('is read in part by %s', async (range, from, until) => {
    const answer = await read({ Range: range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('Content-Range')).toBe(`bytes ${from}-${until - 1}/${size}`)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, until))).toBe(true)
  })

  test.each(['bytes=100000-', 'bytes=-0', 'bytes=999999999999999999999-'])(
    'has no part %s',
    async (range) => {
      const answer = await read({ Range: range })
      expect(answer.status).toBe(416)
      expect(answer.headers.get('Content-Range')).toBe(`bytes */${size}`)
    },
  )

  test.each([
    { Range: 'bytes=-' },
    { Range: 'bytes=9-5' },
    { Range: 'bytes=0-1,4-5' },
    { Range: 'lines=0-1' },
    { Range: 'bytes=0-1', 'If-Range': '"other"' },
  ])('is sent whole for %j', async (headers) => {
    const answer = await read(headers)
    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBe(size)
  })
})

describe('a file that was read lately', () => {
  // In ms: a notice takes a tenth of a second, more on a busy machine.
  const soon = { timeout: 3_000, interval: 20 }

  const get = (path: string, headers: Record<string, string> = {}, from = server) =>
    fetch(from.url + path, { headers })

  // Again after the notice of the change before, which empties the cache and is a query.
  async function costsNoQuery(work: () => Promise<void>) {
    const acquired = vi.fn()
    server.database.pool.on('acquire', acquired)
    await expect
      .poll(async () => {
        acquired.mockClear()
        await work()
        return acquired.mock.calls.length
      }, soon)
      .toBe(0)
    server.database.pool.off('acquire', acquired)
  }

  const tagOf = (path: string) => `"${/[0-9a-f]{64}/.exec(path)}"`

  test('costs no query, and has the headers of a fresh one', async () => {
    const image = new File([new Uint8Array(await buildImage('jpeg', { width: 900, height: 600 }))], 'a.jpg')
    const added = await admin.added({ image, attachment: attachment(randomBytes(50_000)) })
    const own = ['date', 'x-request-id', 'connection', 'keep-alive']
    const rest = ({ headers }: Response) => [...headers].filter(([name]) => !own.includes(name)).sort()
    const uncached = await startTestServer({ database: server.database })
    for (const path of [added.imageUrl ?? '', added.attachmentUrl ?? '']) {
      const fresh = await get(path)
      const content = Buffer.from(await fresh.arrayBuffer())
      // The first reader's answer is everybody's.
      const [ofVisitor, ofOffice] = [
        await get(path, {}, uncached),
        await get(path, { Cookie: session }, uncached),
      ]
      expect(rest(ofOffice)).toEqual(rest(ofVisitor))
      expect(Buffer.from(await ofOffice.arrayBuffer()).equals(content)).toBe(true)
      await costsNoQuery(async () => {
        const cached = await get(path)
        expect(Buffer.from(await cached.arrayBuffer()).equals(content)).toBe(true)
        expect(rest(cached)).toEqual(rest(fresh))
        expect((await get(path, { Cookie: 'nstp-session=x', 'Accept-Language': 'fil' })).status).toBe(200)
      })
    }
    await uncached.close()
  })

  test.each([50_000, 1_000_000])(
    'of %d bytes: a reader that has it gets 304 without a query',
    async (length) => {
      const path = (await admin.added({ attachment: attachment(randomBytes(length)) })).attachmentUrl ?? ''
      const etag = tagOf(path)
      await costsNoQuery(async () => {
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
          expect((await get(path, { 'If-None-Match': tags })).status).toBe(304)
        }
      })
      expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
      expect((await get(path, { Range: 'bytes=0-1' })).status).toBe(206)
    },
  )

  test('and was removed is gone in every process, also for a reader that has it', async () => {
    const other = await startTestServer({ database: server.database, cachesResponses: true })
    const added = await admin.added({ attachment: attachment(randomBytes(50_000)) })
    const path = added.attachmentUrl ?? ''
    const statuses = (from: TestServer) =>
      Promise.all(
        [{}, { 'If-None-Match': tagOf(path) }].map(async (tags) => (await get(path, tags, from)).status),
      )
    await costsNoQuery(async () => void (await statuses(server)))
    expect([...(await statuses(server)), ...(await statuses(other))]).toEqual([200, 304, 200, 304])
    await admin.edited(added, { keepExistingAttachment: 'false' })
    expect(await statuses(server)).toEqual([404, 404])
    await expect.poll(() => statuses(other), soon).toEqual([404, 404])
    await other.close()
  })

  const changes: [string, (added: ManagedAnnouncement) => Promise<unknown>][] = [
    ['deleted', ({ id }) => admin.delete(id)],
    ['made a draft', (added) => admin.edited(added, { draft: 'true' })],
    ['scheduled', (added) => admin.edited(added, { publishAt: '2099-01-01T08:00' })],
  ]
  test.each(changes)('is gone for visitors when its announcement was %s', async (_what, change) => {
    const added = await admin.added({ attachment: attachment(randomBytes(50_000)) })
    const path = added.attachmentUrl ?? ''
    await costsNoQuery(async () => expect((await get(path)).status).toBe(200))
    await change(added)
    expect((await get(path)).status).toBe(404)
    expect((await get(path, { 'If-None-Match': tagOf(path) })).status).toBe(404)
  })
})

test('a file that visitors can’t see is for administrators, and for no cache', async () => {
  const image = new File([new Uint8Array(await buildImage('jpeg', { width: 90, height: 60 }))], 'a.jpg')
  const added = await admin.added({ draft: 'true', image, attachment: attachment(randomBytes(5_000)) })
  for (const path of [added.imageUrl, added.attachmentUrl]) {
    const statusOf = async (cookie: Record<string, string>) => {
      const { status, headers } = await fetch(server.url + path, { headers: cookie })
      return [status, headers.get('Cache-Control')?.split(',')[0]]
    }
    const asVisitor = () => statusOf({})
    expect(await asVisitor()).toEqual([404, 'no-store'])
    expect(await statusOf({ Cookie: session })).toEqual([200, 'private'])
    expect(await asVisitor()).toEqual([404, 'no-store'])
  }
  await admin.edited(added, { draft: 'false' })
  expect((await fetch(server.url + added.imageUrl)).headers.get('Cache-Control')).toMatch(/^public/)
})

test('what visitors can see is read once until the next notice, not for each part of a file', async () => {
  const added = await admin.added({ attachment: attachment(randomBytes(50_000)) })
  const partOf = async () => {
    const response = await fetch(server.url + added.attachmentUrl, { headers: { Range: 'bytes=0-9' } })
    return response.status
  }
  // The notice of the addition arrives within a tenth of a second, and is followed by one reading.
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  const readings = () =>
    queries.mock.calls.filter((call) => JSON.stringify(call).includes('org_nodes')).length
  await expect
    .poll(
      async () => {
        queries.mockClear()
        expect([await partOf(), await partOf(), await partOf()]).toEqual([206, 206, 206])
        return readings()
      },
      { timeout: 5_000 },
    )
    .toBe(0)
  queries.mockRestore()
  await admin.edited(added, { keepExistingAttachment: 'false' })
  expect(await partOf()).toBe(404)
})

const id = 'a'.repeat(64)
const path = `/api/files/${id}.webp`

type Files = Parameters<typeof createFileRoutes>[0]

// Without a database: `isCurrent` is whether the notices are.
async function serveCached(file: Files, isCurrent = true) {
  const cache = createResponseCache({
    notices: {
      isCurrent: () => isCurrent,
      onPublish: () => undefined,
      subscribe: () => () => undefined,
    },
    onSettings: () => undefined,
    nextChanges: () => [],
    clock: () => new Date(),
    timeZone: 'Asia/Manila',
    log: pino({ level: 'silent' }),
    publicUrl: undefined,
    routes: () => cachedRoutesOf(app),
    isPersonal: () => false,
    unreadMs: 500,
  })
  const app = new Hono<AppEnv>().onError(handleError)
  app.use(async (c, next) => {
    c.set('log', pino({ level: 'silent' }))
    await next()
  })
  const routes = createFileRoutes(file, { total: 1_000, ofSender: 1_000, slowMs: 1_000 })
  app.use(cache.middleware).route('/api', routes)
  let last: Socket | undefined
  const middleware: Middleware = (request, response, next) => {
    last = request.socket
    cache.respond(request, response, next)
  }
  const { url, stop } = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, middleware })
  return { url, stop, isCut: () => last?.destroyed }
}

const picture = (size: number, readSlice: Files['readSlice']): Files => ({
  describe: async () => ({ mediaType: 'image/webp', fileName: null, size }),
  isVisible: async () => true,
  readSlice,
})
const whole: Files['readSlice'] = async (_id, _from, length) => Buffer.alloc(length)

describe('a reader that takes nothing', () => {
  const rangeOfOneSlice = 'Range: bytes=0-32767\r\n'

  test.each([
    ['of a cached file', 250_000, '', true],
    ['of a cached small file', 30_000, '', true],
    ['of a file that is being cached', 250_000, '', false],
    ['of a part', 250_000, rangeOfOneSlice, false],
  ])('%s is cut off', async (_case, size, range, isRead) => {
    const { url, stop, isCut } = await serveCached(picture(size, whole))
    if (isRead) await (await fetch(url + path)).arrayBuffer()
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
    socket.pause()
    // More than the system's buffers take.
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n${range}\r\n`.repeat(600))
    await expect.poll(isCut, { timeout: 10_000 }).toBe(true)
    socket.destroy()
    await stop()
  })

  test('is cut off, but not one that waits for the next response', async () => {
    const { url, stop, isCut } = await serveCached({
      ...picture(250_000, whole),
      describe: async (id) => {
        if (id.startsWith('b')) await pause(1_200)
        return { mediaType: 'image/webp', fileName: null, size: 250_000 }
      },
    })
    await (await fetch(url + path)).arrayBuffer()
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const late = path.replaceAll('a'.repeat(64), 'b'.repeat(64))
    const requestOf = (address: string) => `GET ${address} HTTP/1.1\r\nHost: a\r\n\r\n`
    socket.write(requestOf(path).repeat(7) + requestOf(late))
    let received = 0
    socket.on('data', (part) => {
      received += part.byteLength
    })
    await expect.poll(() => received, { timeout: 5_000 }).toBeGreaterThan(8 * 250_000)
    expect(isCut()).toBe(false)
    socket.destroy()
    await stop()
  })
})

describe('a file that is removed while it is read', () => {
  test.each([{}, { Range: 'bytes=0-9' }])(
    'is not found, and nothing of it is cached: %j',
    async (headers) => {
      const { url, stop } = await serveCached(picture(1_000, async () => Buffer.alloc(0)))
      for (const _again of [1, 2]) {
        const answer = await fetch(url + path, { headers })
        expect(answer.status).toBe(404)
        expect(answer.headers.get('Cache-Control')).toBe('no-store')
        for (const name of ['ETag', 'Content-Range']) expect(answer.headers.has(name)).toBe(false)
        expect(await answer.json()).toMatchObject({ code: 'not_found' })
      }
      await stop()
    },
  )

  test('between two slices: no reader gets a part of it as the whole', async () => {
    const { url, stop } = await serveCached(
      picture(100_000, async (_id, from, length) => {
        await pause(50)
        return Buffer.alloc(from === 0 ? length : 0)
      }),
    )
    const read = async () => (await fetch(url + path)).ok
    const results = await Promise.allSettled([read(), read(), read()])
    expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toEqual([])
    await expect(read()).rejects.toThrow()
    await stop()
  })
})

test('while changes could be missed, a reader that has a file gets 304 without its content', async () => {
  const readSlice = vi.fn(whole)
  const { url, stop } = await serveCached(picture(1_000, readSlice), false)
  expect((await fetch(url + path, { headers: { 'If-None-Match': `"${id}"` } })).status).toBe(304)
  expect(readSlice).not.toHaveBeenCalled()
  await stop()
})

test('a reader that is too slow is cut off, and the places of one sender are limited', async () => {
  const files = {
    describe: async () => ({
      mediaType: 'image/webp',
      fileName: null,
      size: 100 * 1024 * 1024,
    }),
    isVisible: async () => true,
    readSlice: async (_id: string, _from?: number, length?: number) => Buffer.alloc(length ?? 0),
  }
  const closed = vi.fn()
  const app = new Hono<AppEnv>().onError(handleError)
  app.use(async (c, next) => {
    c.set('holder', 'one')
    c.env.outgoing?.once('close', closed)
    await next()
  })
  app.route('/', createFileRoutes(files, { total: 9, ofSender: 1, slowMs: 200 }))
  const { url, stop } = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  socket.write(`GET /files/${id}.webp HTTP/1.1\r\nHost: a\r\n\r\n`)
  await once(socket, 'data')
  socket.pause()
  expect((await fetch(`${url}/files/${id}.webp`)).status).toBe(429)
  closed.mockClear()
  await expect.poll(() => closed.mock.calls.length).toBe(1)
  socket.destroy()
  await stop()

  // The product's own bound: of three slices of 32 kB in half a minute none is cut off, of two it is.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const destroyed = vi.fn()
  const outgoing = Object.assign(new EventEmitter(), { destroy: destroyed })
  const usual = new Hono<AppEnv>().route('/', createFileRoutes(files))
  const answer = await usual.request(`/files/${id}.webp`, {}, { outgoing })
  const reader = answer.body?.getReader()
  for (const [slices, cuts] of [
    [3, 0],
    [3, 0],
    [2, 1],
  ] as const) {
    for (let slice = 0; slice < slices; slice++) await reader?.read()
    vi.advanceTimersByTime(30_000)
    expect([slices, destroyed.mock.calls.length]).toEqual([slices, cuts])
  }
})
