import { compress } from 'hono/compress'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './context.ts'

/**
 * Compresses pages, also a form that comes back with its messages, and what the API reads out. The API's
 * answers to changes are a few words, which an enlistment shouldn't pay for.
 */
export function compressExceptChanges() {
  const squeeze = compress()
  return createMiddleware<AppEnv>((c, next) =>
    c.req.method !== 'GET' && c.req.path.startsWith('/api/') ? next() : squeeze(c, next),
  )
}
