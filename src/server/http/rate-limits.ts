import { createMiddleware } from 'hono/factory'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#server/errors.ts'
import type { AppEnv } from './context.ts'

interface RateLimit {
  /** Requests that one address may make in the window. */
  points: number
  /** The window, in seconds. */
  duration: number
}

/**
 * Limits by network address. A whole computer room shares one address, so they stop floods, not people.
 * They live in this process's memory and come before the session and the database: a flood costs no query.
 */
export const rateLimits = {
  everything: { points: 3000, duration: 60 },
  registration: { points: 120, duration: 60 },
  signIn: { points: 60, duration: 60 },
  /** The one-click requests of a large mail provider come from few addresses. */
  optOut: { points: 300, duration: 60 },
} satisfies Record<string, RateLimit>

/** Counts a request against its address and refuses it beyond the limit. */
export function rateLimit({ points, duration }: RateLimit) {
  const limiter = new RateLimiterMemory({ points, duration })
  return createMiddleware<AppEnv>(async (c, next) => {
    try {
      await limiter.consume(c.var.clientAddress)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new AppError('too_many_requests', { retryAfter: Math.ceil(refusal.msBeforeNext / 1000) })
    }
    await next()
  })
}
