import type { Context } from 'hono'
import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { AppEnv } from '#server/http/context.ts'
import { cutUnread } from '#server/http/limits.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { after } from '#server/lib/scheduler.ts'
import type { Middleware } from '#server/listen.ts'
import { startOfDay } from '#shared/periods.ts'
import { calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { languageOf } from '#shared/site/language.ts'
import { publicTopics, type Topic } from '#shared/topics.ts'
import {
  type CachedResponse,
  type Encoding,
  type HeaderList,
  isCacheable,
  prepareResponse,
} from './cached-response.ts'
import { type CachedRoute, createTopicsOf, type TopicsOf } from './cached-routes.ts'

interface ResponseCacheOptions extends Pick<AppContext, 'clock' | 'timeZone' | 'log'> {
  notices: Pick<AppContext['notices'], 'isCurrent' | 'onPublish' | 'subscribe'>
  /** Known when the app is complete. */
  routes: () => readonly CachedRoute[]
  isPersonal: IsPersonal
  // Settings may arrive later than their notice.
  onSettings: (listener: () => void) => void
  /** Returns the next changes of announcements and of the enlistment. */
  nextChanges: () => (Date | string | null)[]
  publicUrl: string | undefined
  // A client that reads nothing for so many ms is cut off.
  unreadMs?: number
}

/**
 * Caches files, and the public pages and lists of visitors who aren't signed in, until public data changes: in this
 * process, in another, or by the clock.
 */
export function createResponseCache(options: ResponseCacheOptions) {
  const { notices, onSettings, nextChanges, clock, timeZone, log, publicUrl, unreadMs } = options
  let known: TopicsOf | undefined
  const topicsOf: TopicsOf = (address) => {
    known ??= createTopicsOf(options.routes())
    return known(address)
  }
  const store = createCacheStore({
    isCurrent: notices.isCurrent,
    // Pages show the year, and lists the day.
    nextInstant: () => {
      const midnight = startOfDay(dayAfter(calendarDateOf(clock(), timeZone)), timeZone)
      const changes = nextChanges().filter((instant) => instant !== null)
      return Math.min(midnight.getTime(), ...changes.map((instant) => new Date(instant).getTime()))
    },
    now: () => clock().getTime(),
  })
  notices.onPublish(store.clear)
  notices.subscribe(store.clear)
  onSettings(() => store.clear('settings'))

  const keyOf = createCacheKey(publicUrl, options.isPersonal)
  const responseLog = createResponseLog(log)
  return {
    topicsOf,
    middleware: cacheResponses(store, { keyOf, topicsOf, unreadMs }),
    respond: respondFromCache(store, keyOf, { note: responseLog.note, unreadMs }),
    close: responseLog.close,
  }
}

// Runs before all other middleware: cached responses are complete.
function respondFromCache(
  store: CacheStore,
  keyOf: CacheKeyOf,
  { note, unreadMs }: { note: ResponseLog['note']; unreadMs: number | undefined },
): Middleware {
  return (request, response, next) => {
    const { method, url: address } = request
    const key = keyOf({ method, address, header: (name) => request.headers[name] })
    const cached = key === undefined ? undefined : store.find(key)
    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers
    const chosen = chooseResponse(cached, {
      acceptEncoding: Array.isArray(acceptEncoding) ? acceptEncoding.join(',') : acceptEncoding,
      ifNoneMatch,
    })
    if (cached === undefined || chosen === undefined) return next()

    const { status, headers, body } = chosen
    // No request id: these requests have no log lines of their own.
    response.writeHead(status, headers)
    if (body === null || method === 'HEAD') response.end()
    else response.end(body)
    if (response.writableLength > 0) cutUnread(response, unreadMs)
    note(cached.route, status)
  }
}

const lineEveryMs = 1_000

type ResponseLog = ReturnType<typeof createResponseLog>

/**
 * Logs cached responses: one line a second for each route and status. A line for each would cost a quarter of the
 * response time.
 */
export function createResponseLog(log: Logger) {
  const counts = new Map<string, { route: string; status: number; responses: number }>()
  let cancel: (() => void) | undefined

  function write(): void {
    cancel?.()
    cancel = undefined
    for (const count of counts.values()) log.info({ method: 'GET', ...count }, 'answered from memory')
    counts.clear()
  }

  return {
    note(route: string, status: number): void {
      if (!log.isLevelEnabled('info')) return
      const key = `${status} ${route}`
      const count = counts.get(key)
      if (count) count.responses += 1
      else counts.set(key, { route, status, responses: 1 })
      cancel ??= after(lineEveryMs, write)
    },

    close: write,
  }
}

interface CachingOptions {
  keyOf: CacheKeyOf
  topicsOf: TopicsOf
  unreadMs: number | undefined
}

// Must wrap the middleware that sets headers.
function cacheResponses(store: CacheStore, { keyOf, topicsOf, unreadMs }: CachingOptions) {
  const compression = compress()
  return createMiddleware<AppEnv>(async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    const address = pathname + search
    const topics = c.req.method === 'GET' ? topicsOf(address) : undefined
    const key = topics && keyOf({ method: c.req.method, address, header: (name) => c.req.header(name) })
    if (key === undefined || !store.isCurrent()) return await next()

    const prepare = async () => {
      await make(c, next)
      if (c.var.cacheable?.isPersonal !== false || !isCacheable(c.res)) return null
      return await prepareResponse({
        response: c.res,
        route: routePath(c),
        nonce: c.get('secureHeadersNonce'),
      })
    }
    const cached = await store.share(key, prepare, topics)
    const chosen = chooseResponse(cached, {
      acceptEncoding: c.req.header('Accept-Encoding'),
      ifNoneMatch: c.req.header('If-None-Match'),
    })
    if (chosen) {
      if (!c.env?.isInProcess) cutUnread(c.env?.outgoing, unreadMs)
      // Emptied first: Hono would mix the headers of the two.
      c.res = undefined
      c.res = responseOf(c, chosen)
      return
    }
    // The first caller has a response whose body isn't cached; the callers that waited still need one.
    if (!c.finalized) await make(c, next)
    await compression(c, async () => undefined)
  })
}

async function make(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  c.set('cacheable', { isPersonal: false })
  await next()
}

function responseOf(c: Context<AppEnv>, { status, headers, body }: ChosenResponse): Response {
  const named = new Headers({ 'X-Request-Id': c.var.requestId })
  for (let at = 0; at < headers.length; at += 2) named.append(headers[at] ?? '', headers[at + 1] ?? '')
  return new Response(body === null ? null : new Uint8Array(body), { status, headers: named })
}

const keyStarts = { en: '', fil: 'fil ' }
const hostPattern = /^[\w.:[\]-]{1,255}$/

interface RequestHead {
  method: string | undefined
  address: string | undefined
  header: (name: 'host' | 'cookie' | 'accept-language' | 'range') => string | undefined
}

type IsPersonal = (cookies: string | undefined, address: string) => boolean
type CacheKeyOf = (request: RequestHead) => string | undefined

/**
 * The cache key: the language, the address and, since links contain it, the host. Undefined for callers who may be
 * signed in, for a page with the visitor's own receipt, and for all methods but GET and HEAD. A file is the same for
 * everybody who has its address; a part of it isn't cached.
 * @param publicUrl PUBLIC_URL: with it pages are the same under every host name
 * @param isPersonal whether by its cookies the request's response may be its visitor's own
 */
export function createCacheKey(publicUrl: string | undefined, isPersonal: IsPersonal): CacheKeyOf {
  return ({ method, address, header }) => {
    if ((method !== 'GET' && method !== 'HEAD') || address === undefined) return undefined
    if (address.startsWith('/api/files/')) return header('range') === undefined ? address : undefined
    const cookies = header('cookie')
    if (isPersonal(cookies, address)) return undefined
    const page = publicUrl === undefined ? onHost(header('host'), address) : address
    return page && keyStarts[languageOf(cookies, header('accept-language'))] + page
  }
}

function onHost(host = '', address: string): string | undefined {
  return hostPattern.test(host) ? host + address : undefined
}

interface Conditions {
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

interface ChosenResponse {
  status: 200 | 304
  headers: HeaderList
  body: Buffer | null
}

/** @returns undefined when the body is needed and isn't cached */
export function chooseResponse(
  cached: CachedResponse | null | undefined,
  { acceptEncoding, ifNoneMatch }: Conditions,
): ChosenResponse | undefined {
  if (!cached) return undefined
  if (ifNoneMatch !== undefined && isUnchanged(cached.etag, ifNoneMatch)) {
    return { status: 304, headers: cached.unchanged, body: null }
  }
  if (!cached.bodies) return undefined
  const { headers, bytes } = cached.bodies[encodingFor(acceptEncoding)]
  return { status: 200, headers, body: bytes }
}

function isUnchanged(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === etag) return true
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}

// Not refused by a quality of zero. One look instead of parsing: it was a thirtieth of a response's time.
const takesBrotli = /(?:^|,)\s*br\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i
const takesGzip = new RegExp(takesBrotli.source.replace('br', 'gzip'), 'i')

function encodingFor(accepted = ''): Encoding {
  return takesBrotli.test(accepted) ? 'br' : takesGzip.test(accepted) ? 'gzip' : 'identity'
}

const maxEntries = 1_000
const maxBytes = 48 * 1024 * 1024
// A process killed between its commit and its notice has notified no process: responses expire after a minute.
const maxAgeMs = 60_000

interface CacheStoreOptions {
  // Whether notices of other processes arrive at present.
  isCurrent: () => boolean
  // The next instant, in ms, at which responses change without a notice.
  nextInstant: () => number
  now: () => number
}

interface Entry {
  response: CachedResponse
  until: number
  topics: readonly Topic[]
}

interface Flight extends Omit<Entry, 'response'> {
  made: Promise<CachedResponse | null>
  // Begun before a change: it must not be cached after it.
  isOld: boolean
}

export type CacheStore = ReturnType<typeof createCacheStore>

export function createCacheStore({ isCurrent, nextInstant, now }: CacheStoreOptions) {
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxBytes,
    sizeCalculation: ({ response }) => Math.max(1, response.byteLength),
  })
  const flights = new Map<string, Flight>()

  function find(key: string): CachedResponse | undefined {
    const entry = isCurrent() ? entries.get(key) : undefined
    if (entry === undefined || now() < entry.until) return entry?.response
    entries.delete(key)
    return undefined
  }

  return {
    isCurrent,

    find,

    /**
     * The response of an address, made once for concurrent requests.
     * @param make gives null when it isn't cacheable
     * @returns null when each caller must make its own
     */
    async share(
      key: string,
      make: () => Promise<CachedResponse | null>,
      topics: readonly Topic[] = publicTopics,
    ): Promise<CachedResponse | null> {
      if (!isCurrent()) return null
      const cached = find(key)
      if (cached) return cached
      const running = flights.get(key)
      if (running && now() < running.until) return await running.made
      const until = Math.min(now() + maxAgeMs, nextInstant())
      const made = make()
      const flight = { made, until, topics, isOld: false }
      flights.set(key, flight)
      try {
        const response = await made
        if (response && !flight.isOld) entries.set(key, { response, until, topics })
        return response
      } finally {
        if (flights.get(key) === flight) flights.delete(key)
      }
    },

    clear(topic: Topic): void {
      for (const [key, { topics }] of entries.entries()) if (topics.includes(topic)) entries.delete(key)
      for (const [key, flight] of flights) {
        if (!flight.topics.includes(topic)) continue
        flight.isOld = true
        flights.delete(key)
      }
    },
  }
}
