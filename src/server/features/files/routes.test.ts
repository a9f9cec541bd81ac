import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AppEnv } from '#server/http/context.ts'
import { handleError } from '#server/http/problem.ts'
import { listen } from '#server/listen.ts'
import { formOfParts, part } from '#tests/factories/hostile-uploads.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createFileRoutes } from './routes.ts'

let server: TestServer
let url: string
const bytes = randomBytes(100_000)
const size = bytes.length

beforeAll(async () => {
  server = await startTestServer()
  const { body, contentType } = formOfParts(part('name="attachment"; filename="a.bin"', bytes))
  const answer = await fetch(`${server.url}/api/announcements`, {
    method: 'POST',
    headers: { Cookie: await server.signIn(), 'Content-Type': contentType },
    body: new Uint8Array(body),
  })
  expect(answer.status).toBe(201)
  const { rows } = await server.database.pool.query('select attachment from announcements')
  url = server.url + rows[0].attachment.url
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

  test('that the caller has is not read again', async () => {
    const etag = (await read({}, 'HEAD')).headers.get('ETag') ?? ''
    const query = vi.spyOn(server.database.pool, 'query')
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect((await read({ 'If-None-Match': tags })).status).toBe(304)
    }
    expect(query).not.toHaveBeenCalled()
    expect((await read({ 'If-None-Match': '"other"' }, 'HEAD')).status).toBe(200)
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

test('a reader that is too slow is cut off, and the places of one sender are limited', async () => {
  const id = 'a'.repeat(64)
  const files = {
    describe: async () => ({ mediaType: 'image/webp', fileName: null, size: 100 * 1024 * 1024 }),
    readSlice: async (_id: string, _from?: number, length?: number) => Buffer.alloc(length ?? 0),
  }
  const closed = vi.fn()
  const app = new Hono<AppEnv>().onError(handleError)
  app.use(async (c, next) => {
    c.set('sender', 'one')
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
})
