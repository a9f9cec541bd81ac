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
import { createWarmStore, type WarmStore } from './cache-store.ts'
import {
  type Encoding,
  type HeaderList,
  isCacheable,
  type KeptAnswer,
  prepareAnswer,
} from './cached-answer.ts'

interface WarmAnswersOptions {
  notices: Pick<Notices, 'subscribe' | 'onPublish' | 'isCurrent'>
  /** Calls back when this process knows newer settings; they may be later than their notice. */
  onSettings: (listener: () => void) => void
  /** When the next announcement appears or disappears by itself; null when none is planned. */
  nextPublication: () => Date | null
  clock: Clock
  timeZone: string
  log: Logger
  publicUrl: string | undefined
}

export interface WarmAnswers {
  /** Hono's part: makes and keeps. */
  keep: ReturnType<typeof keepAnswers>
  /** The part before Hono: gives what is kept. */
  answer: Middleware
  /** Writes what waits in memory. */
  close: () => void
}

/**
 * The public pages and lists of everybody who isn't signed in, kept in memory until something public changes:
 * here, elsewhere, or by the clock.
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

/** Gives the kept answers before anything else looks at a request: they are ready down to their last byte. */
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

/** How long answers are counted before they are written, in milliseconds. */
const lineEveryMs = 1_000

type AnswerLog = ReturnType<typeof createAnswerLog>

/**
 * The log of kept answers: for each route and status one line a second with their number. A line for each would
 * cost a quarter of the answer.
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

    /** Writes what was counted since the last line. */
    close: write,
  }
}

/**
 * Keeps the answers that are the same for everybody. However many ask for one that isn't kept, it is made once.
 * Stands around whatever gives answers their headers.
 */
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
    // Whoever made it has an answer that is for nobody else; those who waited for it still need one.
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

/** Anything else is nobody's host name. */
const hostPattern = /^[\w.:[\]-]{1,255}$/

interface AskedFor {
  method: string | undefined
  /** Path and query as they were sent. */
  address: string | undefined
  header: (name: 'host' | 'cookie') => string | undefined
}

type WarmKeyOf = (asked: AskedFor) => string | undefined

/**
 * Under what an answer is kept: its address and, since links name it, the host that was asked. Undefined for
 * whoever may be signed in, for a page that shows the asker's own receipt, and for anything but reading.
 *
 * @param publicUrl PUBLIC_URL, where the operator gave one: then pages are the same under every name
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

/** The same of a request as Node hands it over. */
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
  /** Null when the asker has it already. */
  body: Buffer | null
}

/** Which form of a kept answer somebody gets. */
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

/** Browsers say the same each time, so what they said is read once. */
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

/** Named and not refused by a quality of zero. */
function takes(accepted: string, encoding: string): boolean {
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';')
    if (name.trim().toLowerCase() !== encoding) continue
    return !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/i.test(parameter))
  }
  return false
}

/** Addresses whose answer is the same for every visitor, with the query parameters that they may have. */
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
/** One announcement: its page, and what the API says of it. */
const ofOneAnnouncement = /^(\/api)?\/announcements\/[0-9a-f]{8}-[0-9a-f-]{27}$/
/** What React Router's scripts ask for instead of a page, and the parameter by which they name its parts. */
const dataSuffix = '.data'
const dataParameter = '_routes'
const rootData = '/_root'
/** Longer ones are nobody's link. */
const maxLength = 300

/**
 * Whether an address has one answer for everybody who isn't signed in. A list of what may be kept, so that
 * whatever isn't on it stays out of memory: forms, signing in, a parameter that nobody knows.
 *
 * @param address path and query as they were sent
 */
export function isPublicAddress(address: string): boolean {
  if (address.length > maxLength) return false
  const mark = address.indexOf('?')
  const parameters = parametersOf(mark === -1 ? address : address.slice(0, mark))
  if (parameters === undefined || mark === -1) return parameters !== undefined
  const sent = [...new URLSearchParams(address.slice(mark + 1)).keys()]
  return new Set(sent).size === sent.length && sent.every((name) => parameters.includes(name))
}

/**
 * Whether a public address shows the receipt of the visitor who asks: the home page, and its data. Nothing else that may
 * be kept does, so that after an enlistment the rest still comes from memory.
 */
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
