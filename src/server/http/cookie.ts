import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { AppContext } from '#server/lib/app-context.ts'
import type { AppEnv } from './context.ts'

// Browsers accept this prefix only over https, from this host and for path /.
const hostPrefix = '__Host-'

interface Reach {
  publicUrl: string | undefined
  trustProxy: boolean
  forwardedProto?: string | undefined
}

/** The address is HTTPS by configuration, or by the header of a trusted proxy. */
export function isReachedOverHttps({ publicUrl, trustProxy, forwardedProto }: Reach): boolean {
  if (publicUrl?.startsWith('https://')) return true
  // Each proxy adds its own; the first is what the browser used.
  return trustProxy && forwardedProto?.split(',')[0]?.trim().toLowerCase() === 'https'
}

/** A cookie that only the server reads, of a session or of a browser. */
export function createCookie({ env, isHttps }: Pick<AppContext, 'env' | 'isHttps'>, name: string) {
  const reach = { publicUrl: env.PUBLIC_URL, trustProxy: env.TRUST_PROXY === 'on' }
  return {
    /** @param lifetime ms; without it the cookie ends with the browser */
    write(c: Context<AppEnv>, value: string, lifetime?: number): void {
      const secure = isReachedOverHttps({ ...reach, forwardedProto: c.req.header('X-Forwarded-Proto') })
      setCookie(c, secure ? hostPrefix + name : name, value, {
        ...{ path: '/', httpOnly: true, secure, sameSite: 'Lax' },
        ...(lifetime === undefined ? {} : { maxAge: lifetime / 1000 }),
      })
    },

    /**
     * Security: over https a cookie without the prefix is ignored, because a neighbouring host could set it. Where PUBLIC_URL
     * doesn't say https both names count, because internal calls lack the proxy's headers.
     */
    read(cookieHeader: string | undefined): string | undefined {
      // It runs at each request.
      if (!cookieHeader?.includes(name)) return undefined
      const cookies = parse(cookieHeader)
      const prefixed = cookies[hostPrefix + name]
      return isHttps ? prefixed : (prefixed ?? cookies[name])
    },
  }
}
