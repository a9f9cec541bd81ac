import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import type { AppEnv } from './context.ts'

/**
 * Refuses bodies over a size as `too_big`. A declared length is enough: Node reads no more than that. Only a
 * body of unknown length is counted while it arrives.
 *
 * @param maxSize in bytes
 */
export function limitBody(maxSize: number) {
  const countWhileReading = bodyLimit({ maxSize, onError: refuse })
  return createMiddleware<AppEnv>((c, next) => {
    const declared = c.req.header('Content-Length')
    if (declared === undefined || c.req.header('Transfer-Encoding') !== undefined)
      return countWhileReading(c, next)
    return Number(declared) > maxSize ? refuse() : next()
  })
}

function refuse(): never {
  throw new AppError('too_big')
}
