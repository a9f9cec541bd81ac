import type { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes } from 'hono/route'
import { timeout } from 'hono/timeout'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError, tooBig } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import { after } from '#server/lib/scheduler.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import type { AppEnv } from './context.ts'

// The limit of GET requests holds even when the database doesn't answer.
const readMs = 5_000
// A slow phone needs time to send a form. The database has its own limits.
const sendMs = 30_000
// Files may have many megabytes, and a line may be slow.
export const uploadMs = 600_000
// A transaction changes up to 100,000 records.
export const selectionMs = 120_000

interface BodyLimit {
  maxBytes: number
  sentence?: string
  field?: string
  // Files are buffered in memory until they are stored, so only a few such bodies are read at a time.
  hasFiles?: boolean
}

/** What a route says where the defaults don't fit. */
export interface RouteLimits {
  body?: BodyLimit
  deadlineMs?: number
  // The sentence of an unexpected error, in the e-mail calls (product 27.2).
  failure?: string
}

// The limit of callers whom a guard let in.
const usualBody: BodyLimit = { maxBytes: 256 * 1024 }
// The limit of everybody else. The longest enlistment has 25 KiB.
const publicBody: BodyLimit = { maxBytes: 48 * 1024 }

// The overhead of a multipart body.
const wrappingBytes = 16 * 1024

/** The limits of a route with files, which checks each file's size itself. */
export function files(bytes: number, sentence: string, field?: string): RouteLimits {
  const body = { maxBytes: bytes + wrappingBytes, sentence, ...(field ? { field } : {}), hasFiles: true }
  return { body, deadlineMs: uploadMs }
}

/** The size of files that may also come in JSON beside other fields: base64 is a third longer than its bytes. */
export function inJson(bytes: number): number {
  return Math.ceil((bytes * 4) / 3) + usualBody.maxBytes
}

const late = (c: Context<AppEnv>) =>
  c.env?.incoming?.complete === false
    ? new HTTPException(408)
    : new HTTPException(503, { message: 'deadline' })
const readTimeout = timeout(readMs, late)
const sendTimeout = timeout(sendMs, late)

/**
 * Ends a request with `unavailable` after its time (a stream must only begin in time), with `too_slow` where its body is
 * late, and refuses a body over the public size. A route with own limits applies them after its guard, so that larger
 * bodies are read for known callers only.
 */
export const defaultLimits = createMiddleware<AppEnv>((c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return readTimeout(c, next)
  if (limitsOf(c)) return next()
  return limitBody(c, publicBody, async () => {
    await sendTimeout(c, next)
  })
})

/** The limits of requests with up to 100,000 ids. */
export const selectionLimits: RouteLimits = { body: { maxBytes: 4.5 * 1024 * 1024 }, deadlineMs: selectionMs }

const routeLimits = new WeakMap<object, RouteLimits>()

/** The limits of one route; after its guard. */
export function allow(limits: RouteLimits): MiddlewareHandler<AppEnv> {
  const { body = usualBody, deadlineMs = sendMs } = limits
  const inTime = timeout(deadlineMs, late)
  const middleware: MiddlewareHandler<AppEnv> = (c, next) =>
    limitBody(c, body, async () => {
      await inTime(c, next)
    })
  routeLimits.set(middleware, limits)
  return middleware
}

/** What the matched route says, also before its middleware runs. */
export function limitsOf(c: Context<AppEnv>): RouteLimits | undefined {
  for (const { handler } of matchedRoutes(c)) {
    const limits = routeLimits.get(handler)
    if (limits) return limits
  }
  return undefined
}

const uploads = new WeakSet<object>()

/** Whether a request may take long to arrive: an upload, whose sender the route's guard knows. */
export function isUpload(incoming: IncomingMessage): boolean {
  return uploads.has(incoming)
}

// 20 MB each, up to five times that while they are decoded and stored: a process of 512 MB has room for two.
const queue = createWorkQueue({ atOnce: 2, maxWaiting: 40 })

// A sender that is silent for so many ms has lost the connection.
const silenceMs = 20_000

// A body that waits in the queue isn't read. A change without a file doesn't wait for uploads.
async function limitBody(c: Context<AppEnv>, limit: BodyLimit, next: Next): Promise<void> {
  const declared = declaredLength(c)
  if (declared !== undefined && declared > limit.maxBytes) refuse(limit)
  if (limit.hasFiles && c.env?.incoming) uploads.add(c.env.incoming)
  const isQueued = limit.hasFiles && (declared === undefined || declared > usualBody.maxBytes)
  if (!isQueued) {
    // What has arrived of a half-sent body is in memory.
    const { incoming } = c.env ?? {}
    if (incoming?.complete === false) takeBytes(c, declared ?? limit.maxBytes, incoming)
    return await readCounted(c, limit, next)
  }
  return await queue.run(() => {
    cutSilence(c.env?.incoming)
    return readCounted(c, limit, next)
  })
}

// A declared length was enough: Node reads no more than that. A body of unknown length is counted while it arrives.
async function readCounted(c: Context<AppEnv>, limit: BodyLimit, next: Next): Promise<void> {
  if (declaredLength(c) === undefined) {
    const onError = () => {
      discardRest(c.env?.incoming)
      return refuse(limit)
    }
    await bodyLimit({ maxSize: limit.maxBytes, onError })(c, next)
    return
  }
  await next()
}

// A phone that lost its connection must not block the queue.
function cutSilence(incoming: IncomingMessage | undefined): void {
  incoming?.setTimeout(silenceMs, () => incoming.destroy())
  incoming?.once('end', () => incoming.setTimeout(0))
}

const unreadMs = 30_000

/** Cuts a reader that takes nothing of a complete response for so long: Node closes the connection. */
export function cutUnread(outgoing: HttpBindings['outgoing'] | undefined, ms = unreadMs): void {
  outgoing?.setTimeout(ms)
  // This listener runs before Node's, which hands the connection to the next response, which may take longer to begin.
  outgoing?.prependOnceListener('finish', () => outgoing.setTimeout(0))
}

// Reads and drops the rest: a connection closed while the client sends loses the response. The listener cuts a body
// that lasts long.
function discardRest(incoming: IncomingMessage | undefined): void {
  incoming?.removeAllListeners('data')
  incoming?.resume()
}

function declaredLength(c: Context<AppEnv>): number | undefined {
  const declared = c.req.header('Content-Length')
  return declared === undefined || c.req.header('Transfer-Encoding') !== undefined
    ? undefined
    : Number(declared)
}

function refuse({ sentence, field }: BodyLimit): never {
  if (sentence === undefined) throw new AppError('too_big')
  throw field === undefined ? new AppError('too_big', sentence) : tooBig(field, sentence)
}

interface RateLimit {
  points: number
  // The window in seconds.
  duration: number
}

/**
 * The limits of all requests. They count by network, or by the cookie of a browser that signed in here: other
 * senders' requests never count against that browser. A whole campus shares one address, so limits stop floods, not
 * people. They live in this process's memory and ask no database. docs/operations.md lists them.
 */
export const requestLimits = {
  network: { points: 12_000, duration: 60 },
  // The form's pages, apart from what else an address sends: more than a process renders, so that a flood makes them
  // slower and locks nobody out. They are rendered by turns over the networks (app.ts).
  form: { points: 60_000, duration: 60 },
  browser: { points: 3000, duration: 60 },
}

export function limitRequests(
  knownTokenOf: (cookieHeader: string | undefined) => string | undefined,
  isOfSchool: (address: string) => boolean,
  limits = requestLimits,
) {
  const network = rateLimit(limits.network)
  const form = rateLimit(limits.form)
  const browser = rateLimit(limits.browser)
  return createMiddleware<AppEnv>(async (c, next) => {
    const token = knownTokenOf(c.req.header('Cookie'))
    c.set('sender', token ?? networkOf(c.get('clientAddress')))
    c.set('holder', token ?? networkOf(c.get('clientAddress'), 48))
    c.set('isKnownBrowser', token !== undefined)
    c.set('isOfSchool', isOfSchool(c.get('clientAddress')))
    // A page's own calls of the API were counted with the page; enlistments are counted once they are read.
    const isCounted = c.env?.isInProcess || (c.req.method === 'POST' && c.req.path === '/api/registrations')
    const ofVisitors = formPages.test(c.req.path) ? form : network
    if (!isCounted) await (token === undefined ? ofVisitors : browser).take(c)
    await next()
    if (token === undefined) cutUnreadAnswer(c)
  })
}

// Streams are left out, because they have heartbeats.
function cutUnreadAnswer(c: Context<AppEnv>): void {
  if (!c.env?.isInProcess && c.req.path !== '/api/events') cutUnread(c.env?.outgoing)
}

const formPages = /^\/register(\/confirmation)?(\.data)?$/

// How many times the usual limits a network of the school has.
const schoolFactor = 10

// The most senders that a limit counts apart: it keeps 0.7 kB of each until its window ends, and a caller may have many
// IPv6 networks. Beyond these they are counted together.
const mostSenders = 20_000

// Not c.var, which copies all variables at each use.
const senderOfRequest = (c: Context<AppEnv>) => c.get('sender')

/** A limit of a route by its sender. Routes count once the input is valid, and refund when the server failed. */
export function rateLimit(limit: RateLimit, senderOf = senderOfRequest, maxSenders = mostSenders) {
  const usual = new RateLimiterMemory(limit)
  const ofSchool = new RateLimiterMemory({ ...limit, points: limit.points * schoolFactor })
  const limiterOf = (c: Context<AppEnv>) => (c.get('isOfSchool') ? ofSchool : usual)
  let senders = 0
  const keyOf = (c: Context<AppEnv>) => (senders < maxSenders ? senderOf(c) : c.get('holder'))

  function countSender(): void {
    senders += 1
    after(limit.duration * 1000, () => {
      senders -= 1
    })
  }

  return {
    /** @throws AppError `too_many_requests` beyond the limit */
    async take(c: Context<AppEnv>): Promise<void> {
      const key = keyOf(c)
      if (key === undefined) return
      try {
        const { isFirstInDuration } = await limiterOf(c).consume(key)
        if (isFirstInDuration) countSender()
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        // A clock that was set back meanwhile would make it longer than the window.
        const retryAfter = Math.min(limit.duration, Math.ceil(refusal.msBeforeNext / 1000))
        throw new AppError('too_many_requests', { retryAfter })
      }
    },

    async refund(c: Context<AppEnv>): Promise<void> {
      const key = keyOf(c)
      if (key !== undefined) await limiterOf(c).reward(key)
    },
  }
}

// The Retry-After of a refusal, in seconds.
const concurrencyRetryAfter = 5

interface ConcurrencyLimit {
  // The places of all networks together. A browser that signed in here has only its own limit.
  total: number
  ofSender: number
  // The places of a browser that signed in here, where they are fewer.
  ofBrowser?: number
  // A network with no more places than this still gets them when the total is full.
  reserve?: number
}

/**
 * A limit of what is under way at the same time: responses, or their bytes. A place is free again when its connection or
 * its response ends. A network is an IPv6 network of 48 bits here, so that one site can't take everybody's places.
 */
export function concurrencyLimit({ total, ofSender, ofBrowser, reserve = 0 }: ConcurrencyLimit) {
  const counts = new Map<string, number>()
  let ofNetworks = 0

  /** @throws AppError `too_many_requests` when no place is free */
  return function take(
    c: Context<AppEnv>,
    places = 1,
    until: Pick<EventEmitter, 'once'> | undefined = c.env?.outgoing,
  ): void {
    const holder = c.get('holder')
    const isKnownBrowser = c.get('isKnownBrowser')
    const isOfSchool = c.get('isOfSchool')
    if (holder === undefined || until === undefined) return
    const own = (counts.get(holder) ?? 0) + places
    const isTooMuch = !isKnownBrowser && ofNetworks + places > total && own > reserve
    const most = (isKnownBrowser && ofBrowser) || ofSender * (isOfSchool ? schoolFactor : 1)
    if (isTooMuch || own > most) {
      throw new AppError('too_many_requests', { retryAfter: concurrencyRetryAfter })
    }
    const add = (change: number) => {
      const now = (counts.get(holder) ?? 0) + change
      if (now > 0) counts.set(holder, now)
      else counts.delete(holder)
      if (!isKnownBrowser) ofNetworks += change
    }
    add(places)
    until.once('close', () => add(-places))
  }
}

// A declared length counts before its first byte, so headers alone fill the total.
const takeBytes = concurrencyLimit({ total: 64 * 1024 * 1024, ofSender: 8 * 1024 * 1024, reserve: 64 * 1024 })
