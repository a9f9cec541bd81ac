import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { AppEnv } from './context.ts'

/** One line a request: method, route pattern, status, ms. Never the URL or the address: both may identify a person. */
export function requestLog(log: Logger) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const started = performance.now()
    c.set('log', log)
    await next()
    if (!log.isLevelEnabled('info')) return
    const ms = Math.round((performance.now() - started) * 10) / 10
    log.info({
      requestId: c.var.requestId,
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      ms,
    })
  })
}
