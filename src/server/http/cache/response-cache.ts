import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'hono'
import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { Notices } from '#server/database/notices.ts'
import { mayNameSession } from '#server/features/auth/session-cookies.ts'
import { mayNameReceipt } from '#server/features/registration/receipt-cookie.ts'
import type { AppEnv } from '#server/http/context.ts'
import type { Clock } from '#server/lib/clock.ts'
import type { Middleware } from '#server/listen.ts'
import { announcementsPath, feedPath } from '#shared/announcements/announcements.ts'
import { startOfDay } from '#shared/periods.ts'
import { calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { publicTopics, type Topic } from '#shared/topics.ts'
import {
  type Encoding,
  type HeaderList,
  isCacheable,
  type KeptAnswer,
  prepareAnswer,
} from './cached-answer.ts'

interface WarmAnswersOptions {
  notices: Pick<Notices, 'subscribe' | 'onPublish' | 'isCurrent'>
  // Settings may arrive later than their notice.
  onSettings: (listener: () => void) => void
  nextPublication: () => Date | null
  clock: Clock
  timeZone: string
  log: Logger
  publicUrl: string | undefined
}

export interface WarmAnswers {
  keep: ReturnType<typeof keepAnswers>
  answer: Middleware
  close: () => void
}

/**
 * Caches the public pages and lists of visitors who aren't signed in until public data changes: in this process, in
 * another, or by the clock.
 */
export function createWarmAnswers(options: WarmAnswersOptions): WarmAnswers {
  const { notices, onSettings, nextPublication, clock, timeZone, log, publicUrl } = options
  const store = createWarmStore({
    isCurrent: notices.isCurrent,
    // Pages show the year, and lists the day.
    nextInstant: () => {
      const midnight = startOfDay(dayAfter(calendarDateOf(clock(), timeZone)), timeZone)
      return Math.min(midnight.getTime(), nextPublication()?.getTime() ?? Number.POSITIVE_INFINITY)
    },
    now: () => clock().getTime(),
  })
  const forgetIfPublic = (topic: Topic) => {
    if (publicTopics.some((name) => name === topic)) store.forget()
  }
  notices.onPublish(forgetIfPublic)
  notices.subscribe(forgetIfPublic)
  onSettings(store.forget)

  const keyOf = createWarmKey(publicUrl)
  const answerLog = createAnswerLog(log)
  return {
    keep: keepAnswers(store, keyOf),
    answer: answerWarm({ store, keyOf, answerLog }),
    close: answerLog.close,
  }
}

interface AnswerWarmOptions {
  store: WarmStore
  keyOf: WarmKeyOf
  answerLog: Pick<AnswerLog, 'note'>
}

// Runs before all other middleware: cached responses are complete.
function answerWarm({ store, keyOf, answerLog }: AnswerWarmOptions): Middleware {
  return (request, response, next) => {
    const { method, url: address } = request
    const key = keyOf({ method, address, header: headersOf(request.headers) })
    const kept = key === undefined ? undefined : store.find(key)
    if (kept === undefined) return next()

    const { 'accept-encoding': acceptEncoding, 'if-none-match': ifNoneMatch } = request.headers
    const { status, headers, body } = chooseAnswer(kept, {
      acceptEncoding: Array.isArray(acceptEncoding) ? acceptEncoding.join(',') : acceptEncoding,
      ifNoneMatch,
    })
    // No request id: nothing is done that could be looked up by it.
    response.writeHead(status, headers)
    if (body === null || method === 'HEAD') response.end()
    else response.end(body)
    answerLog.note(kept.route, status)
  }
}

const lineEveryMs = 1_000

type AnswerLog = ReturnType<typeof createAnswerLog>

/**
 * Logs cached responses: one line a second for each route and status. A line for each would cost a quarter of the
 * response time.
 */
export function createAnswerLog(log: Logger) {
  const counts = new Map<string, Map<number, number>>()
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    for (const [route, ofRoute] of counts) {
      for (const [status, answers] of ofRoute) {
        log.info({ method: 'GET', route, status, answers }, 'answered from memory')
      }
    }
    counts.clear()
  }

  return {
    note(route: string, status: number): void {
      if (!log.isLevelEnabled('info')) return
      let ofRoute = counts.get(route)
      if (!ofRoute) {
        ofRoute = new Map()
        counts.set(route, ofRoute)
      }
      ofRoute.set(status, (ofRoute.get(status) ?? 0) + 1)
      timer ??= setTimeout(write, lineEveryMs)
    },

    close: write,
  }
}

// Must wrap the middleware that sets headers.
function keepAnswers(store: WarmStore, keyOf: WarmKeyOf) {
  const squeeze = compress()
  return createMiddleware<AppEnv>(async (c, next) => {
    const key = c.req.method === 'GET' ? keyOfRequest(c, keyOf) : undefined
    if (key === undefined) return await next()

    const kept = await store.share(key, async () => {
      await make(c, next)
      return isForEverybody(c) ? await prepare(c) : null
    })
    if (kept) {
      // Emptied first: Hono would mix the headers of the two.
      c.res = undefined
      c.res = answerOf(c, kept)
      return
    }
    // The first caller has a response that isn't cacheable; the callers that waited still need one.
    if (!c.finalized) await make(c, next)
    await squeeze(c, async () => undefined)
  })
}

function keyOfRequest(c: Context<AppEnv>, keyOf: WarmKeyOf): string | undefined {
  const { pathname, search } = new URL(c.req.url)
  const address = pathname + search
  if (!isPublicAddress(address)) return undefined
  return keyOf({ method: c.req.method, address, header: (name) => c.req.header(name) })
}

async function make(c: Context<AppEnv>, next: () => Promise<void>): Promise<void> {
  c.set('forEverybody', { isSpoilt: false })
  await next()
}

function isForEverybody(c: Context<AppEnv>): boolean {
  return c.var.forEverybody?.isSpoilt === false && isCacheable(c.res)
}

function prepare(c: Context<AppEnv>): Promise<KeptAnswer> {
  return prepareAnswer({ response: c.res, route: routePath(c), nonce: c.get('secureHeadersNonce') })
}

function answerOf(c: Context<AppEnv>, kept: KeptAnswer): Response {
  const { status, headers, body } = chooseAnswer(kept, {
    acceptEncoding: c.req.header('Accept-Encoding'),
    ifNoneMatch: c.req.header('If-None-Match'),
  })
  const named = new Headers({ 'X-Request-Id': c.var.requestId })
  for (let at = 0; at < headers.length; at += 2) named.append(headers[at] ?? '', headers[at + 1] ?? '')
  return new Response(body === null ? null : new Uint8Array(body), { status, headers: named })
}

const hostPattern = /^[\w.:[\]-]{1,255}$/

interface AskedFor {
  method: string | undefined
  address: string | undefined
  header: (name: 'host' | 'cookie') => string | undefined
}

type WarmKeyOf = (asked: AskedFor) => string | undefined

/**
 * The cache key: the address and, since links contain it, the host. Undefined for callers who may be signed in, for a
 * page with the visitor's own receipt, and for all methods but reading.
 * @param publicUrl PUBLIC_URL: with it pages are the same under every host name
 */
export function createWarmKey(publicUrl: string | undefined): WarmKeyOf {
  return ({ method, address, header }) => {
    if ((method !== 'GET' && method !== 'HEAD') || address === undefined) return undefined
    const cookies = header('cookie')
    if (mayNameSession(cookies)) return undefined
    if (mayNameReceipt(cookies) && showsReceipt(address)) return undefined
    if (publicUrl !== undefined) return address
    const host = header('host') ?? ''
    return hostPattern.test(host) ? host + address : undefined
  }
}

function headersOf(headers: IncomingHttpHeaders): AskedFor['header'] {
  return (name) => headers[name]
}

interface Wishes {
  acceptEncoding: string | undefined
  ifNoneMatch: string | undefined
}

interface ChosenAnswer {
  status: 200 | 304
  headers: HeaderList
  body: Buffer | null
}

export function chooseAnswer(kept: KeptAnswer, { acceptEncoding, ifNoneMatch }: Wishes): ChosenAnswer {
  if (ifNoneMatch !== undefined && isKnown(kept.etag, ifNoneMatch)) {
    return { status: 304, headers: kept.unchanged, body: null }
  }
  const { headers, bytes } = kept[encodingFor(acceptEncoding)]
  return { status: 200, headers, body: bytes }
}

function isKnown(etag: string, ifNoneMatch: string): boolean {
  if (ifNoneMatch === etag) return true
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag))
}

// Browsers repeat the same header, so each is parsed once.
const known = new Map<string, Encoding>()
const mostKnown = 100

function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  const before = known.get(accepted)
  if (before !== undefined) return before
  const encoding = takes(accepted, 'br') ? 'br' : takes(accepted, 'gzip') ? 'gzip' : 'identity'
  if (known.size < mostKnown) known.set(accepted, encoding)
  return encoding
}

// A quality of zero refuses the encoding.
function takes(accepted: string, encoding: string): boolean {
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';')
    if (name.trim().toLowerCase() !== encoding) continue
    return !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/i.test(parameter))
  }
  return false
}

// Cacheable addresses with the query parameters they may have.
const pages = new Map<string, readonly string[]>([
  ['/', []],
  [announcementsPath, ['category', 'show', 'cursor']],
  ['/programs', []],
  ['/faq', []],
  ['/contact', []],
  ['/privacy', []],
  ['/terms', []],
])
const data = new Map<string, readonly string[]>([
  ['/api/site', []],
  ['/api/announcements', ['category', 'limit', 'cursor']],
  ['/api/slides', []],
  ['/api/org-chart', []],
  [feedPath, []],
  ['/sitemap.xml', []],
  ['/robots.txt', []],
  ['/site.webmanifest', []],
])
const ofOneAnnouncement = /^(\/api)?\/announcements\/[0-9a-f]{8}-[0-9a-f-]{27}$/
// React Router's data requests.
const dataSuffix = '.data'
const dataParameter = '_routes'
const rootData = '/_root'
const maxLength = 300

/**
 * Whether an address has one response for all visitors who aren't signed in. An allowlist: everything else is never
 * cached (forms, sign-in, unknown parameters).
 * @param address path and query as sent
 */
export function isPublicAddress(address: string): boolean {
  if (address.length > maxLength) return false
  const mark = address.indexOf('?')
  const parameters = parametersOf(mark === -1 ? address : address.slice(0, mark))
  if (parameters === undefined || mark === -1) return parameters !== undefined
  const sent = [...new URLSearchParams(address.slice(mark + 1)).keys()]
  return new Set(sent).size === sent.length && sent.every((name) => parameters.includes(name))
}

// Only the home page and its data show the visitor's own receipt; after an enlistment all others are still served from
// memory.
function showsReceipt(address: string): boolean {
  return /^\/(_root\.data)?(\?|$)/.test(address)
}

function parametersOf(path: string): readonly string[] | undefined {
  if (!path.endsWith(dataSuffix)) return pages.get(path) ?? data.get(path) ?? ofAnnouncement(path)
  const stem = path.slice(0, -dataSuffix.length)
  const ofPage = stem === rootData ? pages.get('/') : (pages.get(stem) ?? ofAnnouncement(stem))
  return ofPage && [...ofPage, dataParameter]
}

function ofAnnouncement(path: string): readonly string[] | undefined {
  return ofOneAnnouncement.test(path) ? [] : undefined
}

const maxAnswers = 1_000
const maxBytes = 48 * 1024 * 1024
// A process killed between its commit and its notice has notified nobody: responses expire after a minute.
const maxAgeMs = 60_000

interface WarmStoreOptions {
  // Whether changes made elsewhere would be known by now.
  isCurrent: () => boolean
  // In ms: the next instant at which responses change without a notice.
  nextInstant: () => number
  now: () => number
}

interface Entry {
  answer: KeptAnswer
  until: number
  // For LRU eviction.
  lastUse: number
}

export type WarmStore = ReturnType<typeof createWarmStore>

export function createWarmStore({ isCurrent, nextInstant, now }: WarmStoreOptions) {
  const entries = new Map<string, Entry>()
  const flights = new Map<string, { made: Promise<KeptAnswer | null>; until: number }>()
  // A response begun before a change must not be cached after it.
  let generation = 0
  let bytes = 0
  let uses = 0

  function remove(key: string): void {
    bytes -= entries.get(key)?.answer.byteLength ?? 0
    entries.delete(key)
  }

  function keep(key: string, entry: Entry): void {
    remove(key)
    entries.set(key, entry)
    bytes += entry.answer.byteLength
    while (entries.size > maxAnswers || bytes > maxBytes) remove(leastUsed())
  }

  function leastUsed(): string {
    let least = ''
    let lastUse = Number.POSITIVE_INFINITY
    for (const [key, entry] of entries) {
      if (entry.lastUse < lastUse) {
        least = key
        lastUse = entry.lastUse
      }
    }
    return least
  }

  function find(key: string): KeptAnswer | undefined {
    const entry = entries.get(key)
    if (entry === undefined || !isCurrent()) return undefined
    if (now() >= entry.until) {
      remove(key)
      return undefined
    }
    uses += 1
    entry.lastUse = uses
    return entry.answer
  }

  return {
    find,

    /**
     * The response of an address, made once for concurrent requests.
     * @param make gives null when it isn't cacheable
     * @returns null when each caller must make its own
     */
    async share(key: string, make: () => Promise<KeptAnswer | null>): Promise<KeptAnswer | null> {
      if (!isCurrent()) return null
      const known = find(key)
      if (known) return known
      const running = flights.get(key)
      if (running && now() < running.until) return await running.made
      const begunIn = generation
      const until = Math.min(now() + maxAgeMs, nextInstant())
      const made = make()
      const flight = { made, until }
      flights.set(key, flight)
      try {
        const answer = await made
        if (answer && generation === begunIn) keep(key, { answer, until, lastUse: ++uses })
        return answer
      } finally {
        if (flights.get(key) === flight) flights.delete(key)
      }
    },

    forget(): void {
      generation += 1
      entries.clear()
      flights.clear()
      bytes = 0
    },
  }
}
