import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import type { AppEnv } from '#server/http/context.ts'
import { createCookie } from '#server/http/cookie.ts'
import { type Actor, shortUserAgent } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import { sha256 } from '#server/lib/digest.ts'
import type { SetUp } from '#shared/auth/session.ts'
import { deskRoles, type Role } from '#shared/people/permissions.ts'
import type { CalendarDate } from '#shared/program-calendar.ts'

const sessionCookie = 'nstp-session'
const deviceCookie = 'nstp-device'

/** Runs at each request, so it only searches for the name. */
export function mayNameSession(cookieHeader: string | undefined): boolean {
  return cookieHeader?.includes(sessionCookie) ?? false
}

export function createSessionCookies(context: Pick<AppContext, 'env' | 'isHttps'>) {
  const session = createCookie(context, sessionCookie)
  const device = createCookie(context, deviceCookie)
  return {
    readSession: session.read,
    readDevice: device.read,

    callerOf(c: Context<AppEnv>): Caller {
      const cookies = c.req.header('Cookie')
      return {
        clientAddress: c.var.clientAddress,
        userAgent: c.req.header('User-Agent') ?? '',
        requestId: c.var.requestId,
        sessionToken: session.read(cookies),
        deviceToken: device.read(cookies),
      }
    },

    /** @param isKept the cookie outlives the browser. The database ends the session. */
    setSession: (c: Context<AppEnv>, token: string, isKept: boolean): void =>
      session.write(c, token, isKept ? sessionLimits.kept.absolute : undefined),

    setDevice: (c: Context<AppEnv>, token: string): void => device.write(c, token, knownDeviceLifetime),

    clearSession: (c: Context<AppEnv>): void => session.write(c, '', 0),
  }
}

export interface Caller {
  clientAddress: string
  userAgent: string
  requestId: string
  sessionToken: string | undefined
  deviceToken: string | undefined
}

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

// ms
export const sessionLimits = {
  idle: 8 * hour,
  absolute: 7 * day,
  desk: { idle: hour, absolute: 7 * day },
  // "Keep me signed in".
  kept: { idle: 7 * day, absolute: 30 * day },
  // After it, the most powerful actions ask for the password again.
  fresh: 10 * minute,
  firstPassword: 7 * day,
  // An account has so long until a second factor that is required must be on.
  secondFactor: 7 * day,
  // Limits what is possible without a fresh sign-in: so many whole records are read, or a third as many removed, or a
  // part of each. Daily work needs no more. Administrators are notified of so many removals, with or without a fresh sign-in.
  records: {
    cost: { read: 1, remove: 3 },
    most: { desk: 99, others: 300 },
    removalsNoticed: 10,
    within: hour,
  },
  // Limits writes while pages are read.
  useRecordedEvery: minute,
} as const

// ms
export const knownDeviceLifetime = 180 * day

// ms of clock skew between processes. Later dates count as over; otherwise they would last until that date.
const clockTolerance = 5 * minute

export function latestNow(now: Date): Date {
  return new Date(now.getTime() + clockTolerance)
}

/** An earlier instant, and not too long ago. Later dates come from a clock that ran ahead. */
export function isWithin(date: Date, milliseconds: number, now: Date): boolean {
  return date > before(now, milliseconds) && date <= latestNow(now)
}

/** Returns the set-up that the account must do before anything else is open; null for none. */
export function setUpOf(
  { hasFirstPassword, secondFactorDue }: { hasFirstPassword: boolean; secondFactorDue: Date | null },
  now: Date,
): SetUp | null {
  if (hasFirstPassword) return 'password'
  if (secondFactorDue === null) return null
  const grace = sessionLimits.secondFactor
  return isWithin(before(secondFactorDue, grace), grace, now) ? null : 'second factor'
}

export interface AccountEnd {
  // The last day; null for none.
  expiresOn: CalendarDate | null
  disabledAt: Date | null
}

export function hasEnded({ expiresOn, disabledAt }: AccountEnd, today: CalendarDate): boolean {
  return disabledAt !== null || (expiresOn !== null && expiresOn < today)
}

export function secondFactorDueFrom(now: Date): Date {
  return new Date(now.getTime() + sessionLimits.secondFactor)
}

/** @param milliseconds ms */
export function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds)
}

interface StartedSession {
  createdAt: Date
  isKept: boolean
  role: Role
}

export type Lifetimes = ReturnType<typeof lifetimesAt>

/** When a session is over that is used now for the last time. */
export function endOf({ createdAt, isKept, role }: StartedSession, now: Date): Date {
  const { idle, absolute } = isKept
    ? sessionLimits.kept
    : deskRoles.includes(role)
      ? sessionLimits.desk
      : sessionLimits
  return new Date(Math.min(createdAt.getTime() + absolute, now.getTime() + idle))
}

/**
 * The limits of sessions at a moment. A session is over if it lasted too long, was left alone too long, or is dated in the future.
 */
export function lifetimesAt(now: Date) {
  return {
    startedAfter: before(now, sessionLimits.absolute),
    usedAfter: before(now, sessionLimits.idle),
    deskUsedAfter: before(now, sessionLimits.desk.idle),
    keptStartedAfter: before(now, sessionLimits.kept.absolute),
    keptUsedAfter: before(now, sessionLimits.kept.idle),
    usedUntil: latestNow(now),
  }
}

// 256 random bits in base64url.
const tokenBytes = 32
const tokenPattern = /^[\w-]{43}$/

export interface Token {
  text: string
  // SHA-256: 256 random bits need no slow hash.
  hash: Buffer
}

export function createToken(): Token {
  return tokenOf(randomBytes(tokenBytes).toString('base64url'))
}

export function parseToken(text: string | undefined): Token | null {
  return text !== undefined && tokenPattern.test(text) ? tokenOf(text) : null
}

function tokenOf(text: string): Token {
  return { text, hash: sha256(text) }
}
