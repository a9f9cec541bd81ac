import type { Audit } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import { type SignIn, signInMessages } from '#shared/session.ts'
import type { Topic } from '#shared/topics.ts'
import type { Passwords } from './passwords.ts'
import { type Account, createAuthRepository, type Lifetimes } from './repository.ts'
import { before, knownDeviceLifetime, sessionLimits } from './session-limits.ts'
import { countAttempt, subjectsOf } from './sign-in-throttle.ts'
import type { ThrottleSubject } from './throttle.ts'
import { createThrottleRepository } from './throttle-repository.ts'
import { createToken, parseToken, type Token } from './tokens.ts'

/** Enough to tell one's devices apart, in characters. */
const maxUserAgent = 200

interface AuthOptions {
  database: AppDatabase
  passwords: Passwords
  clock: Clock
  publish: (topic: Topic) => void
  /** The address that the login form starts with while there is no administrator (ADMIN_EMAIL). */
  defaultEmail: string
  audit: Audit
}

/** Where an attempt to sign in comes from. */
export interface Caller {
  clientAddress: string
  userAgent: string
  /** The tokens that its cookies hold. */
  sessionToken: string | undefined
  deviceToken: string | undefined
}

export interface SignedIn {
  admin: SignedInAdmin
  /** For the browser's cookies. */
  sessionToken: string
  deviceToken: string
}

export type AuthService = ReturnType<typeof createAuthService>

/** Signing in and out, and who is signed in. */
export function createAuthService({ database, passwords, clock, publish, defaultEmail }: AuthOptions) {
  const repository = createAuthRepository(database.db)

  /**
   * Opens a session under a new token.
   *
   * @throws AppError `unauthenticated`, the same for a wrong address and a wrong password, in text and time;
   *   `too_many_requests` after too many failures
   */
  async function signIn({ email: typed, password }: SignIn, caller: Caller): Promise<SignedIn> {
    const now = clock()
    const email = typed.toLowerCase()
    const device = parseToken(caller.deviceToken)
    const account = await findAccount(email, device, now)
    const knownDevice = account?.isKnownDevice ? device : null
    const subjects = subjectsOf({ email, clientAddress: caller.clientAddress, knownDevice })
    await countAttempt(database, subjects, now)
    const hash = account?.passwordHash ?? passwords.decoyHash
    const isRight = await passwords.verify(hash, password, { isUrgent: knownDevice !== null })
    if (!account || !isRight) throw new AppError('unauthenticated', { detail: signInMessages.wrong })

    const session = createToken()
    const newDevice = knownDevice ?? createToken()
    await openSession({ account, session, device: newDevice, caller, subjects })
    if (passwords.isOutdated(hash)) {
      await repository.renewHash(account.id, { from: hash, to: await passwords.hash(password) })
    }
    const { id, email: address, displayName } = account
    return {
      admin: { id, email: address, displayName },
      sessionToken: session.text,
      deviceToken: newDevice.text,
    }
  }

  async function findAccount(email: string, device: Token | null, now: Date): Promise<Account | undefined> {
    // PostgreSQL refuses NUL; no administrator's address has one.
    if (email.includes('\0')) return undefined
    return repository.findAccount(email, device?.hash ?? null, before(now, knownDeviceLifetime))
  }

  async function openSession({ account, session, device, caller, subjects }: Opening): Promise<void> {
    const now = clock()
    await database.transact(async (tx) => {
      const auth = createAuthRepository(tx)
      const userAgent = caller.userAgent.slice(0, maxUserAgent)
      const isOpen = await auth.insertSession({ tokenHash: session.hash, account, userAgent, now })
      // The password was changed while the old one was being verified.
      if (!isOpen) throw new AppError('unauthenticated', { detail: signInMessages.wrong })
      const replaced = parseToken(caller.sessionToken)
      if (replaced) await auth.deleteSession(replaced.hash)
      await auth.saveDevice(device.hash, account.id, now)
      await createThrottleRepository(tx).clear(subjects)
    })
  }

  return {
    signIn,

    /** Ends the token's session. Without one there is nothing to do. */
    async signOut(sessionToken: string | undefined): Promise<void> {
      const session = parseToken(sessionToken)
      // Its other tabs learn of it at once.
      if (session && (await repository.deleteSession(session.hash))) publish('session')
    },

    /** The administrator whose session the token opens. Without a token there is no query. */
    async readAdmin(sessionToken: string | undefined): Promise<SignedInAdmin | null> {
      const session = parseToken(sessionToken)
      if (!session) return null
      const now = clock()
      const found = await repository.findSession(session.hash, lifetimesAt(now))
      if (!found) return null
      const { lastUsedAt, ...admin } = found
      const unlessAfter = before(now, sessionLimits.noteUseEvery)
      if (lastUsedAt <= unlessAfter) await repository.noteUse(session.hash, now, unlessAfter)
      return admin
    },

    /** The address that the login form starts with. */
    async defaultAdminEmail(): Promise<string> {
      const admin = await repository.findFirstAdmin()
      return admin?.email ?? defaultEmail
    },

    /** Clears away sessions, devices and counts that are over; they stopped counting when they ended. */
    async forgetEnded(): Promise<void> {
      const now = clock()
      await repository.deleteEnded(lifetimesAt(now), before(now, knownDeviceLifetime))
      await createThrottleRepository(database.db).deleteForgotten(now)
    },
  }
}

interface Opening {
  account: Account
  session: Token
  device: Token
  caller: Caller
  subjects: ThrottleSubject[]
}

function lifetimesAt(now: Date): Lifetimes {
  return {
    startedAfter: before(now, sessionLimits.absolute),
    usedAfter: before(now, sessionLimits.idle),
  }
}
