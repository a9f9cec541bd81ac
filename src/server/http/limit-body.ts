import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { type BodyLimit, usualLimit } from './body-limits.ts'
import type { AppEnv } from './context.ts'

/** Bodies with files that are read and worked on at once: 20 MB each, three times that while they are decoded. */
const filesAtOnce = { atOnce: 4, waiting: 40 }

/** Whoever sends nothing for so long has lost the connection. In milliseconds. */
const silenceMs = 20_000

/**
 * Refuses bodies over their route's size as `too_big`. A declared length is enough: Node reads no more than
 * that. Only a body of unknown length is counted while it arrives; from somebody who isn't signed in up to the
 * usual limit, since what is counted is kept. A body that has to wait for its turn isn't read meanwhile.
 *
 * @param limitOf the limit of a request by its method and path
 */
export function limitBody(limitOf: (method: string, path: string) => BodyLimit) {
  const queue = createWorkQueue(filesAtOnce)

  async function readCounted(c: Context<AppEnv>, limit: BodyLimit, next: Next) {
    const declared = declaredLength(c)
    if (declared === undefined) {
      const onError = () => {
        discardRest(c.env?.incoming)
        return refuse(limit)
      }
      return await bodyLimit({ maxSize: limit.maxBytes, onError })(c, next)
    }
    if (declared > limit.maxBytes) refuse(limit)
    await next()
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    const limit = limitOf(c.req.method, c.req.path)
    if (!limit.isForAdmin) return await readCounted(c, limit, next)
    const length = declaredLength(c)
    const isKnown = (limit.isForToken && (await c.var.readShownToken())) || (await c.var.readAdmin())
    if (!isKnown) {
      // The route refuses whoever isn't known before it reads anything.
      return length === undefined ? await readCounted(c, usualLimit, next) : await next()
    }
    // A change without a file waits for nobody's upload.
    const takesTurns = limit.holdsFiles && (length === undefined || length > usualLimit.maxBytes)
    if (!takesTurns) return await readCounted(c, limit, next)
    return await queue.run(() => {
      cutSilence(c.env?.incoming)
      return readCounted(c, limit, next)
    })
  })
}

/** A phone that went out of reach says no good-bye; it must not keep its turn from the next. */
function cutSilence(incoming: IncomingMessage | undefined): void {
  incoming?.setTimeout(silenceMs, () => incoming.destroy())
  incoming?.once('end', () => incoming.setTimeout(0))
}

/**
 * Reads on what comes after the limit, and keeps nothing of it: a connection that is closed on somebody who still
 * sends loses them the answer. The listener cuts what goes on for long after it.
 */
function discardRest(incoming: IncomingMessage | undefined): void {
  incoming?.removeAllListeners('data')
  incoming?.resume()
}

/** Undefined when it will only be known at the end. */
function declaredLength(c: Context<AppEnv>): number | undefined {
  const declared = c.req.header('Content-Length')
  return declared === undefined || c.req.header('Transfer-Encoding') !== undefined
    ? undefined
    : Number(declared)
}

function refuse({ sentence, field }: BodyLimit): never {
  if (sentence === undefined) throw new AppError('too_big')
  const errors = field === undefined ? undefined : [{ path: field, message: sentence }]
  throw new AppError('too_big', { detail: sentence, ...(errors ? { errors } : {}) })
}
