import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mayShowReceipt } from '#server/features/registration/receipt-cookie.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { type CachedResponse, isCacheable, prepareResponse } from './cached-response.ts'
import {
  type CacheStore,
  chooseResponse,
  createCacheKey,
  createCacheStore,
  createResponseLog,
} from './response-cache.ts'

describe('response cache', () => {
  // In ms. A notice takes a tenth of a second, more on a busy machine.
  const soon = { timeout: 3_000, interval: 20 }

  let database: TestDatabase
  let one: TestServer
  let other: TestServer
  let cookie: string

  beforeAll(async () => {
    database = await createTestDatabase()
    one = await startTestServer({ database, cachesResponses: true })
    other = await startTestServer({ database, cachesResponses: true })
    cookie = await one.signIn()
  })
  afterAll(async () => {
    await Promise.all([one.close(), other.close()])
    await database.close()
  })

  function read(path: string, headers: Record<string, string> = {}, server = one) {
    return fetch(server.url + path, { headers })
  }

  async function fillCache(path: string, server = one) {
    await expect.poll(async () => (await read(path, {}, server)).headers.has('ETag'), soon).toBe(true)
  }

  async function rename(schoolName: string) {
    const admin = createAdminClient(one, cookie)
    const { version } = await (await admin.call('GET', '/settings')).json()
    const changed = await admin.call('PATCH', '/settings', { schoolName }, { 'If-Match': `"${version}"` })
    expect(changed.status).toBe(200)
  }

  async function schoolName(server: TestServer) {
    const { schoolName: name }: { schoolName: string } = await (await read('/api/site', {}, server)).json()
    return name
  }

  describe('a cached response', () => {
    test('costs no query', async () => {
      await fillCache('/api/announcements')
      const acquired = vi.fn()
      database.pool.on('acquire', acquired)
      // Again after a notice of the start, which empties the cache.
      await expect
        .poll(async () => {
          acquired.mockClear()
          for (let times = 0; times < 20; times++) await (await read('/api/announcements')).text()
          return acquired.mock.calls.length
        }, soon)
        .toBe(0)
      database.pool.off('acquire', acquired)
    })

    test('has the headers of a fresh one', async () => {
      await fillCache('/api/site')
      const cached = (await read('/api/site')).headers
      const made = (await read('/api/site', { Cookie: 'nstp-session=of-nobody' })).headers
      const own = new Set([
        // The cookie may be a session's.
        'cache-control',
        ...['date', 'etag', 'vary', 'x-request-id', 'keep-alive', 'connection'],
        ...['content-length', 'content-encoding', 'transfer-encoding'],
      ])
      const rest = (headers: Headers) => [...headers].filter(([name]) => !own.has(name)).sort()
      expect(rest(cached)).toEqual(rest(made))
      // The log has no separate line for it.
      expect(cached.has('X-Request-Id')).toBe(false)
    })

    test('answers 304 to a matching ETag, and HEAD without a body', async () => {
      await fillCache('/api/site')
      const etag = (await read('/api/site')).headers.get('ETag') ?? ''
      const again = await read('/api/site', { 'If-None-Match': etag })
      expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
      const head = await fetch(`${one.url}/api/site`, { method: 'HEAD' })
      expect({ status: head.status, etag: head.headers.get('ETag'), text: await head.text() }).toEqual({
        status: 200,
        etag,
        text: '',
      })
    })

    test('is not used for requests with a session cookie', async () => {
      await fillCache('/api/announcements')
      const answer = await read('/api/announcements', { Cookie: cookie })
      expect(answer.headers.has('ETag')).toBe(false)
    })
  })

  describe('a change', () => {
    test('is in the next response of its process, and soon in those of the others', async () => {
      for (const name of ['Cavite State University', 'Cavite State University, Imus']) {
        await Promise.all([fillCache('/api/site'), fillCache('/api/site', other)])
        await rename(name)
        expect(await schoolName(one)).toBe(name)
        await expect.poll(() => schoolName(other), soon).toBe(name)
      }
    })

    test('is never followed by an older response under concurrent reads', { tags: ['rest'] }, async () => {
      let isListening = true
      const readers = Array.from({ length: 8 }, async () => {
        const seen: string[] = []
        while (isListening) seen.push(await schoolName(one))
        return seen.filter((name) => name.startsWith('Round'))
      })
      for (let round = 0; round < 10; round++) {
        await rename(`Round ${round}`)
        const names = await Promise.all(Array.from({ length: 8 }, () => schoolName(one)))
        expect(new Set(names)).toEqual(new Set([`Round ${round}`]))
      }
      isListening = false
      for (const seen of await Promise.all(readers)) expect(seen).toEqual([...seen].sort())
    })
  })
})

describe('answer log', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  function setUp(level = 'info') {
    const lines: unknown[] = []
    const log = pino(
      { level, base: null, timestamp: false },
      { write: (line) => lines.push(JSON.parse(line)) },
    )
    return { responses: createResponseLog(log), lines }
  }

  const line = { level: 30, method: 'GET', msg: 'answered from memory' }

  test('cached responses are one log line a second for each route and status', () => {
    const { responses, lines } = setUp()
    responses.note('/', 200)
    responses.note('/', 200)
    responses.note('/', 304)
    responses.note('/faq', 200)
    expect(lines).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(lines).toEqual([
      { ...line, route: '/', status: 200, responses: 2 },
      { ...line, route: '/', status: 304, responses: 1 },
      { ...line, route: '/faq', status: 200, responses: 1 },
    ])
    responses.note('/', 200)
    vi.advanceTimersByTime(1_000)
    expect(lines.at(-1)).toEqual({ ...line, route: '/', status: 200, responses: 1 })
    expect(lines).toHaveLength(4)
  })

  test('what was counted is written when the server stops, and only once', () => {
    const { responses, lines } = setUp()
    responses.note('/', 200)
    responses.close()
    vi.advanceTimersByTime(2_000)
    expect(lines).toHaveLength(1)
  })

  test('nothing is counted below the log level', () => {
    const { responses, lines } = setUp('warn')
    responses.note('/', 200)
    responses.close()
    expect(lines).toEqual([])
  })
})

describe('choose answer', () => {
  const text = 'the same for everybody '.repeat(200)

  let cached: CachedResponse

  beforeAll(async () => {
    const response = new Response(text, {
      headers: { 'Content-Type': 'text/plain', 'X-Request-Id': 'theirs' },
    })
    cached = await prepareResponse({ response, route: '/', nonce: undefined })
  })

  function choose(acceptEncoding?: string, ifNoneMatch?: string) {
    const { status, headers = [], body } = { ...chooseResponse(cached, { acceptEncoding, ifNoneMatch }) }
    const named = new Headers()
    for (let at = 0; at < headers.length; at += 2) named.append(headers[at] ?? '', headers[at + 1] ?? '')
    return { status, body, headers: Object.fromEntries(named) }
  }

  describe('the encoding', () => {
    test.each([
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['gzip;q=0', undefined],
      ['GZIP ; q=0.000,BR ; q=0.001', 'br'],
      ['xbr, brx', undefined],
      ['', undefined],
      [undefined, undefined],
    ])('for %s is %s', (accepted, encoding) => {
      const { headers, body } = choose(accepted)
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['content-length']).toBe(String(body?.length))
    })

    test('changes nothing of the content', () => {
      expect(choose().body?.toString()).toBe(text)
      expect(gunzipSync(choose('gzip').body ?? '').toString()).toBe(text)
      expect(brotliDecompressSync(choose('br').body ?? '').toString()).toBe(text)
    })
  })

  test('who has it already gets no body', () => {
    for (const etag of [cached.etag, `"other", ${cached.etag}`, cached.etag.replace('W/', ''), '*']) {
      const { status, body, headers } = choose('br', etag)
      expect({ status, body }).toEqual({ status: 304, body: null })
      expect(headers).toMatchObject({ etag: cached.etag, 'cache-control': 'no-cache' })
      expect(headers).not.toHaveProperty('content-length')
    }
    expect(choose('br', '"other"').status).toBe(200)
  })

  test('a response has Vary, and nothing of the request that it was made for', () => {
    const { headers } = choose('br')
    expect(headers.vary).toBe('Accept-Encoding, Accept-Language, Cookie')
    expect(headers).not.toHaveProperty('x-request-id')
  })

  test.each([
    [{ status: 404 }, false],
    [{ headers: { 'Set-Cookie': 'a=b' } }, false],
    [{ headers: { 'Cache-Control': 'private, no-store' } }, false],
    [{ headers: { 'Cache-Control': 'private, no-cache' } }, true],
  ])('%o is cacheable: %s', (init, may) => {
    expect(isCacheable(new Response('x', init))).toBe(may)
  })
})

describe('with a receipt', () => {
  const keyOf = createCacheKey('https://nstp.example', mayShowReceipt)
  const keyWith = (cookie: string, address: string) =>
    keyOf({ method: 'GET', address, header: (name) => (name === 'cookie' ? cookie : undefined) })

  test.each(['/', '/_root.data', '/_root.data?_routes=pages%2Fhome'])('%s is for its visitor', (address) => {
    expect(keyWith('theme=dark', address)).toBe(address)
    expect(keyWith('nstp-receipt=x.y', address)).toBeUndefined()
    expect(keyWith('theme=dark; __Host-nstp-receipt=x.y', address)).toBeUndefined()
  })

  test.each(['/faq', '/announcements', '/api/announcements?limit=3', '/api/org-chart'])(
    '%s is the same as for everybody',
    (address) => {
      expect(keyWith('nstp-receipt=x.y', address)).toBe(address)
    },
  )
})

describe('cache store', () => {
  const day = 86_400_000

  let store: CacheStore
  let clock: number
  let midnight: number
  let isCurrent: boolean

  beforeEach(() => {
    clock = Date.UTC(2026, 10, 20, 4)
    midnight = clock + day
    isCurrent = true
    store = createCacheStore({ isCurrent: () => isCurrent, nextInstant: () => midnight, now: () => clock })
  })

  function answer(text = 'kept', bytes = 0): Promise<CachedResponse> {
    const response = new Response(text + ' '.repeat(bytes))
    return prepareResponse({ response, route: '/', nonce: undefined })
  }

  function slowMaking() {
    let finish: (made: CachedResponse | null) => void = () => undefined
    const made = new Promise<CachedResponse | null>((resolve) => {
      finish = resolve
    })
    return { make: () => made, finish: (cached: CachedResponse | null) => finish(cached) }
  }

  test('a response is made once for concurrent and later requests', async () => {
    let times = 0
    const make = async () => {
      times += 1
      return await answer()
    }
    await Promise.all(Array.from({ length: 1_000 }, () => store.share('/', make)))
    await store.share('/', make)
    expect(times).toBe(1)
    expect(store.find('/')?.bodies?.identity.bytes.toString()).toBe('kept')
  })

  describe('nothing stale is given', () => {
    test('once something has changed', async () => {
      await store.share('/', () => answer())
      store.clear('slides')
      expect(store.find('/')).toBeUndefined()
    })

    test('but what the change is not about', async () => {
      await store.share('/', () => answer(), ['settings'])
      store.clear('slides')
      expect(store.find('/')).toBeDefined()
    })

    test('nor cached when it was begun before the change and ended after', async () => {
      const before = slowMaking()
      const shared = store.share('/', before.make)
      store.clear('slides')
      before.finish(await answer('old'))
      expect((await shared)?.bodies?.identity.bytes.toString()).toBe('old')
      expect(store.find('/')).toBeUndefined()
    })

    test('nor to requests after the change, while the old one is still being made', async () => {
      const before = slowMaking()
      const old = store.share('/', before.make)
      store.clear('slides')
      const fresh = await store.share('/', () => answer('new'))
      expect(fresh?.bodies?.identity.bytes.toString()).toBe('new')
      before.finish(await answer('old'))
      await old
      expect(store.find('/')?.bodies?.identity.bytes.toString()).toBe('new')
    })

    test('at midnight, also when it was being made then', async () => {
      midnight = clock + 10
      await store.share('/', () => answer())
      clock += 9
      expect(store.find('/')).toBeDefined()
      clock += 1
      expect(store.find('/')).toBeUndefined()

      midnight = clock + 10
      const slow = slowMaking()
      const shared = store.share('/', slow.make)
      clock += 10
      midnight += day
      expect((await store.share('/', () => answer('of today')))?.bodies?.identity.bytes.toString()).toBe(
        'of today',
      )
      slow.finish(await answer('of yesterday'))
      await shared
      expect(store.find('/')).toBeUndefined()
    })

    test('while changes made elsewhere could be missed', async () => {
      await store.share('/', () => answer())
      isCurrent = false
      expect(store.find('/')).toBeUndefined()
      expect(await store.share('/', () => answer())).toBeNull()
      isCurrent = true
      expect(store.find('/')).toBeDefined()
    })

    test('for longer than a minute', async () => {
      await store.share('/', () => answer())
      clock += 60_000
      expect(store.find('/')).toBeUndefined()
    })
  })

  test("a response that isn't cacheable is made for each request", async () => {
    expect(await store.share('/', async () => null)).toBeNull()
    expect(store.find('/')).toBeUndefined()
  })

  describe('memory is bounded', () => {
    test('by number: the least recently used one is evicted', async () => {
      for (let index = 0; index < 1_000; index++) await store.share(`/${index}`, () => answer())
      store.find('/0')
      await store.share('/1000', () => answer())
      expect([store.find('/0'), store.find('/1'), store.find('/1000')].map(Boolean)).toEqual([
        true,
        false,
        true,
      ])
    })

    test('by bytes', async () => {
      for (let index = 0; index < 50; index++) await store.share(`/${index}`, () => answer('x', 1024 * 1024))
      const cached = Array.from({ length: 50 }, (_, index) => store.find(`/${index}`)).filter(Boolean)
      expect(cached.length).toBeGreaterThan(40)
      expect(cached.length).toBeLessThan(49)
    })
  })
})
