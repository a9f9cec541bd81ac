import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { SessionAdmin } from '#server/http/context.ts'
import { type Access, accessOf } from '#server/lib/access.ts'
import { shortUserAgent } from '#server/lib/actor.ts'
import type { AppContext } from '#server/lib/app-context.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { passwordMessages } from '#shared/auth/account.ts'
import { type SignIn, signInMessages } from '#shared/auth/session.ts'
import { keptRoles } from '#shared/people/permissions.ts'
import { startOfDay } from '#shared/periods.ts'
import { type CalendarDate, calendarDateOf, dayAfter } from '#shared/program-calendar.ts'
import { type Account, createAccountRepository } from './account-repository.ts'
import { createDeviceRepository } from './device-repository.ts'
import type { Passwords } from './password-service.ts'
import { createRecordCounts } from './record-counts.ts'
import type { SecondFactorCheck } from './second-factor-service.ts'
import {
  type AccountEnd,
  actorFor,
  before,
  type Caller,
  createToken,
  endOf,
  hasEnded,
  isWithin,
  lifetimesAt,
  parseToken,
  sessionLimits,
  setUpOf,
  type Token,
} from './session-cookies.ts'
import { createSessionReader, createSessionRepository } from './session-repository.ts'
import {
  countAttempt,
  createThrottleRepository,
  subjectsOf,
  type ThrottleSubject,
} from './throttle-repository.ts'

interface AuthOptions extends ChangeContext, Pick<AppContext, 'timeZone'> {
  database: ChangeContext['database'] & Pick<AppDatabase, 'queryPrepared'>
  passwords: Passwords
  noteRefusal: NoteRefusal
  secondFactor: SecondFactorCheck
}

export type SignedIn = Awaited<ReturnType<ReturnType<typeof createAuthService>['signIn']>>

export function createAuthService(options: AuthOptions) {
  const { database, passwords, clock, timeZone, audit, publish, noteRefusal, secondFactor } = options
  const accounts = createAccountRepository(database.db)
  const sessions = createSessionRepository(database.db)
  const devices = createDeviceRepository(database.db)
  const findSession = createSessionReader(database)
  const countsOf = createRecordCounts(options)
  const endOfDay = (date: CalendarDate) => startOfDay(dayAfter(date), timeZone)
  const isOver = (account: AccountEnd) => hasEnded(account, calendarDateOf(clock(), timeZone))

  /** Security: wrong address and wrong password give the same text and time. */
  async function signIn(credentials: SignIn, caller: Caller) {
    const email = credentials.email.toLowerCase()
    const browser = parseToken(caller.deviceToken)
    // PostgreSQL refuses NUL; no administrator's address has one.
    const account = email.includes('\0')
      ? undefined
      : await accounts.findAccount(email, browser?.hash ?? null, clock())
    const knownDevice = account?.isKnownDevice ? browser : null
    const { code } = credentials
    const holdsRecoveryCode =
      account !== undefined &&
      (await secondFactor.holdsRecoveryCode(database.db, { adminId: account.id, code }))
    const isUrgent = knownDevice !== null || holdsRecoveryCode
    const { clientAddress } = caller
    const subjects = subjectsOf({ email, clientAddress, knownDevice, holdsRecoveryCode })
    try {
      return await enter({ credentials, caller, account, browser, isUrgent, subjects })
    } catch (error) {
      const what = refusalOf(error, credentials)
      // Privacy: an address that is no administrator is not stored.
      const tried = account ? { id: null, email: account.email } : null
      if (what) await noteRefusal({ action: 'sign-in-refused', actor: actorFor(caller, tried), what })
      throw error
    }
  }

  async function enter(attempt: Attempt) {
    const { credentials, caller, account, browser, isUrgent, subjects } = attempt
    const knownDevice = account?.isKnownDevice ? browser : null
    const { password, code, keepSignedIn = false } = credentials
    await countAttempt(database, subjects, clock())
    const hash = account?.passwordHash ?? passwords.decoyHash
    const isRight = await passwords.verify(hash, password, { isUrgent })
    if (!account || !isRight) throw new AppError('unauthenticated', signInMessages.wrong)
    mustBeOpen(account)
    const isKept = keepSignedIn && keptRoles.includes(account.role)

    const session = createToken()
    const device = knownDevice ?? createToken()
    const secondProof = await database.transact(async (tx) => {
      const now = clock()
      const inTransaction = createSessionRepository(tx)
      const isOpen = await inTransaction.insertSession({
        tokenHash: session.hash,
        deviceHash: device.hash,
        account,
        userAgent: shortUserAgent(caller.userAgent),
        clientAddress: caller.clientAddress,
        isKept,
        now,
      })
      // The password was changed, or the account ended, while it was being verified.
      if (!isOpen) throw new AppError('unauthenticated', signInMessages.wrong)
      const secondProof = await secondFactor.check(tx, { adminId: account.id, code, now })
      const replaced = parseToken(caller.sessionToken)
      if (replaced) await inTransaction.deleteSession(replaced.hash)
      await becomeKnown(tx, { browser, device, adminId: account.id, now })
      await createThrottleRepository(tx).clear(subjects)
      const actor = actorFor(caller, account)
      const detail = { secondProof, ...(!knownDevice && { newDevice: true }) }
      await audit.record(tx, { action: 'signed-in', actor, detail })
      if (secondProof === 'recovery code') await audit.record(tx, { action: 'recovery-code-used', actor })
      return secondProof
    })
    // The sign-in changes what the account's other devices list, and may replace a session.
    publish('session')
    if (passwords.isOutdated(hash)) {
      await accounts.setPassword(account.id, { from: hash, to: await passwords.hash(password) })
    }
    const { id, email, displayName, role, components } = account
    const secondFactorDue = secondProof === 'none' ? account.secondFactorDue : null
    const mustSetUp = setUpOf({ ...account, secondFactorDue }, clock())
    const admin = { id, email, displayName, role, components, mustSetUp, secondFactorDue }
    return { admin, sessionToken: session.text, deviceToken: device.text, isKept }
  }

  function mustBeOpen(account: Account): void {
    if (isOver(account)) throw new AppError('unauthenticated', signInMessages.ended)
    const { hasFirstPassword, passwordChangedAt } = account
    if (hasFirstPassword && !isWithin(passwordChangedAt, sessionLimits.firstPassword, clock())) {
      throw new AppError('unauthenticated', passwordMessages.firstEnded)
    }
  }

  return {
    signIn,

    // Its other tabs are notified at once.
    async signOut(caller: Caller): Promise<void> {
      const session = parseToken(caller.sessionToken)
      if (!session) return
      await commitChange(options, 'session', async (tx, record) => {
        const owner = await createSessionRepository(tx).deleteSession(session.hash)
        if (owner) await record({ action: 'signed-out', actor: actorFor(caller, owner) })
      })
    },

    /** @param isUse it goes on for longer */
    async readAdmin(sessionToken: string | undefined, isUse = true): Promise<SessionAdmin | null> {
      const session = parseToken(sessionToken)
      if (!session) return null
      const now = clock()
      const found = await findSession(session.hash, lifetimesAt(now))
      if (!found || isOver(found)) return null
      const {
        createdAt,
        lastUsedAt,
        provenAt,
        isKept,
        hasFirstPassword,
        expiresOn,
        disabledAt: _over,
        ...admin
      } = found
      const ends = endOf({ createdAt, isKept, ...admin }, now)
      const unlessAfter = before(now, sessionLimits.useRecordedEvery)
      if (isUse && lastUsedAt <= unlessAfter) await sessions.recordUse(session.hash, now, unlessAfter)
      return {
        ...admin,
        mustSetUp: setUpOf({ hasFirstPassword, ...admin }, now),
        endsAt: expiresOn !== null && endOfDay(expiresOn) < ends ? endOfDay(expiresOn) : ends,
        isFresh: isWithin(provenAt, sessionLimits.fresh, now),
        ...countsOf(session.hash, admin.role),
      }
    },

    /** The access of an account to work that it started and that goes on without it; null once the account has ended. */
    async accessOfStored(adminId: string): Promise<Access | null> {
      const scope = await accounts.findScope(adminId)
      return scope && !isOver(scope) ? accessOf(scope) : null
    },

    /**
     * Security: the address is half of what a guesser needs, so only a known device is told, and whoever comes before
     * the first sign-in of a fresh installation.
     */
    async knownEmail({ deviceToken }: Caller): Promise<string> {
      const device = parseToken(deviceToken)
      const known = device && (await devices.findByDevice(device.hash, clock()))
      return (known ?? (await devices.findBeforeFirstDevice()))?.email ?? ''
    },

    /** A link of the command line: the browser that opens it becomes a known device, and the link ends. */
    async useDeviceLink(link: string, caller: Caller): Promise<string> {
      const token = parseToken(link)
      const browser = parseToken(caller.deviceToken)
      const device = createToken()
      await database.transact(async (tx) => {
        const inTransaction = createDeviceRepository(tx)
        const now = clock()
        const admin = token ? await inTransaction.findByDevice(token.hash, now) : undefined
        // Race: of two openings one deletes it.
        const isOwn = admin && token && (await inTransaction.deleteDevices(admin.id, [token.hash])) === 1
        if (!isOwn) throw new AppError('not_found', 'This link was already used, or is older than an hour.')
        await becomeKnown(tx, { browser, device, adminId: admin.id, now })
      })
      return device.text
    },

    async deleteExpired(): Promise<void> {
      const now = clock()
      await sessions.deleteEnded(lifetimesAt(now))
      await devices.deleteEnded(now)
      await createThrottleRepository(database.db).deleteForgotten(now)
    },
  }
}

interface KnownBrowser {
  // The device token in the browser's cookie.
  browser: Token | null
  device: Token
  adminId: string
  now: Date
}

/** Security: with a new token where it is new to the account, so that nobody can prepare one on a shared computer. */
async function becomeKnown(tx: Queryable, { browser, device, adminId, now }: KnownBrowser): Promise<void> {
  const devices = createDeviceRepository(tx)
  if (browser && browser !== device) await devices.replaceToken(browser.hash, device.hash)
  await devices.saveDevice(device.hash, adminId, now)
}

interface Attempt {
  credentials: SignIn
  caller: Caller
  account: Account | undefined
  browser: Token | null
  // An urgent sign-in doesn't wait behind a flood of guesses.
  isUrgent: boolean
  subjects: ThrottleSubject[]
}

function refusalOf(error: unknown, { code }: SignIn): string | null {
  if (!(error instanceof AppError)) return null
  if (error.code === 'too_many_requests') return 'too many attempts'
  if (error.code !== 'unauthenticated') return null
  if (error.message === signInMessages.ended) return 'ended account'
  const isAboutCode = error.errors?.some(({ path }) => path === 'code') ?? false
  if (isAboutCode) return code ? 'wrong code' : null
  return 'wrong address or password'
}
