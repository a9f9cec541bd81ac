import { z } from '@hono/zod-openapi'
import { streamSSE } from 'hono/streaming'
import type { Notices } from '#server/database/notices.ts'
import { every } from '#server/lib/scheduler.ts'
import { adminTopics, publicTopics, type Topic } from '#shared/topics.ts'
import { createRouter, publicRoutes } from './router.ts'

// In ms. Proxies close connections that are silent for a minute.
const heartbeatMs = 25_000
// In ms.
const reconnectMs = 2_000

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
})

/**
 * Server-sent events.
 * @param closing aborts when the server stops, so that streams don't delay it
 */
export function createEventRoutes({ notices, closing }: { notices: Notices; closing: AbortSignal }) {
  // One listener for all streams: one each on a signal that lives as long as the process would leak.
  const open = new Set<() => void>()
  closing.addEventListener('abort', () => {
    for (const end of open) end()
  })

  return createRouter().openapi(events, async (c) => {
    const admin = await c.var.readAdmin()
    const isOpen = admin?.hasFirstPassword === false
    const topics = new Set<Topic>(isOpen ? [...publicTopics, ...adminTopics] : publicTopics)
    // Proxies such as nginx would collect the stream otherwise.
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (stream) => {
      let close: (() => void) | undefined
      const stopHeartbeat = every(heartbeatMs, () => stream.write(': still here\n\n'))
      // Subscribed before the greeting, so that nothing falls between the two.
      const ended = new Promise<void>((end) => {
        const unsubscribe = notices.subscribe((topic) => {
          if (topics.has(topic)) void stream.writeSSE({ event: 'change', data: topic })
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
      await stream.writeSSE({ event: 'hello', data: 'connected', retry: reconnectMs })
      await ended
      stopHeartbeat()
      close?.()
    })
  })
}
