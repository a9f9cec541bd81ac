import { randomBytes, randomInt } from 'node:crypto'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import type { AppDatabase } from '#server/database/pool.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { Audit, NoteRefusal } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { createWorkQueue } from '#server/lib/work-queue.ts'
import { type PasswordChange, passwordMessages } from '#shared/auth/account.ts'
import type { Topic } from '#shared/topics.ts'
import { type Account, createAuthRepository } from './repository.ts'
import {
  actorFor,
  before,
  type Caller,
  knownDeviceLifetime,
  parseToken,
  type Tokens,
} from './session-cookies.ts'
import { countAttempt, subjectsOf } from './sign-in-throttle.ts'
import { createThrottleRepository } from './throttle-repository.ts'

interface PasswordServiceOptions {
  database: AppDatabase
  passwords: Passwords
  tokens: Tokens
  proof: PasswordProof
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  // Security: names of school and system, which an attacker would try.
  ownWords: () => readonly string[]
}

export type PasswordService = ReturnType<typeof createPasswordService>

export function createPasswordService(options: PasswordServiceOptions) {
  const { database, passwords, tokens, proof, clock, publish, audit, ownWords } = options

  return {
    /**
     * Ends all other sessions and removes all other known devices.
     * @returns the new token
     * @throws AppError `invalid` at the field; `too_many_requests` after too many wrong passwords
     */
    async change(
      { currentPassword, newPassword }: PasswordChange,
      admin: SignedInAdmin,
      caller: Caller,
    ): Promise<{ sessionToken: string }> {
      await refuseWeak(newPassword, [admin.email, admin.displayName, ...ownWords()])
      const account = await proof.prove({
        admin,
        caller,
        password: currentPassword,
        field: 'currentPassword',
      })
      if (newPassword.normalize('NFKC') === currentPassword.normalize('NFKC'))
        throw refusal(passwordMessages.same)
      const to = await passwords.hash(newPassword)
      const session = tokens.create()
      await database.transact(async (tx) => {
        const auth = createAuthRepository(tx)
        const isReplaced = await auth.replacePassword(admin.id, {
          from: account.passwordHash,
          to,
          now: clock(),
        })
        if (!isReplaced) throw new AppError('conflict', { detail: passwordMessages.changedElsewhere })
        const current = parseToken(caller.sessionToken)
        const goesOn = current !== null && (await auth.renewToken(current.hash, session.hash))
        if (!goesOn) throw new AppError('unauthenticated')
        const ended = await auth.deleteOtherSessions(admin.id, session.hash)
        await auth.deleteOtherDevices(admin.id, parseToken(caller.deviceToken)?.hash ?? null)
        await audit.record(tx, {
          action: 'password-changed',
          actor: actorFor(caller, admin),
          detail: { endedSessions: ended.length },
        })
      })
      publish('session')
      return { sessionToken: session.text }
    },
  }
}

async function refuseWeak(password: string, ownWords: readonly string[]): Promise<void> {
  // The list of common words is read when a user changes a password, not at every start.
  const { leastBits, passwordBits } = await import('#shared/auth/password-strength.ts')
  if (passwordBits(password, ownWords) < leastBits) throw refusal(passwordMessages.guessable)
}

function refusal(message: string): AppError {
  return new AppError('invalid', { detail: message, errors: [{ path: 'newPassword', message }] })
}

interface PasswordProofOptions {
  database: AppDatabase
  passwords: Passwords
  clock: Clock
  noteRefusal: NoteRefusal
}

interface Proof {
  admin: SignedInAdmin
  caller: Caller
  password: string
  field: string
}

export type PasswordProof = ReturnType<typeof createPasswordProof>

/** Security: protects an unattended screen. Failures count with those of the login. */
export function createPasswordProof({ database, passwords, clock, noteRefusal }: PasswordProofOptions) {
  /** @throws AppError `invalid` at the field; `too_many_requests` after too many failures */
  async function prove({ admin, caller, password, field }: Proof): Promise<Account> {
    const now = clock()
    const email = admin.email.toLowerCase()
    const device = parseToken(caller.deviceToken)
    const account = await createAuthRepository(database.db).findAccount(
      email,
      device?.hash ?? null,
      before(now, knownDeviceLifetime),
    )
    if (!account) throw new AppError('unauthenticated')
    const knownDevice = account.isKnownDevice ? device : null
    const subjects = subjectsOf({ email, clientAddress: caller.clientAddress, knownDevice })
    await countAttempt(database, subjects, now)
    if (!(await passwords.verify(account.passwordHash, password, { isUrgent: true }))) {
      await noteRefusal({
        action: 'sign-in-refused',
        actor: actorFor(caller, admin),
        what: 'wrong current password',
      })
      const message = passwordMessages.currentWrong
      throw new AppError('invalid', { detail: message, errors: [{ path: field, message }] })
    }
    await createThrottleRepository(database.db).clear(subjects)
    return account
  }

  return { prove }
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

export interface Passwords {
  hash: (password: string) => Promise<string>
  /** @param isUrgent precedes others, so that a flood of guesses can't block signed-in users */
  verify: (passwordHash: string, password: string, options: { isUrgent: boolean }) => Promise<boolean>
  isOutdated: (passwordHash: string) => boolean
  // Security: equal time for unknown addresses.
  decoyHash: string
}

export function createPasswords(cost: PasswordCost = productCost): Passwords {
  const queue = createWorkQueue({ atOnce, maxWaiting })
  return {
    hash: (password) => queue.run(() => hash(typed(password), cost), { isUrgent: true }),
    verify: (passwordHash, password, options) =>
      queue.run(() => verify(passwordHash, typed(password)), options),
    isOutdated: (passwordHash) => isOutdated(passwordHash, cost),
    decoyHash: createDecoyHash(cost),
  }
}

// 'ñ' may arrive as n + tilde (Unicode normalisation).
function typed(password: string): string {
  return password.normalize('NFKC')
}

function isOutdated(passwordHash: string, cost: PasswordCost): boolean {
  const used = parseOptions(passwordHash)
  return (
    used.memoryCost !== cost.memoryCost ||
    used.timeCost !== cost.timeCost ||
    used.parallelism !== cost.parallelism
  )
}

// Random bytes: no hash is computed at start-up.
function createDecoyHash({ memoryCost, timeCost, parallelism }: PasswordCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
  const costs = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return `$argon2id$v=19$${costs}$${random(saltBytes)}$${random(hashBytes)}`
}

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** 'h7mp-x3tr-9wqd-b4fz', about 79 random bits. */
export function generatePassword(): string {
  const group = () => Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}
