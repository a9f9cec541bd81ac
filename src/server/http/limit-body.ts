import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import type { BodyLimit } from './body-limits.ts'
import type { AppEnv } from './context.ts'

/**
 * Refuses bodies over their route's size as `too_big`. A declared length is enough: Node reads no more than
 * that. Only a body of unknown length is counted while it arrives.
 *
 * @param limitOf the limit of a request by its method and path
 */
export function limitBody(limitOf: (method: string, path: string) => BodyLimit) {
  return createMiddleware<AppEnv>((c, next) => {
    const limit = limitOf(c.req.method, c.req.path)
    const declared = c.req.header('Content-Length')
    if (declared === undefined || c.req.header('Transfer-Encoding') !== undefined) {
      return bodyLimit({ maxSize: limit.maxBytes, onError: () => refuse(limit) })(c, next)
    }
    return Number(declared) > limit.maxBytes ? refuse(limit) : next()
  })
}

function refuse({ sentence }: BodyLimit): never {
  throw new AppError('too_big', sentence === undefined ? {} : { detail: sentence })
}
