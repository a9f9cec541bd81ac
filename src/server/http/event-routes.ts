import type { ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { z } from '@hono/zod-openapi'
import type { Notices } from '#server/database/notices.ts'
import { accessOf } from '#server/lib/access.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { every } from '#server/lib/scheduler.ts'
import { maxConnections } from '#server/listen.ts'
import { publicTopics, staffTopics, type Topic, topicPermissions } from '#shared/topics.ts'
import type { SessionAdmin } from './context.ts'
import { concurrencyLimit } from './limits.ts'
import { createRouter, publicRoutes } from './router.ts'

// Proxies close connections that are silent for a minute. Each stream has its turn among these heartbeats.
const heartbeatMs = 1_000
const heartbeatTurns = 25
const reconnectMs = 2_000
// What waits for a browser that doesn't read.
const maxUnreadBytes = 64 * 1024
// Tabs in sight, on all devices; a hidden tab closes its stream.
const maxOfOne = 50
// A campus of 5,000 with one address; half of the connections remain for requests.
const streamLimits = {
  total: Math.min(10_000, Math.floor(maxConnections / 2)),
  ofSender: 6_000,
  ofBrowser: maxOfOne,
}

const tooManyStreams =
  'This account has 50 pages with live updates open. Please close some: this one reconnects after that.'

const events = publicRoutes('events').get('/events', 'Stream change events (server-sent events)', {
  description:
    `Events of type "change" whose data is a topic. Everyone gets ${publicTopics.join(', ')}; ` +
    `who is signed in also gets those of ${staffTopics.join(', ')} that they may read. After a reconnection, read all data again. ` +
    'With `since`, the first events are the topics that have changed from then on, and `session` without one. ' +
    `An account has ${maxOfOne} streams at most, of all its sessions and tabs.`,
  query: z.object({ since: z.iso.datetime().optional() }),
  responses: {
    200: {
      description: 'An endless stream.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
  problems: ['too_many_requests'],
})

interface EventRoutesOptions {
  clock: Clock
  readToken: (cookieHeader: string | undefined) => string | undefined
  /** Returns the session of a stream if it has not ended. The call doesn't count as a use of the session. */
  findSession: (token: string) => Promise<StreamOwner | null>
  notices: Pick<Notices, 'subscribe'>
  // Aborts when the server stops, so that streams don't delay it.
  closing: AbortSignal
}

type StreamOwner = Pick<SessionAdmin, 'mustSetUp' | 'role' | 'components'>

interface StreamSession {
  token: string
  accountId: string
  endsAt: Date
}

interface OpenStream {
  topics: readonly Topic[]
  // The administrator's session; null for a visitor.
  session: StreamSession | null
  turn: number
  outgoing: ServerResponse | undefined
  controller: ReadableStreamDefaultController<Uint8Array>
}

const encoder = new TextEncoder()
const hello = encoder.encode(`event: hello\ndata: connected\nretry: ${reconnectMs}\n\n`)
const heartbeat = encoder.encode(': still here\n\n')

function topicsOf(owner: StreamOwner | null): readonly Topic[] {
  if (owner?.mustSetUp !== null) return publicTopics
  const access = accessOf(owner)
  return [
    ...publicTopics,
    ...staffTopics.filter((topic) => [topicPermissions[topic]].flat().some(access.can, access)),
  ]
}

function endOf({ endsAt, mustSetUp, secondFactorDue }: SessionAdmin): Date {
  return mustSetUp === null && secondFactorDue && secondFactorDue < endsAt ? secondFactorDue : endsAt
}

function sessionOf(admin: SessionAdmin | null, token: string | undefined): StreamSession | null {
  return admin && token !== undefined ? { token, accountId: admin.id, endsAt: endOf(admin) } : null
}

function changeOf(topic: Topic): Uint8Array {
  return encoder.encode(`event: change\ndata: ${topic}\n\n`)
}

/** Server-sent events. A stream is a set's entry, without a timer or a listener of its own: ten thousand may be open. */
export function createEventRoutes(options: EventRoutesOptions) {
  const { notices, clock, readToken, findSession, closing } = options
  const open = new Set<OpenStream>()
  const takePlace = concurrencyLimit(streamLimits)
  const changedAt = new Map<Topic, number>()

  function end(stream: OpenStream) {
    if (open.delete(stream)) stream.controller.close()
  }

  function send(bytes: Uint8Array, isFor: (stream: OpenStream) => boolean) {
    for (const stream of open) {
      if (!isFor(stream)) continue
      if ((stream.controller.desiredSize ?? 0) > 0) stream.controller.enqueue(bytes)
      else stream.outgoing?.destroy()
    }
  }

  /**
   * The browser of one that is ended reconnects, and gets the topics it may read now. While sessions can't be read, all
   * count as ended.
   */
  async function askSessionsAgain() {
    const asked = new Map<string, ReturnType<typeof findSession>>()
    await Promise.all(
      [...open].map(async (stream) => {
        if (!stream.session) return
        const { token } = stream.session
        const asking = asked.get(token) ?? findSession(token).catch(() => null)
        asked.set(token, asking)
        const owner = await asking
        if (!owner || !isDeepStrictEqual(topicsOf(owner), stream.topics)) end(stream)
      }),
    )
  }

  /** The newest is refused: the browser of an ended one would reconnect at once and end another. */
  function mustHavePlace(accountId: string) {
    let count = 0
    for (const { session } of open) if (session?.accountId === accountId) count += 1
    if (count >= maxOfOne) throw new AppError('too_many_requests', { detail: tooManyStreams, retryAfter: 30 })
  }

  notices.subscribe((topic) => {
    changedAt.set(topic, Date.now())
    send(changeOf(topic), ({ topics }) => topics.includes(topic))
    if (topic === 'session') void askSessionsAgain()
  })
  let turn = 0
  const stopHeartbeat = every(heartbeatMs, () => {
    turn = (turn + 1) % heartbeatTurns
    const now = clock()
    for (const stream of open) if (stream.session && stream.session.endsAt <= now) end(stream)
    send(heartbeat, (stream) => stream.turn === turn)
  })
  closing.addEventListener('abort', () => {
    stopHeartbeat()
    for (const stream of open) end(stream)
  })

  return createRouter().openapi(events, async (c) => {
    takePlace(c)
    const { since } = c.req.valid('query')
    const admin = await c.var.readAdmin()
    const session = sessionOf(admin, readToken(c.req.header('Cookie')))
    const topics = topicsOf(session && admin)
    if (session) mustHavePlace(session.accountId)
    const outgoing = c.env?.outgoing
    const missed: Topic[] = topics.filter(
      (topic) => since && (changedAt.get(topic) ?? 0) >= Date.parse(since),
    )
    // The page was read by somebody who was signed in: their session has ended since.
    if (since && topics === publicTopics) missed.push('session')
    // Proxies such as nginx would collect the stream otherwise.
    const headers = {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache',
      'X-Accel-Buffering': 'no',
    }
    return c.body(openStream({ topics, session, outgoing }, missed), 200, headers)
  })

  function openStream(
    options: Omit<OpenStream, 'controller' | 'turn'>,
    missed: readonly Topic[],
  ): ReadableStream<Uint8Array> {
    let stream: OpenStream
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          stream = { ...options, controller, turn: open.size % heartbeatTurns }
          controller.enqueue(hello)
          for (const topic of missed) controller.enqueue(changeOf(topic))
          open.add(stream)
          if (closing.aborted) end(stream)
        },
        cancel: () => void open.delete(stream),
      },
      { highWaterMark: maxUnreadBytes, size: (bytes) => bytes.byteLength },
    )
  }
}
