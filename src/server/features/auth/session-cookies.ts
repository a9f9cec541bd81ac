import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import type { AppEnv } from '#server/http/context.ts'
import type { Caller } from './caller.ts'
import { type CookieKind, cookieFor, isReachedOverHttps, readToken } from './session-cookie.ts'

interface SessionCookiesOptions {
  /** PUBLIC_URL: https there makes the cookies Secure. */
  publicUrl: string | undefined
  /** Whether X-Forwarded-Proto may say https too. */
  trustProxy: boolean
}

export type SessionCookies = ReturnType<typeof createSessionCookies>

/** The cookies of signing in on requests and answers. */
export function createSessionCookies({ publicUrl, trustProxy }: SessionCookiesOptions) {
  const isHttpsOnly = isReachedOverHttps({ publicUrl, trustProxy: false })

  function isHttps(c: Context<AppEnv>): boolean {
    return isReachedOverHttps({ publicUrl, trustProxy, forwardedProto: c.req.header('X-Forwarded-Proto') })
  }

  return {
    callerOf(c: Context<AppEnv>): Caller {
      const cookies = c.req.header('Cookie')
      return {
        clientAddress: c.var.clientAddress,
        userAgent: c.req.header('User-Agent') ?? '',
        requestId: c.var.requestId,
        sessionToken: readToken('session', cookies, isHttpsOnly),
        deviceToken: readToken('device', cookies, isHttpsOnly),
      }
    },

    set(c: Context<AppEnv>, kind: CookieKind, token: string): void {
      const { name, options } = cookieFor(kind, isHttps(c))
      setCookie(c, name, token, options)
    },

    clear(c: Context<AppEnv>, kind: CookieKind): void {
      const { name, options } = cookieFor(kind, isHttps(c))
      setCookie(c, name, '', { ...options, maxAge: 0 })
    },
  }
}
