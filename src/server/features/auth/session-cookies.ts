import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import type { AppEnv } from '#server/http/context.ts'
import { type Actor, shortUserAgent } from '#server/lib/actor.ts'

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

/** The two cookies of signing in: the session, and the mark of a browser that signed in before. */
const names = { session: 'nstp-session', device: 'nstp-device' } as const
/** Browsers take a cookie of this prefix only over https, from this very host and for all of it. */
const hostPrefix = '__Host-'

type CookieKind = keyof typeof names

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

/** The browser or program that asks, with what its cookies hold. */
export interface Caller {
  clientAddress: string
  userAgent: string
  requestId: string
  sessionToken: string | undefined
  deviceToken: string | undefined
}

/** The caller in the audit trail. @param admin null while nobody has proved who they are */
export function actorFor(caller: Caller, admin: { id: string | null; email: string } | null): Actor {
  const { clientAddress, requestId } = caller
  return {
    adminId: admin?.id ?? null,
    name: admin?.email ?? '',
    clientAddress,
    userAgent: shortUserAgent(caller.userAgent),
    requestId,
  }
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long signing in lasts, in milliseconds. */
export const sessionLimits = {
  /** A working day: a computer left alone over night is signed out. */
  idle: 8 * hour,
  /** Whatever the use, once a week the password is asked for. */
  absolute: 7 * day,
  /** Use is noted at most this often, so that reading pages doesn't write. */
  noteUseEvery: minute,
} as const

/** How long a browser stays known after its last sign-in, in milliseconds. */
export const knownDeviceLifetime = 180 * day

/**
 * How far apart the clocks of processes may be, in milliseconds. What is dated later than that was written while
 * a clock ran ahead, and counts as over: otherwise it would last until the calendar comes to it.
 */
const clockTolerance = 5 * minute

/** The latest moment that another process may take for now. */
export function latestNow(now: Date): Date {
  return new Date(now.getTime() + clockTolerance)
}

/** The moment that lies `milliseconds` before `now`. */
export function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds)
}

/** Which sessions are over at a moment: they lasted too long, were left alone too long, or are dated in the future. */
export interface Lifetimes {
  /** Sessions that began before this moment are over. */
  startedAfter: Date
  /** Sessions not used since this moment are over. */
  usedAfter: Date
  /** So are sessions used after this moment. None is used before it began. */
  usedUntil: Date
}

export function lifetimesAt(now: Date): Lifetimes {
  return {
    startedAfter: before(now, sessionLimits.absolute),
    usedAfter: before(now, sessionLimits.idle),
    usedUntil: latestNow(now),
  }
}

/** A token's random half; the other half is its signature. */
const randomLength = 16
/** 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/

/** A secret in a browser's cookie, and what the database keeps of it. */
export interface Token {
  text: string
  /** SHA-256. No slow hash is needed: 128 random bits can't be found by trying. */
  hash: Buffer
}

export type Tokens = ReturnType<typeof createTokens>

/**
 * Tokens that are signed, so that limits can tell without a query which were given out by this product. That opens
 * nothing: what a token is worth, the database says.
 */
export function createTokens(secretKey: Buffer) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'session and device tokens', 32))

  function signatureOf(random: Buffer): Buffer {
    return createHmac('sha256', key).update(random).digest().subarray(0, randomLength)
  }

  return {
    /** A new token: 128 random bits and their signature. */
    create(): Token {
      const random = randomBytes(randomLength)
      return tokenOf(Buffer.concat([random, signatureOf(random)]).toString('base64url'))
    },

    /** Whether it was made with this SECRET_KEY. Tokens of versions before are of random bits alone. */
    isOwn(text: string): boolean {
      if (!tokenPattern.test(text)) return false
      const bytes = Buffer.from(text, 'base64url')
      // The last character has two bits to spare, and every spelling would have limits of its own.
      if (bytes.toString('base64url') !== text) return false
      return timingSafeEqual(bytes.subarray(randomLength), signatureOf(bytes.subarray(0, randomLength)))
    },
  }
}

/** A cookie's text as a token; null for what can't be one, so that it costs no query. */
export function parseToken(text: string | undefined): Token | null {
  return text !== undefined && tokenPattern.test(text) ? tokenOf(text) : null
}

function tokenOf(text: string): Token {
  return { text, hash: createHash('sha256').update(text).digest() }
}
