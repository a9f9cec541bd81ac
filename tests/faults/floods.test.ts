// @module-tag rest
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { type Product, residentBytes, startProduct } from '#tests/setup/product.ts'

const mebibyte = 1024 * 1024
// Loopback addresses are networks as others are.
const flooder = '127.0.0.1'
const visitor = '127.0.0.2'

let product: Product
const sockets: Socket[] = []

beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'warn' })
  // What the first answers load and keep doesn't count.
  for (const path of ['/', '/login', '/register', '/api/places?search=bacoor']) {
    for (let i = 0; i < 5; i++) await (await fetch(product.url + path)).arrayBuffer()
  }
}, 200_000)
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => product.remove())

interface Answer {
  status: number | undefined
  ms: number
}

/** One request over a connection of its own; the body `bodyAfter` ms behind the headers. */
function ask(path: string, body?: object, from = visitor, bodyAfter = 0): Promise<Answer> {
  const begun = performance.now()
  const headers = { 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const method = body ? 'POST' : 'GET'
    const asked = request(
      product.url + path,
      { method, localAddress: from, agent: false, headers },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve({ status: answer.statusCode, ms: performance.now() - begun }))
      },
    )
    asked.once('error', reject)
    const text = body && JSON.stringify(body)
    if (!text || bodyAfter === 0) return void asked.end(text)
    asked.setHeader('Content-Length', Buffer.byteLength(text))
    asked.flushHeaders()
    setTimeout(() => asked.end(text), bodyAfter)
  })
}

async function open(from = flooder): Promise<Socket> {
  const socket = connect({ port: Number(new URL(product.url).port), host: '127.0.0.1', localAddress: from })
  // It is cut from the other side.
  socket.on('error', () => socket.destroy())
  sockets.push(socket)
  await once(socket, 'connect')
  return socket.pause()
}

function post(path: string, length: number, text: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`
}

const form = JSON.stringify({ ...buildRegistration(), email: 'nobody' })

test.each([
  ['GET /login', 'GET /login HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET /register', 'GET /register HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET /', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['GET /api/places', 'GET /api/places?search=bacoor HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['POST /api/registrations', post('/api/registrations', form.length, form)],
  // What follows is refused without a look into the database.
  ['POST /api/registrations, unreadable', post('/api/registrations', 1, '{')],
  ['POST /register', post('/register', 1, '{')],
  ['POST /api/session', post('/api/session', 2, '{}')],
  ['POST /nowhere', post('/nowhere', 0, '')],
  ['POST /api/slides, a file', post('/api/slides', 20_000, 'a'.repeat(20_000))],
  ['POST /emailService/email', post('/emailService/email', 2, '{}')],
  [
    'POST /api/registrations, in chunks',
    'POST /api/registrations HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n',
  ],
  ['GET /favicon.svg', 'GET /favicon.svg HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['OPTIONS /api/registrations', 'OPTIONS /api/registrations HTTP/1.1\r\nHost: a\r\n\r\n'],
])(
  '1,600 times %s in one packet, on four connections that read nothing, stop nobody',
  async (_what, text) => {
    const before = residentBytes(product)
    const flood = await Promise.all(Array.from({ length: 4 }, () => open()))
    const received = flood.map(() => '')
    for (const [index, socket] of flood.entries()) {
      socket.on('data', (chunk) => (received[index] += chunk.toString('latin1')))
      socket.pause().write(text.repeat(1_600))
    }
    const answers: Answer[] = []
    let most = 0
    for (let i = 0; i < 10; i++) {
      answers.push(await ask('/api/health'), await ask('/login'), await ask('/api/registrations/offer'))
      most = Math.max(most, residentBytes(product) - before)
    }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(medianOf(answers.map(({ ms }) => ms))).toBeLessThan(1_000)
    expect(most).toBeLessThan(100 * mebibyte)
    expect(product.process.exitCode).toBe(null)
    for (const socket of flood) socket.resume()
    await expect.poll(() => flood.every((socket) => socket.closed)).toBe(true)
    // The ninth request of a packet is refused without an answer of the product's.
    for (const text of received) expect(text.match(/^HTTP\/1\.1 /gm)?.length ?? 0).toBeLessThanOrEqual(8)
  },
  60_000,
)

test.each([
  ['250 kB of 262 kB', 250_000, 262_000, 1],
  ['47 kB of 48 kB', 47_000, 48_000, 1],
  ['47 kB of 48 kB, from forty networks', 47_000, 48_000, 40],
])(
  '2,400 half-sent forms, %s, take no more than 100 MB, and others enlist',
  async (_what, sent, length, networks) => {
    const before = residentBytes(product)
    const half = post('/api/registrations', length, `"${'a'.repeat(sent)}`)
    let most = 0
    for (let i = 0; i < 2_400; i++) {
      const socket = await open(`127.0.1.${i % networks}`)
      socket.write(half)
      if (i % 100 === 0) most = Math.max(most, residentBytes(product) - before)
    }
    for (let i = 0; i < 10; i++) {
      const answer = await ask('/api/registrations', buildRegistration())
      expect(answer.status).toBe(201)
      most = Math.max(most, residentBytes(product) - before)
    }
    expect(most).toBeLessThan(100 * mebibyte)
  },
  120_000,
)

test('a body that comes after its headers is read, also while others have announced all that may be under way', async () => {
  const announced = post('/api/registrations', 32 * 1024, '')
  for (let i = 0; i < 9 * 256; i++) (await open(`127.0.2.${i % 9}`)).write(announced)
  for (let i = 0; i < 5; i++) {
    expect((await ask('/api/registrations', buildRegistration(), `127.0.3.${i}`, 50)).status).toBe(201)
  }
}, 120_000)

test('half-sent forms of the pages stop no page', async () => {
  let isOver = false
  const half = post('/register', 1_000, '{')
  const loop = async (from: string) => {
    while (!isOver) {
      ;(await open(from)).write(half)
      await sleep(500)
    }
  }
  const flooding = Promise.all(Array.from({ length: 20 }, (_, i) => loop(`127.0.4.${i % 5}`)))
  // By then its forms wait for turns.
  await sleep(2_000)
  const times: number[] = []
  for (let i = 0; i < 7; i++) {
    const { status, ms } = await ask('/login')
    expect(status).toBe(200)
    times.push(ms)
  }
  isOver = true
  await flooding
  expect(medianOf(times)).toBeLessThan(1_000)
}, 60_000)

test.each(['/register', '/nowhere', '/login'])(
  'while a hundred connections ask for %s all the time, others wait for a few of its answers only',
  async (path) => {
    let isOver = false
    let answered = 0
    const agent = new Agent({ keepAlive: true, maxSockets: 100 })
    const loop = async () => {
      while (!isOver) {
        await new Promise<void>((resolve) => {
          const asked = request(product.url + path, { agent, localAddress: flooder }, (answer) => {
            answered += 1
            answer.resume().once('close', resolve)
          })
          asked.once('error', () => resolve()).end()
        })
      }
    }
    const flooding = Promise.all(Array.from({ length: 100 }, loop))
    await expect.poll(() => answered).toBeGreaterThan(100)
    const offers: number[] = []
    const pages: number[] = []
    const times: number[] = []
    for (let i = 0; i < 7; i++) {
      for (const [answersBefore, other] of [
        [offers, '/api/registrations/offer'],
        [pages, '/login'],
      ] as const) {
        const begun = answered
        const { status, ms } = await ask(other)
        expect(status).toBe(200)
        answersBefore.push(answered - begun)
        times.push(ms)
      }
    }
    isOver = true
    await flooding
    agent.destroy()
    expect(medianOf(times)).toBeLessThan(1_000)
    // Also a machine with other work, where the time says little, makes only a few pages before another's.
    expect(medianOf(offers)).toBeLessThan(25)
    expect(medianOf(pages)).toBeLessThan(25)
  },
  120_000,
)

/** A machine that is busy for a moment makes single answers late. */
function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
