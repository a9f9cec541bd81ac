import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { routePath } from 'hono/route'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Access, accessOf, accessOfToken } from '#server/lib/access.ts'
import { type Actor, shortUserAgent, tokenMark } from '#server/lib/actor.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { AppError } from '#server/lib/errors.ts'
import { networkOf } from '#server/lib/network.ts'
import { studentActor } from '#shared/audit/audit.ts'
import { codeMessages, passwordMessages } from '#shared/auth/account.ts'
import { apiTokenSentences } from '#shared/auth/api-tokens.ts'
import { mySentences } from '#shared/my/my.ts'
import type { Permission } from '#shared/people/permissions.ts'
import type { ProblemCode } from '#shared/problem.ts'
import type { AppEnv, BearerToken, SessionAdmin, StudentSession } from './context.ts'

// `duration` in seconds. Tokens can't be guessed, so this only protects the database from load.
const badTokens = { points: 60, duration: 60 }

interface IdentifyOptions {
  readToken: (cookieHeader: string | undefined) => string | undefined
  readAdmin: (token: string | undefined) => Promise<SessionAdmin | null>
  findToken: (text: string) => Promise<BearerToken | null>
  readStudent: (cookieHeader: string | undefined) => Promise<StudentSession | null>
  noteRefusal: NoteRefusal
}

/** Gives each request its session and its API token, which are looked up at first use. */
export function identify({ readToken, readAdmin, findToken, readStudent, noteRefusal }: IdentifyOptions) {
  const limiter = new RateLimiterMemory(badTokens)

  async function readBearer(text: string, network: string): Promise<BearerToken | null> {
    const bad = await limiter.get(network)
    if (bad && bad.remainingPoints <= 0) {
      const retryAfter = Math.ceil(bad.msBeforeNext / 1000)
      throw new AppError('too_many_requests', { detail: apiTokenSentences.tooManyRefused, retryAfter })
    }
    const token = await findToken(text)
    if (!token) await limiter.penalty(network)
    return token
  }

  return createMiddleware<AppEnv>((c, next) => {
    let admin: Promise<SessionAdmin | null> | undefined
    let token: Promise<BearerToken | null> | undefined
    let student: Promise<StudentSession | null> | undefined
    c.set('readAdmin', () => {
      admin ??= readAdmin(readToken(c.req.header('Cookie')))
      return admin
    })
    c.set('readBearerToken', () => {
      const text = bearerOf(c)
      token ??=
        text === undefined ? Promise.resolve(null) : readBearer(text, networkOf(c.get('clientAddress')))
      return token
    })
    c.set('readStudent', () => {
      student ??= readStudent(c.req.header('Cookie'))
      return student
    })
    c.set('noteRefusal', noteRefusal)
    return next()
  })
}

/** The text of `Authorization: Bearer …`; undefined without the header, '' when it is empty. */
export function bearerOf(c: Context<AppEnv>): string | undefined {
  return /^Bearer(?: .*)?$/i
    .exec(c.req.header('Authorization') ?? '')?.[0]
    .slice(7)
    .trimStart()
}

function actorOf(c: Context<AppEnv>, adminId: string | null, name: string): Actor {
  return {
    adminId,
    name,
    clientAddress: c.get('clientAddress'),
    userAgent: shortUserAgent(c.req.header('User-Agent')),
    requestId: c.get('requestId'),
  }
}

/** A student of /my in the audit trail, whose entry names the record. */
export function studentActorOf(c: Context<AppEnv>): Actor {
  return actorOf(c, null, studentActor)
}

function setStaff(c: Context<AppEnv>, actor: Actor, access: Access): void {
  c.set('actor', { ...actor, access })
  c.set('access', access)
}

/**
 * What a route needs beside its permission: a password given in the last minutes; or less than all that its caller must
 * set up: one's own password alone, or not even that.
 */
export type RouteNeeds = 'fresh sign-in' | 'own password' | 'any sign-in'

/**
 * Accepts only who is signed in and has the permission; sets who acts and what they may see.
 * @param sentence the text for visitors (product 32.4 words it by action)
 */
export function requireStaff(permission: Permission, sentence?: string, needs?: RouteNeeds) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const admin = await mustBe(c, permission, sentence, needs)
    if (needs === 'fresh sign-in') mustBeFresh(admin)
    c.set('admin', admin)
    setStaff(c, actorOf(c, admin.id, admin.email), accessOf(admin))
    await next()
  })
}

/**
 * Checks a permission in routes where only a part needs one, or a part needs another one.
 * @throws AppError `unauthenticated`, `permission_denied`
 */
export async function mustBe(
  c: Context<AppEnv>,
  permission: Permission,
  sentence?: string,
  needs?: RouteNeeds,
): Promise<SessionAdmin> {
  const admin = await c.get('readAdmin')()
  if (!admin) return await refuse(c, 'unauthenticated', sentence)
  mustBeSetUp(admin, needs)
  return accessOf(admin).can(permission) ? admin : await refuse(c, 'permission_denied')
}

/** Whether the caller has a permission, in routes where others get less. */
export async function isAllowed(c: Context<AppEnv>, permission: Permission): Promise<boolean> {
  const admin = await c.var.readAdmin()
  return admin?.mustSetUp === null && accessOf(admin).can(permission)
}

function mustBeSetUp({ mustSetUp }: SessionAdmin, needs?: RouteNeeds): void {
  if (mustSetUp === 'password' && needs !== 'any sign-in') {
    throw new AppError('permission_denied', passwordMessages.first)
  }
  if (mustSetUp === 'second factor' && needs !== 'any sign-in' && needs !== 'own password') {
    throw new AppError('permission_denied', codeMessages.due)
  }
}

/** @throws AppError `proof_needed`: the browser asks for the password and repeats the request */
export function mustBeFresh({ isFresh }: SessionAdmin): void {
  if (!isFresh) throw new AppError('proof_needed')
}

/**
 * Call it before whole records are read, so that a stolen cookie doesn't reach all.
 * @param records their ids, of which each counts once an hour; or their number
 * @throws AppError `proof_needed` beyond what a session reads in an hour
 */
export async function takeRecords(records: number | readonly string[], admin: SessionAdmin): Promise<void> {
  if (!admin.isFresh && !(await admin.takeRecords(records))) throw new AppError('proof_needed')
}

/** Call it before records are removed: they are in the same count. */
export async function takeRemovals(count: number, admin: SessionAdmin): Promise<void> {
  if (!admin.isFresh && !(await admin.takeRemovals(count))) throw new AppError('proof_needed')
}

/** The first step of /my shows words alone; the second shows the record. */
export type StudentStep = 'first step' | 'second step'

/**
 * Accepts a student's session of /my and nobody of the office. Sets `c.var.student`: a route takes no student's id from
 * outside.
 */
export function requireStudent(step: StudentStep) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const student = await c.var.readStudent()
    if (!student) throw new AppError('unauthenticated', mySentences.ended)
    if (step === 'second step' && !student.isOpened)
      throw new AppError('permission_denied', mySentences.secondStep)
    c.set('student', student)
    c.header('Cache-Control', 'no-store')
    await next()
  })
}

/**
 * Accepts a signed-in person or an API token. Only the e-mail calls use it, so a token has no other access.
 * Where both come, the token decides: it was sent on purpose, a cookie is automatic.
 */
export function requireMailer(permission: Permission) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (bearerOf(c) === undefined) {
      if (!(await c.var.readAdmin())) return await challenge(c)
      const admin = await mustBe(c, permission)
      setStaff(c, actorOf(c, admin.id, admin.email), accessOf(admin))
    } else {
      const token = await c.var.readBearerToken()
      if (!token) return await challenge(c, ', error="invalid_token"', apiTokenSentences.refused)
      if (token.isHeld) throw new AppError('permission_denied', apiTokenSentences.held)
      const { id: tokenId, ownerId, name } = token
      setStaff(c, { ...actorOf(c, null, tokenMark + name), tokenId, ownerId }, accessOfToken)
    }
    c.header('Cache-Control', 'no-store')
    await next()
  })
}

/** Applies the limits of the API token of an e-mail call, if one was sent. */
export async function limitToken(c: Context<AppEnv>, addresses: readonly string[]): Promise<void> {
  const token = await c.var.readBearerToken()
  if (!token) return
  const isOutside = (address: string) => !address.trim().toLowerCase().endsWith(`@${token.domain}`)
  if (token.domain !== '' && addresses.some(isOutside)) {
    throw new AppError('permission_denied', apiTokenSentences.otherDomain(token.domain))
  }
  if (await token.take(addresses.length)) return
  throw new AppError('too_many_requests', { detail: apiTokenSentences.usedUp, retryAfter: 3_600 })
}

// RFC 6750: the challenge names the scheme.
function challenge(c: Context<AppEnv>, fault = '', detail?: string): Promise<never> {
  c.header('WWW-Authenticate', `Bearer realm="NSTP Portal e-mail"${fault}`)
  return refuse(c, 'unauthenticated', detail)
}

async function refuse(c: Context<AppEnv>, code: ProblemCode, detail?: string): Promise<never> {
  const admin = await c.var.readAdmin()
  const actor = actorOf(c, admin?.id ?? null, admin?.email ?? '')
  // The pattern and not the address, which may contain a searched name.
  await c.var.noteRefusal({ action: 'access-refused', actor, what: routePath(c) })
  throw new AppError(code, detail)
}
