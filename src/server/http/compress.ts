import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context.ts'

/**
 * Compresses pages and GET responses of the API. Responses to changes are too short to be worth it during an
 * enlistment. Cacheable responses are compressed when they are stored.
 */
export function compressExceptChanges() {
  const compression = compress()
  return createMiddleware<AppEnv>((c, next) => {
    const isChange = c.req.method !== 'GET' && c.req.path.startsWith('/api/')
    return isChange || c.var.cacheable ? next() : compression(c, next)
  })
}
