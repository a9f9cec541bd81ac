import { z } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import type { Notices } from '#server/database/notices.ts'
import { every } from '#server/lib/scheduler.ts'
import { maxConnections } from '#server/listen.ts'
import { adminTopics, publicTopics, type Topic } from '#shared/topics.ts'
import { concurrencyLimit } from './limits.ts'
import { createRouter, publicRoutes } from './router.ts'

// In ms. Proxies close connections that are silent for a minute.
const heartbeatMs = 25_000
// In ms.
const reconnectMs = 2_000
// What waits for a browser that doesn't read.
const maxUnreadBytes = 64 * 1024
// A campus of 5,000 with one address; half of the connections remain for requests.
const streamLimits = { total: Math.min(10_000, Math.floor(maxConnections / 2)), ofSender: 6_000 }

const events = publicRoutes('events').get('/events', 'Stream change events (server-sent events)', {
  description:
    `Events of type "change" whose data is a topic. Everyone gets ${publicTopics.join(', ')}; ` +
    `a signed-in administrator also gets ${adminTopics.join(', ')}. After a reconnection, read all data again.`,
  responses: {
    200: {
      description: 'An endless stream.',
      content: { 'text/event-stream': { schema: z.string() } },
    },
  },
  problems: ['too_many_requests'],
})

interface EventRoutesOptions {
  notices: Pick<Notices, 'subscribe'>
  // Aborts when the server stops, so that streams don't delay it.
  closing: AbortSignal
}

/** Server-sent events. */
export function createEventRoutes({ notices, closing }: EventRoutesOptions) {
  // One listener for all streams: one each on a signal that lives as long as the process would leak.
  const open = new Set<() => void>()
  const takePlace = concurrencyLimit(streamLimits)
  closing.addEventListener('abort', () => {
    for (const end of open) end()
  })

  return createRouter().openapi(events, async (c) => {
    takePlace(c)
    const admin = await c.var.readAdmin()
    const isOpen = admin?.hasFirstPassword === false
    const topics = new Set<Topic>(isOpen ? [...publicTopics, ...adminTopics] : publicTopics)
    // Proxies such as nginx would collect the stream otherwise.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      let close: (() => void) | undefined
      let unread = 0
      const write = async (text: string) => {
        unread += text.length
        if (unread > maxUnreadBytes) c.env?.outgoing?.destroy()
        else await stream.write(text)
        unread -= text.length
      }
      const stopHeartbeat = every(heartbeatMs, () => write(': still here\n\n'))
      // Subscribed before the greeting, so that nothing falls between the two.
      const ended = new Promise<void>((end) => {
        const unsubscribe = notices.subscribe((topic) => {
          if (topics.has(topic)) void write(`event: change\ndata: ${topic}\n\n`)
          // The sign-in has changed: the browser reconnects and gets the topics it may read now.
          if (admin && topic === 'session') end()
        })
        stream.onAbort(end)
        open.add(end)
        if (closing.aborted) end()
        close = () => {
          open.delete(end)
          unsubscribe()
        }
      })
      await write(`event: hello\ndata: connected\nretry: ${reconnectMs}\n\n`)
      await ended
      stopHeartbeat()
      close?.()
    })
  })
}
