import { createMiddleware } from 'hono/factory'
import type { AppEnv, SignedInAdmin } from './context.ts'

interface SessionOptions {
  readToken: (cookieHeader: string | undefined) => string | undefined
  readAdmin: (token: string | undefined) => Promise<SignedInAdmin | null>
}

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
