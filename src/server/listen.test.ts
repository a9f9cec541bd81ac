import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppEnv } from './http/context.ts'
import { allow, files } from './http/limits.ts'
import { connectionsWithin, countTogether, listen, maxConnections } from './listen.ts'

const listenFor = (fetch: (request: Request) => Response | Promise<Response>) =>
  listen({ fetch, host: '127.0.0.1', port: 0 })

async function connectTo(url: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

test('stopping does not wait for an idle connection without a request', async () => {
  const { url, stop } = await listenFor(() => new Response('ok'))
  const socket = await connectTo(url)
  const ended = once(socket, 'close')
  const begun = performance.now()
  await stop()
  await ended
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('stopping waits for running requests, and accepts no new connection', async () => {
  const steps = new EventEmitter()
  const { url, stop } = await listenFor(async () => {
    steps.emit('asked')
    await once(steps, 'answer')
    return new Response('done')
  })
  const requested = once(steps, 'asked')
  const response = fetch(url)
  await requested
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  await expect(connectTo(url)).rejects.toThrow('ECONNREFUSED')
  await wait(100)
  expect(isStopped).toBe(false)
  steps.emit('answer')
  expect(await (await response).text()).toBe('done')
  await stopped
})

test.each([
  ['http://other.host/api/site?a=http://b/', '/api/site?a=http://b/'],
  ['HTTPS://user@other.host:8443/x', '/x'],
  ['http://other.host', '/'],
  ['http://other.host?a=b', '/?a=b'],
  ['/x//y?a=http://b/', '/x//y?a=http://b/'],
])('a request for %s is one for %s of this host', async (target, path) => {
  const seen: (string | undefined)[] = []
  const { url, stop } = await listen({
    fetch: (request) => new Response(request.url, { headers: { Connection: 'close' } }),
    host: '127.0.0.1',
    port: 0,
    middleware: (request, _response, next) => {
      seen.push(request.url)
      next()
    },
  })
  const { host } = new URL(url)
  const socket = await connectTo(url)
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  expect(answer.split('\r\n\r\n')[1]).toContain(`http://${host}${path}`)
  expect(seen).toEqual([path])
  await stop()
})

test('a half-sent request is cut off after its time, an upload is not', async () => {
  const app = new Hono<AppEnv>()
    .onError((_error, c) => c.text('cut', 400))
    .post('/form', async (c) => c.text(await c.req.text()))
    .post('/upload', allow(files(1_000_000, 'Too large.')), async (c) => c.text(await c.req.text()))
  const { url, stop } = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, arrivesWithinMs: 200 })
  const sendHalf = async (path: string, half = 'Content-Length: 4\r\n\r\nha', to = url) => {
    const socket = await connectTo(to)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${half}`)
    return socket
  }
  const upload = await sendHalf('/upload')
  const form = await sendHalf('/form')
  const inChunks = await sendHalf('/form', 'Transfer-Encoding: chunked\r\n\r\n4\r\nha')
  const headers = await sendHalf('/form', 'Content-Length: 4\r\n')
  const refusal = once(headers, 'data')
  await Promise.all([form, inChunks, headers].map((socket) => once(socket, 'close')))
  expect(String(await refusal)).toContain('HTTP/1.1 408')
  const answer = once(upload, 'data')
  upload.write('lf')
  expect(String(await answer)).toContain('HTTP/1.1 200')
  upload.destroy()
  await stop()

  // The product's own time is a minute.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const begun = new EventEmitter()
  const product = await listen({
    fetch: (request, env) => {
      begun.emit('request')
      return app.fetch(request, env)
    },
    host: '127.0.0.1',
    port: 0,
  })
  const arrived = once(begun, 'request')
  const slow = await sendHalf('/form', undefined, product.url)
  await arrived
  await vi.advanceTimersByTimeAsync(59_000)
  expect(slow.readyState).toBe('open')
  const closed = once(slow, 'close')
  await vi.advanceTimersByTimeAsync(1_000)
  await closed
  vi.useRealTimers()
  await product.stop()
})

test('a connection with more than eight requests under way is closed, and no other', async () => {
  let begun = 0
  const { url, stop } = await listenFor(async () => {
    begun += 1
    await wait(200)
    return new Response('done')
  })
  const many = await connectTo(url)
  many.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_600))
  let answer = ''
  for await (const chunk of many) answer += String(chunk)
  expect(answer).toMatch(/^HTTP\/1\.1 503 /)
  expect(begun).toBe(8)
  const few = await connectTo(url)
  few.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(8))
  let answers = ''
  for await (const chunk of few) {
    answers += String(chunk)
    if (answers.match(/done/g)?.length === 8) break
  }
  expect(await (await fetch(url)).text()).toBe('done')
  await stop()
})

const padded = (bytes: number) =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bytes}\r\n\r\n${'a'.repeat(bytes)}`
const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabcd\r\n--b--\r\n'

test.each([
  ['without a body', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['for headers alone', 'HEAD / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['before a request of another site', 'OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['with an empty body', padded(0)],
  ['with four bytes', padded(4)],
  ['with so many bytes that each read holds seven', padded(8_500)],
  ['in chunks', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n'],
  [
    'with a file',
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${part.length}\r\n\r\n${part}`,
  ],
  [
    'that waits for 100 Continue',
    'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nabcd',
  ],
])(
  'the ninth request of a packet closes the connection, also where each is answered at once: %s',
  async (_what, request) => {
    let begun = 0
    const { url, stop } = await listenFor(async (asked) => {
      begun += 1
      await asked.text()
      return new Response('done')
    })
    const socket = await connectTo(url)
    socket.on('error', () => socket.destroy())
    let answers = ''
    socket.on('data', (chunk) => (answers += String(chunk)))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(request.repeat(200))
    await closed
    expect(begun).toBe(8)
    expect(answers.match(/HTTP\/1\.1 200 /g)?.length ?? 0).toBeLessThanOrEqual(8)
    expect(await (await fetch(url)).text()).toBe('done')
    await stop()
  },
)

test('what Node itself would refuse counts as other requests do', async () => {
  const { url, stop } = await listenFor(() => new Response('done'))
  const socket = await connectTo(url)
  socket.on('error', () => socket.destroy())
  let answers = ''
  socket.on('data', (chunk) => (answers += String(chunk)))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n'.repeat(200))
  await closed
  expect(answers.match(/HTTP\/1\.1 417 /g)?.length ?? 0).toBeLessThanOrEqual(8)
  await stop()
})

test('requests that wait for each answer never count as together', async () => {
  // On a busy machine, thousands who wait send several requests each within one turn of the event loop.
  const busy = { together: 0, arrived: 0 }
  expect([300, 600, 900, 65_000, 65_900].map((arrived) => countTogether(busy, arrived))).toEqual([
    1, 1, 1, 1, 1,
  ])
  // Of one packet; the reads that follow were full, but for the last.
  const packet = { together: 0, arrived: 0 }
  const reads = [65_536, 65_536, 131_072, 262_144, 300_000, 300_000]
  expect(reads.map((arrived) => countTogether(packet, arrived))).toEqual([1, 2, 3, 4, 1, 2])
  await new Promise((resolve) => setImmediate(resolve))
  expect(countTogether(packet, 300_000 + 65_536)).toBe(1)
})

test('a connection may send any number of requests, each after the answer', async () => {
  const { url, stop } = await listenFor(() => new Response('done'))
  const socket = await connectTo(url)
  for (let i = 0; i < 200; i++) {
    const answer = once(socket, 'data')
    socket.write(padded(i))
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 200 /)
  }
  socket.destroy()
  await stop()
})

test('a network has its share of the connections', async () => {
  const fetch = () => new Response('ok')
  const connectionsFor = () => 2
  const { url, stop } = await listen({ fetch, host: '127.0.0.1', port: 0, connectionsFor })
  const [first] = [await connectTo(url), await connectTo(url)]
  await once(await connectTo(url), 'close')
  const other = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress: '127.0.0.2' })
  other.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  first?.destroy()
  await vi.waitUntil(async () => {
    const next = await connectTo(url)
    next.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    for await (const chunk of next) return String(chunk).includes('200 OK')
    return false
  })
  other.destroy()
  await stop()
})

test.each([
  [Number.POSITIVE_INFINITY, 20_000],
  [1_048_576, 20_000],
  [20_000, 19_744],
  [1_024, 768],
  [300, 256],
])('of %d files that a process may open, %d are connections of visitors', (files, connections) => {
  expect(connectionsWithin(files)).toBe(connections)
})

test.skipIf(process.platform !== 'linux')('the limit is that of this process', () => {
  const [, limit = ''] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  expect(maxConnections).toBe(
    connectionsWithin(limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)),
  )
})
