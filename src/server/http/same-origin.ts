import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/lib/errors.ts'
import { bearerOf } from './bearer-token.ts'
import type { AppEnv } from './context.ts'

/**
 * Refuses changing requests from another site (cross-site request forgery). Programs send neither header and no
 * cookies, so they pass. So does a request with a token and without a cookie: it has no session to abuse.
 */
export function sameOrigin({
  publicUrl,
  trustProxy,
}: {
  publicUrl: string | undefined
  trustProxy: boolean
}) {
  const publicHost = publicUrl ? new URL(publicUrl).host : undefined
  return createMiddleware<AppEnv>(async (c, next) => {
    const isTokenOnly = bearerOf(c) !== undefined && c.req.header('Cookie') === undefined
    if (!isTokenOnly && !isSameOrigin((name) => c.req.header(name))) {
      throw new AppError('permission_denied')
    }
    await next()
  })

  function isSameOrigin(header: (name: string) => string | undefined): boolean {
    const site = header('Sec-Fetch-Site')
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    const origin = header('Origin')
    if (origin === undefined) return true
    const host = (trustProxy ? header('X-Forwarded-Host') : undefined) ?? header('Host')
    const originHost = URL.canParse(origin) ? new URL(origin).host : undefined
    return originHost !== undefined && (originHost === host || originHost === publicHost)
  }
}
