import type { AppDatabase } from '#server/database/pool.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import { shortUserAgent } from '#server/lib/actor.ts'
import type { Audit, NoteRefusal } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Device } from '#shared/auth/account.ts'
import { deviceName } from '#shared/auth/device-name.ts'
import { type SignIn, signInMessages } from '#shared/auth/session.ts'
import type { Topic } from '#shared/topics.ts'
import type { Passwords } from './password-service.ts'
import { type Account, createAuthRepository, type EndedSession } from './repository.ts'
import type { SecondFactorCheck } from './second-factor-check.ts'
import {
  actorFor,
  before,
  type Caller,
  knownDeviceLifetime,
  lifetimesAt,
  parseToken,
  sessionLimits,
  type Token,
  type Tokens,
} from './session-cookies.ts'
import { countAttempt, subjectsOf } from './sign-in-throttle.ts'
import { createThrottleRepository, type ThrottleSubject } from './throttle-repository.ts'

interface AuthOptions {
  database: AppDatabase
  passwords: Passwords
  clock: Clock
  publish: (topic: Topic) => void
  defaultEmail: string
  audit: Audit
  noteRefusal: NoteRefusal
  secondFactor: SecondFactorCheck
  tokens: Tokens
}

export interface SignedIn {
  admin: SignedInAdmin
  sessionToken: string
  deviceToken: string
}

export type AuthService = ReturnType<typeof createAuthService>

export function createAuthService(options: AuthOptions) {
  const { database, passwords, clock, publish, defaultEmail, audit, noteRefusal, secondFactor, tokens } =
    options
  const repository = createAuthRepository(database.db)

  /**
   * Security: wrong address and wrong password give the same text and time.
   * @throws AppError `unauthenticated`, at `code` once the password was correct; `too_many_requests` after too many failures
   */
  async function signIn(credentials: SignIn, caller: Caller): Promise<SignedIn> {
    const email = credentials.email.toLowerCase()
    const device = parseToken(caller.deviceToken)
    const account = await findAccount(email, device, clock())
    const knownDevice = account?.isKnownDevice ? device : null
    const subjects = subjectsOf({ email, clientAddress: caller.clientAddress, knownDevice })
    try {
      return await enter({ credentials, caller, account, knownDevice, subjects })
    } catch (error) {
      const what = refusalOf(error, credentials)
      // Privacy: an address that is no administrator is not stored.
      const tried = account ? { id: null, email: account.email } : null
      if (what) await noteRefusal({ action: 'sign-in-refused', actor: actorFor(caller, tried), what })
      throw error
    }
  }

  async function enter({ credentials, caller, account, knownDevice, subjects }: Attempt): Promise<SignedIn> {
    const { password, code } = credentials
    await countAttempt(database, subjects, clock())
    const hash = account?.passwordHash ?? passwords.decoyHash
    const isRight = await passwords.verify(hash, password, { isUrgent: knownDevice !== null })
    if (!account || !isRight) throw new AppError('unauthenticated', { detail: signInMessages.wrong })

    const session = tokens.create()
    const newDevice = knownDevice && tokens.isOwn(knownDevice.text) ? knownDevice : tokens.create()
    await openSession({ account, session, device: newDevice, caller, subjects, code })
    if (passwords.isOutdated(hash)) {
      await repository.renewHash(account.id, { from: hash, to: await passwords.hash(password) })
    }
    const { id, email, displayName } = account
    return {
      admin: { id, email, displayName },
      sessionToken: session.text,
      deviceToken: newDevice.text,
    }
  }

  async function findAccount(email: string, device: Token | null, now: Date): Promise<Account | undefined> {
    // PostgreSQL refuses NUL; no administrator's address has one.
    if (email.includes('\0')) return undefined
    return repository.findAccount(email, device?.hash ?? null, before(now, knownDeviceLifetime))
  }

  async function openSession({ account, session, device, caller, subjects, code }: Opening): Promise<void> {
    const now = clock()
    await database.transact(async (tx) => {
      const auth = createAuthRepository(tx)
      const isOpen = await auth.insertSession({
        tokenHash: session.hash,
        deviceHash: device.hash,
        account,
        userAgent: shortUserAgent(caller.userAgent),
        clientAddress: caller.clientAddress,
        now,
      })
      // The password was changed while the old one was being verified.
      if (!isOpen) throw new AppError('unauthenticated', { detail: signInMessages.wrong })
      const secondProof = await secondFactor.check(tx, { adminId: account.id, code, now })
      const replaced = parseToken(caller.sessionToken)
      if (replaced) await auth.deleteSession(replaced.hash)
      await auth.saveDevice(device.hash, account.id, now)
      await createThrottleRepository(tx).clear(subjects)
      const actor = actorFor(caller, account)
      await audit.record(tx, { action: 'signed-in', actor, detail: { secondProof } })
      if (secondProof === 'recovery code') await audit.record(tx, { action: 'recovery-code-used', actor })
    })
  }

  return {
    signIn,

    async signOut(caller: Caller): Promise<void> {
      const session = parseToken(caller.sessionToken)
      if (!session) return
      const admin = await database.transact(async (tx) => {
        const owner = await createAuthRepository(tx).deleteSession(session.hash)
        if (owner) await audit.record(tx, { action: 'signed-out', actor: actorFor(caller, owner) })
        return owner
      })
      // Its other tabs are notified at once.
      if (admin) publish('session')
    },

    async readAdmin(sessionToken: string | undefined): Promise<SignedInAdmin | null> {
      const session = parseToken(sessionToken)
      if (!session) return null
      const now = clock()
      const found = await repository.findSession(session.hash, lifetimesAt(now))
      if (!found) return null
      const { lastUsedAt, ...admin } = found
      const unlessAfter = before(now, sessionLimits.useRecordedEvery)
      if (lastUsedAt <= unlessAfter) await repository.recordUse(session.hash, now, unlessAfter)
      return admin
    },

    async defaultAdminEmail(): Promise<string> {
      const admin = await repository.findFirstAdmin()
      return admin?.email ?? defaultEmail
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
  subjects: ThrottleSubject[]
}

interface Opening {
  account: Account
  session: Token
  device: Token
  caller: Caller
  subjects: ThrottleSubject[]
  code: string | undefined
}

function refusalOf(error: unknown, { code }: SignIn): string | null {
  if (!(error instanceof AppError)) return null
  if (error.code === 'too_many_requests') return 'too many attempts'
  if (error.code !== 'unauthenticated') return null
  const isAboutCode = error.errors?.some(({ path }) => path === 'code') ?? false
  if (isAboutCode) return code ? 'wrong code' : null
  return 'wrong address or password'
}

interface DevicesServiceOptions {
  database: AppDatabase
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export type DevicesService = ReturnType<typeof createDevicesService>

export function createDevicesService({ database, clock, publish, audit }: DevicesServiceOptions) {
  return {
    async list(admin: SignedInAdmin, caller: Caller): Promise<Device[]> {
      const current = parseToken(caller.sessionToken)
      const sessions = await createAuthRepository(database.db).listSessions(admin.id, lifetimesAt(clock()))
      const devices = sessions.map(
        ({ id, tokenHash, userAgent, createdAt, lastUsedAt, clientAddress }): Device => ({
          id,
          ...deviceName(userAgent),
          signedInAt: createdAt.toISOString(),
          lastUsedAt: lastUsedAt.toISOString(),
          clientAddress,
          isCurrent: current !== null && tokenHash.equals(current.hash),
        }),
      )
      return devices.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
    },

    /** @throws AppError `not_found` when it isn't signed in any more */
    async signOut(id: string, admin: SignedInAdmin, caller: Caller): Promise<void> {
      await database.transact(async (tx) => {
        const auth = createAuthRepository(tx)
        const ended = await auth.deleteSessionById(admin.id, id)
        if (!ended) {
          throw new AppError('not_found', { detail: 'This device is no longer signed in.' })
        }
        await auth.deleteDevices(devicesOf([ended], caller))
        await audit.record(tx, {
          action: 'device-signed-out',
          actor: actorFor(caller, admin),
          detail: deviceName(ended.userAgent),
        })
      })
      publish('session')
    },

    async signOutOthers(admin: SignedInAdmin, caller: Caller): Promise<number> {
      const count = await database.transact(async (tx) => {
        const auth = createAuthRepository(tx)
        const ended = await auth.deleteOtherSessions(admin.id, parseToken(caller.sessionToken)?.hash ?? null)
        if (ended.length === 0) return 0
        await auth.deleteDevices(devicesOf(ended, caller))
        await audit.record(tx, {
          action: 'device-signed-out',
          actor: actorFor(caller, admin),
          affected: ended.length,
        })
        return ended.length
      })
      if (count > 0) publish('session')
      return count
    },
  }
}

// Security: the caller's own browser stays a known device.
function devicesOf(ended: readonly EndedSession[], caller: Caller): Buffer[] {
  const own = parseToken(caller.deviceToken)
  return ended.flatMap(({ deviceHash }) =>
    deviceHash === null || (own && deviceHash.equals(own.hash)) ? [] : [deviceHash],
  )
}
