import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { pino } from 'pino'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { signInLimit } from '#server/features/auth/routes.ts'
import { optOutLimit } from '#server/features/mail/single-routes.ts'
import { registrationLimits } from '#server/features/registration/routes.ts'
import { listen } from '#server/listen.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { officeSettings } from '#tests/setup/office-settings.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { challengeLimits } from './challenges.ts'
import type { AppEnv } from './context.ts'
import { allow, concurrencyLimit, defaultLimits, limitRequests, rateLimit, requestLimits } from './limits.ts'
import { handleError } from './problem.ts'

const tooMany = 'Too many requests. Please wait a moment and try again.'

describe('limits', () => {
  const isOfSchool = (address: string) => address === 'school'

  function appWith(limits: Partial<typeof requestLimits> = {}) {
    const posts = rateLimit({ points: 2, duration: 60 })
    const app = new Hono<AppEnv>().onError(handleError)
    app.use(async (c, next) => {
      c.set('clientAddress', c.req.header('X-Test-Address') ?? 'nobody')
      await next()
    })
    app.use(limitRequests((cookies) => cookies, isOfSchool, { ...requestLimits, ...limits }))
    app.get('/', (c) => c.text('in'))
    app.get('/register', (c) => c.text('in'))
    app.post('/api/registrations', (c) => c.text('in'))
    app.post('/', async (c) => {
      await posts.take(c)
      return c.text('in')
    })
    const request = async (headers: Record<string, string> = {}, method = 'GET', path = '/') =>
      (await app.request(path, { method, headers })).status
    return { app, request }
  }

  test('an address is served up to its limit and then gets Retry-After', async () => {
    const { app, request } = appWith({ network: { points: 2, duration: 60 } })
    expect([await request(), await request()]).toEqual([200, 200])
    const refused = await app.request('/')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests', detail: tooMany })
  })

  test("the limit of one address doesn't affect another", async () => {
    const { request } = appWith({ network: { points: 1, duration: 60 } })
    expect([await request(), await request()]).toEqual([200, 429])
    expect(await request({ 'X-Test-Address': 'another' })).toBe(200)
  })

  test('nor a browser that signed in here, which has a limit of its own', async () => {
    const { request } = appWith({
      network: { points: 1, duration: 60 },
      browser: { points: 2, duration: 60 },
    })
    expect([await request(), await request()]).toEqual([200, 429])
    const own = { Cookie: 'one' }
    expect([await request(own), await request(own), await request(own)]).toEqual([200, 200, 429])
    expect(await request({ Cookie: 'another' })).toBe(200)
  })

  test('a flood of other requests from its address leaves the form and what it sends', async () => {
    const { request } = appWith({ network: { points: 1, duration: 60 } })
    expect([await request(), await request()]).toEqual([200, 429])
    expect(await request({}, 'GET', '/register')).toBe(200)
    expect(await request({}, 'POST', '/api/registrations')).toBe(200)
  })

  test("are ten times as high in the school's own networks", async () => {
    const { request } = appWith({ network: { points: 1, duration: 60 } })
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push(await request({ 'X-Test-Address': 'school' }))
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  test('the wait is never longer than the window, also when the clock jumps', async () => {
    const { app, request } = appWith({ network: { points: 1, duration: 60 } })
    const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(Date.now() + 1e11)
    await request()
    clock.mockRestore()
    expect((await app.request('/')).headers.get('Retry-After')).toBe('60')
  })

  test('count many IPv6 networks of one site together', async () => {
    const limit = rateLimit({ points: 2, duration: 60 }, undefined, 3)
    const app = new Hono<AppEnv>().onError(handleError)
    app.get('/:sender/:holder', async (c) => {
      c.set('sender', c.req.param('sender'))
      c.set('holder', c.req.param('holder'))
      await limit.take(c)
      return c.text('in')
    })
    const statuses: number[] = []
    for (const path of ['/a/x', '/b/x', '/c/x', '/d/x', '/e/x', '/f/x', '/g/y']) {
      statuses.push((await app.request(path)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 200])
  })

  test('what a route counts has a limit of its own', async () => {
    const { request } = appWith()
    const post = () => request({}, 'POST')
    expect([await post(), await post(), await post(), await request()]).toEqual([200, 200, 429, 200])
  })
})

describe('bodies under way', () => {
  const notes: string[] = []
  const app = new Hono<AppEnv>().onError(handleError)
  let server: Awaited<ReturnType<typeof listen>>
  const sockets: Socket[] = []

  beforeAll(async () => {
    app.use(async (c, next) => {
      c.set('holder', c.req.header('X-Test-Address'))
      c.set('log', pino({ level: 'warn' }, { write: (line) => void notes.push(line) }))
      await next()
    })
    app.post('/late', allow({ deadlineMs: 200 }), async (c) => c.text(await c.req.text()))
    app.post('/*', defaultLimits, async (c) => c.text(await c.req.text()))
    server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  })

  async function sendHalf(path: string, length: number, from = 'a'): Promise<Socket> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    sockets.push(socket)
    const headers = `Host: a\r\nX-Test-Address: ${from}\r\nContent-Length: ${length}`
    socket.setEncoding('utf8').write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\nhalf`)
    await once(socket, 'connect')
    return socket
  }

  test('that arrive late are answered 408, and the connection closes without a line in the log', async () => {
    const socket = await sendHalf('/late', 8)
    const [head] = await once(socket, 'data')
    expect(head).toMatch(/^HTTP\/1\.1 408 /)
    expect(head).toContain('"code":"too_slow"')
    await once(socket, 'close')
    expect(notes).toEqual([])
  })

  test('are 8 MiB of one network at most, and leave the others theirs', async () => {
    const length = 48 * 1024
    const most = Math.floor((8 * 1024 * 1024) / length)
    const first = await sendHalf('/', length)
    for (let i = 1; i < most; i++) await sendHalf('/', length)
    const [head] = await once(await sendHalf('/', length), 'data')
    expect(head).toMatch(/^HTTP\/1\.1 429 /)
    const other = await sendHalf('/', 8, 'b')
    other.write('half')
    expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    first.destroy()
    const next = await sendHalf('/', 8)
    next.write('half')
    expect(String((await once(next, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('of anybody are 48 KiB at most', async () => {
    const send = async (length: number) =>
      (await fetch(server.url, { method: 'POST', body: 'x'.repeat(length) })).status
    expect([await send(48 * 1024), await send(48 * 1024 + 1)]).toEqual([200, 413])
  })
})

describe('responses at the same time', () => {
  const take = concurrencyLimit({ total: 3, ofSender: 2 })
  const takeFew = concurrencyLimit({ total: 3, ofSender: 2, ofBrowser: 1 })
  const app = new Hono<AppEnv>().onError(handleError)
  app.use(async (c, next) => {
    const { sender = 'nobody', browser, few } = c.req.query()
    c.set('holder', sender)
    c.set('isKnownBrowser', browser !== undefined)
    if (few === undefined) take(c)
    else takeFew(c)
    await next()
  })
  app.get('/', (c) => c.body(new ReadableStream()))
  const open: AbortController[] = []
  let server: Awaited<ReturnType<typeof listen>>

  beforeAll(async () => {
    server = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  })
  afterAll(() => server.stop())
  afterEach(() => {
    for (const one of open.splice(0)) one.abort()
  })

  async function request(query: string) {
    const controller = new AbortController()
    open.push(controller)
    return (await fetch(`${server.url}/?${query}`, { signal: controller.signal })).status
  }

  test('have a limit by sender and one in total, and a known browser has only its own', async () => {
    expect([await request('sender=a'), await request('sender=a'), await request('sender=a')]).toEqual([
      200, 200, 429,
    ])
    expect([await request('sender=b'), await request('sender=c')]).toEqual([200, 429])
    const known = () => request('sender=d&browser')
    expect([await known(), await known(), await known()]).toEqual([200, 200, 429])
  })

  test('may have a lower limit for known browsers', async () => {
    const [known, unknown] = ['few&browser&sender=g', 'few&sender=h']
    expect([await request(known), await request(known)]).toEqual([200, 429])
    expect([await request(unknown), await request(unknown), await request(unknown)]).toEqual([200, 200, 429])
  })

  test('of one connection give all their places back when it closes', async () => {
    const { port } = new URL(server.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write('GET /?sender=f HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2))
    await once(socket, 'data')
    await expect.poll(() => request('sender=f')).toBe(429)
    socket.destroy()
    await expect.poll(() => request('sender=f')).toBe(200)
    await expect.poll(() => request('sender=f')).toBe(200)
  })

  test('give their places back', async () => {
    expect([await request('sender=e'), await request('sender=e')]).toEqual([200, 200])
    open.shift()?.abort()
    await expect.poll(() => request('sender=e')).toBe(200)
  })
})

describe('over HTTP', () => {
  let server: TestServer
  let signedIn: string

  beforeAll(async () => {
    server = await startTestServer({ env: { RATE_LIMITS: 'on', TRUST_PROXY: 'on' } })
    signedIn = await server.signIn()
  })
  afterAll(() => server.close())
  afterEach(() => vi.restoreAllMocks())

  function send(path: string, from: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
    return fetch(server.url + path, {
      ...init,
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from, ...init.headers },
    })
  }
  const post = (path: string, from: string, body: unknown, headers: Record<string, string> = {}) =>
    send(path, from, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const enlist = (from: string, body: unknown = buildRegistration(), headers?: Record<string, string>) =>
    post('/api/registrations', from, body, headers)

  async function statusesOf(count: number, request: () => Promise<Response>): Promise<Map<number, number>> {
    const statuses = new Map<number, number>()
    let remaining = count
    const work = async () => {
      while (remaining-- > 0) {
        const answer = await request()
        await answer.arrayBuffer()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: 20 }, work))
    return statuses
  }

  test('five thousand students of one address enlist in ten minutes', async () => {
    const from = '192.0.2.8'
    const consume = vi.spyOn(RateLimiterMemory.prototype, 'consume')
    // A browser's requests beside files: each page, prefetched routes, and the event stream.
    for (const page of ['/', '/register', '/register/confirmation']) {
      for (const path of [page, '/__manifest', '/api/events']) await (await send(path, from)).body?.cancel()
    }
    expect((await enlist(from)).status).toBe(201)

    const pointsOf = ({ points, duration }: { points: number; duration: number }) =>
      consume.mock.contexts.filter(
        (limiter) =>
          limiter instanceof RateLimiterMemory && limiter.points === points && limiter.duration === duration,
      ).length
    const { network, form } = requestLimits
    const { valid } = registrationLimits
    // Beyond these the form proves its work by itself.
    const usual = pointsOf(challengeLimits.usual) + pointsOf(challengeLimits.usualOfSite)
    expect(consume).toHaveBeenCalledTimes(pointsOf(network) + pointsOf(form) + pointsOf(valid) + usual)
    const inTenMinutes = ({ points, duration }: { points: number; duration: number }) =>
      (points / pointsOf({ points, duration })) * (600 / duration)
    expect(inTenMinutes(valid)).toBeGreaterThanOrEqual(5000)
    // As many others only read.
    expect(inTenMinutes(network)).toBeGreaterThanOrEqual(2 * 5000)
    expect(inTenMinutes(form)).toBeGreaterThanOrEqual(2 * 5000)
  })

  test("cross-site posts don't count", async () => {
    const from = '192.0.2.1'
    const consume = vi.spyOn(RateLimiterMemory.prototype, 'consume')
    const elsewhere = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' }
    expect(await statusesOf(130, () => enlist(from, '', elsewhere))).toEqual(new Map([[403, 130]]))
    expect(consume).not.toHaveBeenCalled()
    expect((await enlist(from)).status).toBe(201)
  })

  test.each([
    ['unreadable', '{"lastName": '],
    ['empty', {}],
    ['blank', { lastName: ' ', email: '', consent: true }],
    ['no object', '"text"'],
  ])('forms that are %s take nothing from anybody', async (_what, body) => {
    const from = '192.0.2.2'
    const consume = vi.spyOn(RateLimiterMemory.prototype, 'consume')
    expect(await statusesOf(130, () => enlist(from, body))).toEqual(new Map([[422, 130]]))
    expect(consume).not.toHaveBeenCalled()
    expect((await enlist(from)).status).toBe(201)
  })

  test.each([
    ['a number', { lastName: 5 }],
    ['a list', { lastName: [] }],
    ['false', { lastName: false }],
  ])('a form that contains %s is one with mistakes', async (_what, body) => {
    const consume = vi.spyOn(RateLimiterMemory.prototype, 'consume')
    expect((await enlist('192.0.2.7', body)).status).toBe(422)
    expect(consume).toHaveBeenCalledOnce()
  })

  test("forms with mistakes are limited, and don't count against the valid ones of their address", async () => {
    const from = '192.0.2.3'
    const { points } = registrationLimits.refused
    const mistaken = { ...buildRegistration(), email: 'nobody' }
    const refused = await statusesOf(points + 100, () => enlist(from, mistaken))
    expect(refused).toEqual(
      new Map([
        [422, points],
        [429, 100],
      ]),
    )
    expect(await statusesOf(150, () => enlist(from))).toEqual(new Map([[201, 150]]))
  })

  test('a registration that failed on the server is refunded', async () => {
    const reward = vi.spyOn(RateLimiterMemory.prototype, 'reward')
    const { pool } = server.database
    vi.spyOn(pool, 'query').mockRejectedValueOnce(new Error('timeout exceeded when trying to connect'))
    expect((await enlist('192.0.2.4')).status).toBe(503)
    expect(reward).toHaveBeenCalledOnce()
  })

  test('a registration while registration is closed gives none back', async () => {
    const admin = createAdminClient(server, signedIn)
    const setState = async (state: 'closed' | 'open') => {
      const { version } = await (await admin.call('GET', '/settings')).json()
      const enlistment = { ...officeSettings.enlistment, state }
      const headers = { 'If-Match': `"${version}"` }
      expect((await admin.call('PATCH', '/settings', { enlistment }, headers)).status).toBe(200)
    }
    await setState('closed')
    const reward = vi.spyOn(RateLimiterMemory.prototype, 'reward')
    const answer = await enlist('192.0.2.9')
    await setState('open')
    expect(answer.status).toBe(503)
    expect(reward).not.toHaveBeenCalled()
  })

  test('addresses of one IPv6 network of 64 bits share a limit, other networks do not', async () => {
    const { points } = optOutLimit
    const request = (from: string) => send('/api/mail/opt-out?token=x', from)
    expect(await statusesOf(points / 2, () => request('2001:db8::1'))).toEqual(new Map([[404, points / 2]]))
    expect(await statusesOf(points / 2, () => request('2001:db8::ffff:1'))).toEqual(
      new Map([[404, points / 2]]),
    )
    expect((await request('2001:db8::2')).status).toBe(429)
    expect((await request('2001:db8:0:1::1')).status).toBe(404)

    // A session has its own, an invented one hasn't.
    const requestAs = (Cookie: string) =>
      send('/api/mail/opt-out?token=x', '2001:db8::3', { headers: { Cookie } })
    expect((await requestAs(signedIn)).status).toBe(404)
    expect((await requestAs(`nstp-session=${'x'.repeat(43)}`)).status).toBe(429)
  })

  test('a browser that signed in before can sign in while others of its address are limited', async () => {
    const from = '192.0.2.5'
    const signIn = (Cookie?: string) =>
      post(
        '/api/session',
        from,
        { email: adminEmail, password: adminPassword },
        Cookie === undefined ? {} : { Cookie },
      )
    const guesses = await statusesOf(signInLimit.points + 5, () =>
      post('/api/session', from, { email: 'nobody@school.example', password: 'a wrong pass phrase' }),
    )
    expect(guesses.get(429)).toBeGreaterThan(0)
    const other = await signIn()
    expect([other.status, (await other.json()).detail]).toEqual([429, tooMany])
    const device = signedIn.split('; ').find((cookie) => cookie.startsWith('nstp-device'))
    expect((await signIn(device)).status).toBe(200)
  })

  test("empty forms of the sign-in don't count", async () => {
    const from = '192.0.2.6'
    const { points } = signInLimit
    expect(await statusesOf(points + 5, () => post('/api/session', from, {}))).toEqual(
      new Map([[422, points + 5]]),
    )
    expect((await post('/api/session', from, { email: adminEmail, password: adminPassword })).status).toBe(
      200,
    )
  })
})
