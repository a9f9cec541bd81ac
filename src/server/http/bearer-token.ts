import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import { apiTokenSentences } from '#shared/auth/api-tokens.ts'
import type { AppEnv, BearerToken } from './context.ts'

// `duration` in seconds. Tokens can't be guessed, so this only protects the database from load.
const badTokens = { points: 60, duration: 60 }

interface BearerTokenOptions {
  findToken: (text: string) => Promise<BearerToken | null>
}

/** The text of `Authorization: Bearer …`; undefined without the header, '' when it is empty. */
export function bearerOf(c: Context<AppEnv>): string | undefined {
  const match = /^Bearer(?: +(.*))?$/i.exec(c.req.header('Authorization') ?? '')
  return match ? (match[1] ?? '') : undefined
}

export function bearerToken({ findToken }: BearerTokenOptions) {
  const limiter = new RateLimiterMemory(badTokens)

  async function read(text: string, network: string): Promise<BearerToken | null> {
    const bad = await limiter.get(network)
    if (bad && bad.remainingPoints <= 0) {
      const retryAfter = Math.ceil(bad.msBeforeNext / 1000)
      throw new AppError('too_many_requests', { detail: apiTokenSentences.tooManyRefused, retryAfter })
    }
    const token = await findToken(text)
    if (!token) await limiter.penalty(network)
    return token
  }

  return createMiddleware<AppEnv>(async (c, next) => {
    let token: Promise<BearerToken | null> | undefined
    c.set('readBearerToken', () => {
      const text = bearerOf(c)
      token ??= text === undefined ? Promise.resolve(null) : read(text, networkOf(c.var.clientAddress))
      return token
    })
    await next()
  })
}
