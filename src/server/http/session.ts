import { createMiddleware } from 'hono/factory'
import type { AppEnv, SignedInAdmin } from './context.ts'

interface SessionOptions {
  /** Takes the session's token from the request's `Cookie` header. */
  readToken: (cookieHeader: string | undefined) => string | undefined
  /** Finds the token's administrator; without a token it asks nobody. */
  readAdmin: (token: string | undefined) => Promise<SignedInAdmin | null>
}

/** Makes the signed-in administrator available as `c.var.readAdmin()`, looked up at most once a request. */
export function session({ readToken, readAdmin }: SessionOptions) {
  return createMiddleware<AppEnv>(async (c, next) => {
    let admin: Promise<SignedInAdmin | null> | undefined
    c.set('readAdmin', () => {
      admin ??= readAdmin(readToken(c.req.header('Cookie')))
      return admin
    })
    await next()
  })
}
