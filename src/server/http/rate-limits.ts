import { createMiddleware } from 'hono/factory'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import type { AppEnv, RouteLimit } from './context.ts'

interface RateLimit {
  points: number
  // In seconds.
  duration: number
}

type LimitName = RouteLimit | 'network' | 'browser'

/**
 * Limits by network, or by the cookie of a browser that signed in here: other senders' requests never count against that browser.
 * A whole campus shares one address, so they stop floods, not people. They live in this process's memory and ask no
 * database. docs/operations.md lists them.
 */
export const rateLimits = {
  // An enlistment takes some ten requests: 500 students a minute, and as many readers.
  network: { points: 12_000, duration: 60 },
  browser: { points: 3000, duration: 60 },
  // The first day of enlistment: 5,000 in ten minutes.
  registration: { points: 6000, duration: 600 },
  /** Forms with mistakes: counted apart, because valid ones can't be attributed to a sender. */
  refusedRegistration: { points: 600, duration: 60 },
  signIn: { points: 60, duration: 60 },
  // A large mail provider sends its one-click requests from few addresses.
  optOut: { points: 300, duration: 60 },
} satisfies Record<LimitName, RateLimit>

interface LimitOptions {
  signedInTokenOf: (cookieHeader: string | undefined) => string | undefined
  limits?: Record<LimitName, RateLimit>
}

/** Limits requests by network or browser. Routes count further by `c.var.takePoint()`, once the input is valid. */
export function limitRequests({ signedInTokenOf, limits = rateLimits }: LimitOptions) {
  const limiters = new Map(
    Object.entries(limits).map(([name, limit]) => [name, new RateLimiterMemory(limit)]),
  )

  async function take(name: LimitName, key: string): Promise<void> {
    try {
      await limiters.get(name)?.consume(key)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      // A clock that was set back meanwhile would make it longer than the window.
      const retryAfter = Math.min(limits[name].duration, Math.ceil(refusal.msBeforeNext / 1000))
      throw new AppError('too_many_requests', { retryAfter })
    }
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    const token = signedInTokenOf(c.req.header('Cookie'))
    const key = token ?? networkOf(c.var.clientAddress)
    c.set('takePoint', (name) => take(name, key))
    c.set('givePointBack', async (name) => {
      await limiters.get(name)?.reward(key)
    })
    // A page's own calls of the API were counted with the page.
    if (!c.env?.isInProcess) await take(token ? 'browser' : 'network', key)
    await next()
  })
}

export const unlimited = createMiddleware<AppEnv>(async (c, next) => {
  c.set('takePoint', () => Promise.resolve())
  c.set('givePointBack', () => Promise.resolve())
  await next()
})
