import { randomBytes } from 'node:crypto'
import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import type { BearerToken, SessionAdmin, SignedInAdmin } from '#server/http/context.ts'
import { type Actor, shortUserAgent } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { createCachedValue } from '#server/lib/cached-value.ts'
import { type ChangeContext, commitChange, mustExist } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { passwordMessages } from '#shared/auth/account.ts'
import { apiTokenLimits, apiTokenSentences, type NewApiToken } from '#shared/auth/api-tokens.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import { type SignIn, signInMessages } from '#shared/auth/session.ts'
import type { Passwords } from './password-service.ts'
import {
  type Account,
  createApiTokensRepository,
  createAuthRepository,
  createSessionReader,
  type EndedSession,
} from './repository.ts'
import type { SecondFactorCheck } from './second-factor-service.ts'
import {
  actorFor,
  before,
  type Caller,
  createToken,
  endOf,
  isWithin,
  knownDeviceLifetime,
  lifetimesAt,
  parseToken,
  sessionLimits,
  type Token,
} from './session-cookies.ts'
import {
  countAttempt,
  createThrottleRepository,
  subjectsOf,
  type ThrottleSubject,
} from './throttle-repository.ts'

interface AuthOptions extends ChangeContext {
  database: ChangeContext['database'] & Pick<AppDatabase, 'queryPrepared'>
  passwords: Passwords
  noteRefusal: NoteRefusal
  secondFactor: SecondFactorCheck
}

export type SignedIn = Awaited<ReturnType<ReturnType<typeof createAuthService>['signIn']>>

export function createAuthService(options: AuthOptions) {
  const { database, passwords, clock, audit, noteRefusal, secondFactor } = options
  const repository = createAuthRepository(database.db)
  const findSession = createSessionReader(database)

  /** Security: wrong address and wrong password give the same text and time. */
  async function signIn(credentials: SignIn, caller: Caller) {
    const email = credentials.email.toLowerCase()
    const device = parseToken(caller.deviceToken)
    // PostgreSQL refuses NUL; no administrator's address has one.
    const account = email.includes('\0')
      ? undefined
      : await repository.findAccount(email, device?.hash ?? null, clock())
    const knownDevice = account?.isKnownDevice ? device : null
    const { code } = credentials
    const holdsRecoveryCode =
      account !== undefined &&
      (await secondFactor.holdsRecoveryCode(database.db, { adminId: account.id, code }))
    const isUrgent = knownDevice !== null || holdsRecoveryCode
    const { clientAddress } = caller
    const subjects = subjectsOf({ email, clientAddress, knownDevice, holdsRecoveryCode })
    try {
      return await enter({ credentials, caller, account, knownDevice, isUrgent, subjects })
    } catch (error) {
      const what = refusalOf(error, credentials)
      // Privacy: an address that is no administrator is not stored.
      const tried = account ? { id: null, email: account.email } : null
      if (what) await noteRefusal({ action: 'sign-in-refused', actor: actorFor(caller, tried), what })
      throw error
    }
  }

  async function enter(attempt: Attempt) {
    const { credentials, caller, account, knownDevice, isUrgent, subjects } = attempt
    const { password, code, keepSignedIn = false } = credentials
    await countAttempt(database, subjects, clock())
    const hash = account?.passwordHash ?? passwords.decoyHash
    const isRight = await passwords.verify(hash, password, { isUrgent })
    if (!account || !isRight) throw new AppError('unauthenticated', signInMessages.wrong)

    const { hasFirstPassword, passwordChangedAt } = account
    if (hasFirstPassword && !isWithin(passwordChangedAt, sessionLimits.firstPassword, clock())) {
      throw new AppError('unauthenticated', passwordMessages.firstEnded)
    }
    const session = createToken()
    const device = knownDevice ?? createToken()
    await database.transact(async (tx) => {
      const now = clock()
      const auth = createAuthRepository(tx)
      const isOpen = await auth.insertSession({
        tokenHash: session.hash,
        deviceHash: device.hash,
        account,
        userAgent: shortUserAgent(caller.userAgent),
        clientAddress: caller.clientAddress,
        isKept: keepSignedIn,
        now,
      })
      // The password was changed while the old one was being verified.
      if (!isOpen) throw new AppError('unauthenticated', signInMessages.wrong)
      const secondProof = await secondFactor.check(tx, { adminId: account.id, code, now })
      const replaced = parseToken(caller.sessionToken)
      if (replaced) await auth.deleteSession(replaced.hash)
      await auth.saveDevice(device.hash, account.id, now)
      await createThrottleRepository(tx).clear(subjects)
      const actor = actorFor(caller, account)
      const detail = { secondProof, ...(!knownDevice && { newDevice: true }) }
      await audit.record(tx, { action: 'signed-in', actor, detail })
      if (secondProof === 'recovery code') await audit.record(tx, { action: 'recovery-code-used', actor })
    })
    if (passwords.isOutdated(hash)) {
      await repository.setPassword(account.id, { from: hash, to: await passwords.hash(password) })
    }
    const { id, email, displayName } = account
    const admin = { id, email, displayName, hasFirstPassword }
    return { admin, sessionToken: session.text, deviceToken: device.text }
  }

  return {
    signIn,

    // Its other tabs are notified at once.
    async signOut(caller: Caller): Promise<void> {
      const session = parseToken(caller.sessionToken)
      if (!session) return
      await commitChange(options, 'session', async (tx, record) => {
        const owner = await createAuthRepository(tx).deleteSession(session.hash)
        if (owner) await record({ action: 'signed-out', actor: actorFor(caller, owner) })
      })
    },

    async readAdmin(sessionToken: string | undefined): Promise<SessionAdmin | null> {
      const session = parseToken(sessionToken)
      if (!session) return null
      const now = clock()
      const found = await findSession(session.hash, lifetimesAt(now))
      if (!found) return null
      const { createdAt, lastUsedAt, provenAt, isKept, ...admin } = found
      const unlessAfter = before(now, sessionLimits.useRecordedEvery)
      if (lastUsedAt <= unlessAfter) await repository.recordUse(session.hash, now, unlessAfter)
      return {
        ...admin,
        endsAt: endOf({ createdAt, isKept }, now),
        isFresh: isWithin(provenAt, sessionLimits.fresh, now),
        takeRecords: (count) => repository.takeRecords(session.hash, count, now),
      }
    },

    /** Security: the address is half of what a guesser needs, so only a known device is told. */
    async knownEmail({ deviceToken }: Caller): Promise<string> {
      const device = parseToken(deviceToken)
      return (device && (await repository.findByDevice(device.hash, clock()))?.email) ?? ''
    },

    /** A link of the command line: the browser that opens it becomes a known device, and the link ends. */
    async useDeviceLink(link: string): Promise<string> {
      const token = parseToken(link)
      const device = createToken()
      await database.transact(async (tx) => {
        const auth = createAuthRepository(tx)
        const now = clock()
        const admin = token ? await auth.findByDevice(token.hash, now) : undefined
        // Race: of two openings one deletes it.
        const isOwn = admin && token && (await auth.deleteDevices([token.hash])) === 1
        if (!isOwn) throw new AppError('not_found', 'This link was already used, or is older than an hour.')
        await auth.saveDevice(device.hash, admin.id, now)
      })
      return device.text
    },

    async deleteExpired(): Promise<void> {
      const now = clock()
      await repository.deleteEnded(lifetimesAt(now), before(now, knownDeviceLifetime))
      await createThrottleRepository(database.db).deleteForgotten(now)
    },
  }
}

interface Attempt {
  credentials: SignIn
  caller: Caller
  account: Account | undefined
  knownDevice: Token | null
  // Not behind a flood of guesses.
  isUrgent: boolean
  subjects: ThrottleSubject[]
}

function refusalOf(error: unknown, { code }: SignIn): string | null {
  if (!(error instanceof AppError)) return null
  if (error.code === 'too_many_requests') return 'too many attempts'
  if (error.code !== 'unauthenticated') return null
  const isAboutCode = error.errors?.some(({ path }) => path === 'code') ?? false
  if (isAboutCode) return code ? 'wrong code' : null
  return 'wrong address or password'
}

const rereadMs = 1_000

/**
 * Devices that signed in here, in memory: limits ask at each request, and a flood of forged cookies costs a query a
 * second. One that was signed out or removed counts no longer, in any process.
 */
export function createKnownDevices(
  context: Pick<AppContext, 'database' | 'notices' | 'clock' | 'log' | 'closing'>,
) {
  const repository = createAuthRepository(context.database.db)
  const cached = createCachedValue({
    ...context,
    topic: 'session',
    read: async () => {
      const devices = await repository.listDevices()
      return new Map(devices.map(({ tokenHash, lastUsedAt }) => [tokenHash.toString('hex'), lastUsedAt]))
    },
  })
  let readAt = 0

  // One that is unknown here may have signed in at another process.
  function readAgain(): void {
    if (Math.abs(Date.now() - readAt) < rereadMs) return
    readAt = Date.now()
    cached.load().catch((error: unknown) => context.log.warn({ err: error }, 'known devices not read'))
  }

  return {
    load: cached.load,

    has(token: string | undefined): boolean {
      const device = parseToken(token)
      const lastUsedAt = device && cached.current().get(device.hash.toString('hex'))
      if (device && !lastUsedAt) readAgain()
      return lastUsedAt ? isWithin(lastUsedAt, knownDeviceLifetime, context.clock()) : false
    },
  }
}

export function createDevicesService(context: ChangeContext) {
  const { database, clock } = context

  return {
    async list(admin: SignedInAdmin, caller: Caller) {
      const current = parseToken(caller.sessionToken)
      const sessions = await createAuthRepository(database.db).listSessions(admin.id, lifetimesAt(clock()))
      const devices = sessions.map(({ tokenHash, userAgent, createdAt, ...session }) => ({
        ...session,
        ...deviceName(userAgent),
        signedInAt: createdAt,
        isCurrent: current !== null && tokenHash.equals(current.hash),
      }))
      return devices.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
    },

    async signOut(id: string, admin: SignedInAdmin, caller: Caller): Promise<void> {
      await commitChange(context, 'session', async (tx, record) => {
        const auth = createAuthRepository(tx)
        const [session] = await auth.deleteSessions(admin.id, { id })
        const ended = mustExist(session, 'This device is no longer signed in.')
        await auth.deleteDevices(devicesOf([ended], caller))
        const detail = deviceName(ended.userAgent)
        await record({ action: 'device-signed-out', actor: actorFor(caller, admin), detail })
      })
    },

    signOutOthers: async (admin: SignedInAdmin, caller: Caller): Promise<number> =>
      commitChange(context, 'session', async (tx, record) => {
        const auth = createAuthRepository(tx)
        const except = parseToken(caller.sessionToken)?.hash
        const ended = await auth.deleteSessions(admin.id, { except })
        if (ended.length === 0) return 0
        await auth.deleteDevices(devicesOf(ended, caller))
        const affected = ended.length
        await record({ action: 'device-signed-out', actor: actorFor(caller, admin), affected })
        return affected
      }),
  }
}

// Security: the caller's own browser stays a known device.
function devicesOf(ended: readonly EndedSession[], caller: Caller): Buffer[] {
  const own = parseToken(caller.deviceToken)
  return ended.flatMap(({ deviceHash }) =>
    deviceHash === null || (own && deviceHash.equals(own.hash)) ? [] : [deviceHash],
  )
}

const dayMs = 24 * 60 * 60 * 1000

export type ApiTokensService = ReturnType<typeof createApiTokensService>

export function createApiTokensService(context: ChangeContext) {
  const { database, clock } = context
  const repository = createApiTokensRepository(database.db)

  return {
    list: repository.list,

    // The token itself is shown only this once.
    async make({ name, days, ...limits }: NewApiToken, actor: Actor) {
      const secret = secretOf(mark + randomBytes(secretBytes).toString('base64url'))
      const now = clock()
      const expiresAt = new Date(now.getTime() + days * dayMs)
      const row = await commitChange(context, 'mail-account', async (tx, record) => {
        const tokens = createApiTokensRepository(tx)
        await tokens.lock()
        const inUse = await tokens.list()
        if (inUse.some((other) => other.name.toLowerCase() === name.toLowerCase())) {
          throw invalid('name', apiTokenSentences.nameTaken)
        }
        if (inUse.length >= apiTokenLimits.tokens) throw new AppError('conflict', apiTokenSentences.tooMany)
        const made = await tokens.insert({
          id: createId(),
          name,
          tokenHash: secret.hash,
          prefix: secret.prefix,
          createdAt: now,
          createdBy: actor.name,
          expiresAt,
          ...limits,
        })
        await record({ action: 'api-token-made', actor, subject: name })
        return made
      })
      return { ...row, token: secret.text }
    },

    async revoke(id: string, actor: Actor): Promise<void> {
      await commitChange(context, 'mail-account', async (tx, record) => {
        const revoked = await createApiTokensRepository(tx).revoke(id, clock())
        const { name } = mustExist(revoked, apiTokenSentences.missing)
        await record({ action: 'api-token-revoked', actor, subject: name })
      })
    },

    async find(text: string): Promise<BearerToken | null> {
      const now = clock()
      const row = pattern.test(text) ? await repository.findByHash(secretOf(text).hash, now) : undefined
      if (!row) return null
      const unlessAfter = before(now, sessionLimits.useRecordedEvery)
      if (row.lastUsedAt === null || row.lastUsedAt <= unlessAfter) {
        await repository.recordUse(row.id, now, unlessAfter)
      }
      return {
        id: row.id,
        name: row.name,
        domain: row.domain,
        take: (count) => repository.takeMails(row.id, count, now.toISOString().slice(0, 10)),
      }
    },
  }
}

const mark = 'nstp_'
const secretBytes = 32
// 32 bytes in base64url. The prefix lets secret scanners recognise it.
const pattern = /^nstp_[\w-]{43}$/
// Enough to distinguish tokens; 220 bits stay secret.
const prefixLength = mark.length + 6

// SHA-256: 256 random bits need no slow hash.
function secretOf(text: string) {
  return { text, prefix: text.slice(0, prefixLength), hash: sha256(text) }
}
