import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context.ts'

/**
 * Finds the caller's network address. X-Forwarded-For counts only behind a configured proxy: any client can send it.
 * The last entry is the one that our proxy wrote.
 */
export function clientAddress({ trustProxy }: { trustProxy: boolean }) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const forwarded = trustProxy ? c.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim() : undefined
    c.set('clientAddress', forwarded || c.env?.incoming?.socket.remoteAddress || 'unknown')
    await next()
  })
}
