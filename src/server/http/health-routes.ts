import { z } from '@hono/zod-openapi'
import { createRouter, ok, publicRoutes } from './router.ts'

const health = publicRoutes('operations').get('/health', 'Check that the process runs', {
  responses: ok(z.object({ status: z.literal('ok') }), 'The process runs.'),
})

const ready = publicRoutes('operations').get('/ready', 'Check that the database answers', {
  responses: ok(z.object({ status: z.literal('ready') }), 'Ready.'),
  problems: ['unavailable'],
})

/**
 * Liveness and readiness for supervisors and load balancers.
 * @param checkDatabase rejects when the database doesn't answer in time
 */
export function createHealthRoutes(checkDatabase: () => Promise<void>) {
  return createRouter()
    .openapi(health, (c) => c.json({ status: 'ok' as const }, 200, { 'Cache-Control': 'no-store' }))
    .openapi(ready, async (c) => {
      await checkDatabase()
      return c.json({ status: 'ready' as const }, 200, { 'Cache-Control': 'no-store' })
    })
}
