import { createMiddleware } from 'hono/factory'
import { AppError } from '#server/errors.ts'
import type { AppEnv } from './context.ts'

/**
 * For changing requests: refuses one that a browser sends from another site (cross-site request forgery). Programs
 * send neither header and carry no cookies of a person, so they pass.
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
    if (!isSameOrigin(c.req.header())) {
      throw new AppError('permission_denied')
    }
    await next()
  })

  function isSameOrigin(headers: Record<string, string>): boolean {
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    const { origin } = headers
    if (origin === undefined) return true
    const host = (trustProxy ? headers['x-forwarded-host'] : undefined) ?? headers.host
    const originHost = URL.canParse(origin) ? new URL(origin).host : undefined
    return originHost !== undefined && (originHost === host || originHost === publicHost)
  }
}
