import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context.ts'

/**
 * Compresses pages, also a form that comes back with its messages, and what the API reads out. The API's
 * answers to changes are a few words, which an enlistment shouldn't pay for. What is made for everybody is
 * compressed when it is kept.
 */
export function compressExceptChanges() {
  const squeeze = compress()
  return createMiddleware<AppEnv>((c, next) => {
    const isChange = c.req.method !== 'GET' && c.req.path.startsWith('/api/')
    return isChange || c.var.forEverybody ? next() : squeeze(c, next)
  })
}
