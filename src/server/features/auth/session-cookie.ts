import { parse } from 'hono/utils/cookie'
import { knownDeviceLifetime } from './session-limits.ts'

/** The two cookies of signing in: the session, and the mark of a browser that signed in before. */
const names = { session: 'nstp-session', device: 'nstp-device' } as const
/** Browsers take a cookie of this prefix only over https, from this very host and for all of it. */
const hostPrefix = '__Host-'

export type CookieKind = keyof typeof names

interface Reach {
  /** PUBLIC_URL, where the operator gave one. */
  publicUrl: string | undefined
  /** Whether the proxy's headers count. */
  trustProxy: boolean
  /** X-Forwarded-Proto as it came. */
  forwardedProto?: string | undefined
}

/** Whether a Cookie header may belong to somebody who is signed in. Asked at each request, so it only looks for the name. */
export function mayNameSession(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(names.session) ?? false
}

/** Whether the browser reaches the product over https: by configuration, or by what a trusted proxy says. */
export function isReachedOverHttps({ publicUrl, trustProxy, forwardedProto }: Reach): boolean {
  if (publicUrl?.startsWith('https://')) return true
  // Each proxy adds its own; the first is what the browser used.
  return trustProxy && forwardedProto?.split(',')[0]?.trim().toLowerCase() === 'https'
}

/** A cookie's name and attributes, in the words of `hono/cookie`. */
export function cookieFor(kind: CookieKind, isHttps: boolean) {
  return {
    name: isHttps ? `${hostPrefix}${names[kind]}` : names[kind],
    options: {
      path: '/',
      httpOnly: true,
      secure: isHttps,
      sameSite: 'Lax' as const,
      // The session's cookie ends with the browser; the database ends the session itself.
      ...(kind === 'device' ? { maxAge: knownDeviceLifetime / 1000 } : {}),
    },
  }
}

/**
 * Takes a token from a request's Cookie header. Where the product is only reached over https, a cookie
 * without the prefix isn't believed: a neighbouring host could have set it.
 *
 * @param isHttps what the configuration says (PUBLIC_URL). Otherwise both names count, the safer one first,
 *   because a call within the process doesn't carry the proxy's headers
 */
export function readToken(
  kind: CookieKind,
  cookieHeader: string | undefined,
  isHttps: boolean,
): string | undefined {
  if (cookieHeader === undefined) return undefined
  const cookies = parse(cookieHeader)
  const prefixed = cookies[`${hostPrefix}${names[kind]}`]
  return isHttps ? prefixed : (prefixed ?? cookies[names[kind]])
}
