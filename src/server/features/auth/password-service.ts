import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { Queryable } from '#server/database/schema.ts'
import type { SessionAdmin, SignedInAdmin } from '#server/http/context.ts'
import type { NoteRefusal } from '#server/lib/audit.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { type CodeProof, type PasswordChange, passwordMessages } from '#shared/auth/account.ts'
import { type Account, createAccountRepository } from './account-repository.ts'
import { createApiTokensRepository } from './api-token-repository.ts'
import { createDeviceRepository } from './device-repository.ts'
import { actorFor, type Caller, createToken, parseToken } from './session-cookies.ts'
import { createSessionRepository } from './session-repository.ts'
import { countAttempt, createThrottleRepository, subjectsOf } from './throttle-repository.ts'

interface PasswordServiceOptions extends ChangeContext {
  passwords: Passwords
  proof: PasswordProof
  // Security: names of school and system, which an attacker would try.
  ownWords: () => readonly string[]
}

type ChangingAdmin = SignedInAdmin & Pick<SessionAdmin, 'mustSetUp' | 'isFresh'>

export function createPasswordService(options: PasswordServiceOptions) {
  const { database, passwords, proof, clock, publish, ownWords } = options

  return {
    /** Ends all other sessions and removes all other known devices. Returns the new token. */
    async change(change: PasswordChange, admin: ChangingAdmin, caller: Caller) {
      const { newPassword, endApiTokens } = change
      await refuseWeak(newPassword, [admin.email, admin.displayName, ...ownWords()])
      const passwordHash = await proveCurrent(change, admin, caller)
      const to = await passwords.hash(newPassword)
      const session = createToken()
      const { isKept } = await commitChange(options, 'session', async (tx, record) => {
        const sessions = createSessionRepository(tx)
        const isReplaced = await createAccountRepository(tx).setPassword(admin.id, {
          from: passwordHash,
          to,
          now: clock(),
        })
        if (!isReplaced) throw new AppError('conflict', passwordMessages.changedElsewhere)
        const current = parseToken(caller.sessionToken)
        const renewed = current && (await sessions.renewToken(current.hash, session.hash))
        if (!renewed) throw new AppError('unauthenticated')
        const ended = await sessions.deleteSessions(admin.id, { except: session.hash })
        await createDeviceRepository(tx).deleteOtherDevices(
          admin.id,
          parseToken(caller.deviceToken)?.hash ?? null,
        )
        const detail = { endedSessions: ended.length }
        const actor = actorFor(caller, admin)
        await record({ action: 'password-changed', actor, detail })
        const tokens = endApiTokens ? await createApiTokensRepository(tx).revokeOf(admin.id, clock()) : []
        for (const subject of tokens) await record({ action: 'api-token-revoked', actor, subject })
        return renewed
      })
      if (endApiTokens) publish('mail-account')
      return { sessionToken: session.text, isKept }
    },
  }

  /** @returns the hash of the current password, which isn't the new one */
  async function proveCurrent(change: PasswordChange, admin: ChangingAdmin, caller: Caller): Promise<string> {
    const { currentPassword, newPassword, code } = change
    if (currentPassword !== undefined) {
      // The check comes first, because proving the account uses up the code.
      if (typed(newPassword) === typed(currentPassword)) throw invalid('newPassword', passwordMessages.same)
      const second = { code }
      const proven = { admin, caller, password: currentPassword, field: 'currentPassword', second }
      return (await proof.prove(proven)).passwordHash
    }
    // A first password is long, and was typed on the screen before.
    if (admin.mustSetUp !== 'password' || !admin.isFresh) {
      throw invalid('currentPassword', passwordMessages.currentRequired)
    }
    const account = await createAccountRepository(database.db).findAccount(
      admin.email.toLowerCase(),
      null,
      clock(),
    )
    if (!account) throw new AppError('unauthenticated')
    const isSame = await passwords.verify(account.passwordHash, newPassword, { isUrgent: true })
    if (isSame) throw invalid('newPassword', passwordMessages.same)
    return account.passwordHash
  }
}

async function refuseWeak(password: string, ownWords: readonly string[]): Promise<void> {
  // The list of common words is read when a user changes a password, not at every start.
  const { leastBits, passwordBits } = await import('#shared/auth/password-strength.ts')
  if (passwordBits(password, ownWords) < leastBits) throw invalid('newPassword', passwordMessages.guessable)
}

interface PasswordProofOptions extends Pick<ChangeContext, 'database' | 'clock'> {
  passwords: Passwords
  noteRefusal: NoteRefusal
  // `unauthenticated` for a wrong or a missing code.
  checkCode: (tx: Queryable, attempt: CodeAttempt) => Promise<unknown>
}

export interface CodeAttempt {
  adminId: string
  code: string | undefined
  now: Date
}

interface Proof {
  admin: SignedInAdmin
  caller: Caller
  password: string
  field: string
  // Absent only where no second factor is on.
  second?: { code: string | undefined }
}

export type PasswordProof = ReturnType<typeof createPasswordProof>

/** Security: protects an unattended screen. Failures count with those of the login. */
export function createPasswordProof(options: PasswordProofOptions) {
  const { database, passwords, clock, noteRefusal, checkCode } = options

  async function prove({ admin, caller, password, field, second }: Proof): Promise<Account> {
    const now = clock()
    const email = admin.email.toLowerCase()
    const device = parseToken(caller.deviceToken)
    const repository = createAccountRepository(database.db)
    const account = await repository.findAccount(email, device?.hash ?? null, now)
    if (!account) throw new AppError('unauthenticated')
    const knownDevice = account.isKnownDevice ? device : null
    const subjects = subjectsOf({ email, clientAddress: caller.clientAddress, knownDevice })
    await countAttempt(database, subjects, now)
    if (!(await passwords.verify(account.passwordHash, password, { isUrgent: true }))) {
      const actor = actorFor(caller, admin)
      await noteRefusal({ action: 'sign-in-refused', actor, what: 'wrong current password' })
      throw invalid(field, passwordMessages.currentWrong)
    }
    // The code is checked before the failures are forgotten. Otherwise someone with the password could guess codes.
    if (second) await proveCode({ adminId: admin.id, code: second.code, now })
    await createThrottleRepository(database.db).clear(subjects)
    return account
  }

  async function proveCode(attempt: CodeAttempt): Promise<void> {
    try {
      await database.transact((tx) => checkCode(tx, attempt))
    } catch (error) {
      // Not `unauthenticated`: the session goes on.
      if (error instanceof AppError && error.errors) throw new AppError('invalid', { errors: error.errors })
      throw error
    }
  }

  return {
    prove,

    /** Proves the account again, which opens what needs a fresh sign-in. */
    async renew({ password, code }: CodeProof, admin: SignedInAdmin, caller: Caller): Promise<void> {
      await prove({ admin, caller, password, field: 'password', second: { code } })
      const session = parseToken(caller.sessionToken)
      if (session) await createSessionRepository(database.db).recordProof(session.hash, clock())
    },
  }
}

// Argon2id above OWASP's minimum for this memory (19 MiB, 2 passes): 15–30 ms. Old hashes are renewed at the next sign-in.
const productCost = { memoryCost: 19_456, timeCost: 3, parallelism: 1 }
const saltBytes = 16
const hashBytes = 32

// 38 MiB at most; leaves two of libuv's four threads for files and DNS.
const atOnce = 2
// About one second of work.
const maxWaiting = 100

export type PasswordCost = typeof productCost

export type Passwords = ReturnType<typeof createPasswords>

export function createPasswords(cost: PasswordCost = productCost) {
  const queue = createWorkQueue({ atOnce, maxWaiting })
  return {
    hash: (password: string) => queue.run(() => hash(typed(password), cost), { isUrgent: true }),
    // An urgent one precedes others, so that a flood of guesses can't block signed-in users.
    verify: (passwordHash: string, password: string, options: { isUrgent: boolean }) =>
      queue.run(() => verify(passwordHash, typed(password)), options),
    isOutdated(passwordHash: string): boolean {
      const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash)
      return !isDeepStrictEqual({ memoryCost, timeCost, parallelism }, cost)
    },
    // Security: equal time for unknown addresses.
    decoyHash: createDecoyHash(cost),
  }
}

// 'ñ' may arrive as n + tilde (Unicode normalisation).
function typed(password: string): string {
  return password.normalize('NFKC')
}

// Random bytes: no hash is computed at start-up.
function createDecoyHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return `$argon2id$v=19$${costs}$${random(saltBytes)}$${random(hashBytes)}`
}
