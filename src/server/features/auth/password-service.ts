import type { AppDatabase } from '#server/database/pool.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { Audit, NoteRefusal } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import { type PasswordChange, passwordMessages } from '#shared/auth/account.ts'
import type { Topic } from '#shared/topics.ts'
import type { Passwords } from './passwords.ts'
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
     * Ends all other sessions and forgets all other devices.
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
