import type { NoteRefusal } from '#server/audit.ts'
import type { Clock } from '#server/clock.ts'
import type { AppDatabase } from '#server/database/pool.ts'
import { AppError } from '#server/errors.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import { passwordMessages } from '#shared/account.ts'
import { actorFor, type Caller } from './caller.ts'
import type { Passwords } from './passwords.ts'
import { type Account, createAuthRepository } from './repository.ts'
import { before, knownDeviceLifetime } from './session-limits.ts'
import { countAttempt, subjectsOf } from './sign-in-throttle.ts'
import { createThrottleRepository } from './throttle-repository.ts'
import { parseToken } from './tokens.ts'

interface PasswordProofOptions {
  database: AppDatabase
  passwords: Passwords
  clock: Clock
  noteRefusal: NoteRefusal
}

export interface Proof {
  admin: SignedInAdmin
  caller: Caller
  password: string
  /** The name of the field it was typed into. */
  field: string
}

export type PasswordProof = ReturnType<typeof createPasswordProof>

/**
 * Asks the signed-in administrator's password once more, so that a screen left open gives nobody the account.
 * Guesses are counted with those at the login.
 */
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
