import { v7 as createId } from 'uuid'
import type { AppDatabase } from '#server/database/pool.ts'
import { ownActor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Topic } from '#shared/topics.ts'
import { generatePassword, type Passwords } from './password-service.ts'
import { createAuthRepository } from './repository.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { createThrottleRepository } from './throttle-repository.ts'

const firstDisplayName = 'Administrator'

interface AdministratorsOptions {
  database: AppDatabase
  passwords: Passwords
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
}

export interface NewPassword {
  email: string
  password: string
}

export interface ResetPassword extends NewPassword {
  hasSecondFactor: boolean
}

export interface ResetOptions {
  email?: string | undefined
  withoutSecondFactor?: boolean
}

export function createAdministrators({ database, passwords, clock, publish, audit }: AdministratorsOptions) {
  async function createFirst(email: string, passwordHash: string): Promise<boolean> {
    return database.transact(async (tx) => {
      const repository = createAuthRepository(tx)
      await repository.lockAdmins()
      if (await repository.findFirstAdmin()) return false
      const admin = { id: createId(), email, displayName: firstDisplayName }
      await repository.insertAdmin({ ...admin, passwordHash, now: clock() })
      return true
    })
  }

  return {
    /**
     * Safe when several processes start together.
     * @returns the generated password, which must be printed now
     */
    async ensureFirstAdministrator({
      email,
      password,
    }: {
      email: string
      password?: string | undefined
    }): Promise<{ email: string; password: string | null }> {
      const existing = await createAuthRepository(database.db).findFirstAdmin()
      if (existing) return { email: existing.email, password: null }
      const chosen = password ?? generatePassword()
      const isCreated = await createFirst(email, await passwords.hash(chosen))
      return { email, password: isCreated && password === undefined ? chosen : null }
    },

    /**
     * Known devices stay, so that the owner can sign in during an attack.
     * @throws AppError `not_found` or `invalid` with a sentence for the operator
     */
    async resetPassword({ email, withoutSecondFactor = false }: ResetOptions = {}): Promise<ResetPassword> {
      const admin = await findAdmin(email)
      const password = generatePassword()
      const passwordHash = await passwords.hash(password)
      const hasSecondFactor = await database.transact(async (tx) => {
        const repository = createAuthRepository(tx)
        const secondFactors = createSecondFactorRepository(tx)
        const actor = ownActor('command line')
        // The account's row first: a sign-in under way waits for it, and finds the password changed.
        await repository.setPassword(admin.id, passwordHash, clock())
        await repository.deleteSessionsOf(admin.id)
        await createThrottleRepository(tx).clearAll()
        await audit.record(tx, { action: 'password-changed', actor })
        if (!withoutSecondFactor) return Boolean((await secondFactors.find(admin.id))?.confirmedAt)
        const wasOn = await secondFactors.delete(admin.id)
        if (wasOn) await audit.record(tx, { action: 'two-factor-off', actor })
        return false
      })
      publish('session')
      return { email: admin.email, password, hasSecondFactor }
    },
  }

  async function findAdmin(email: string | undefined): Promise<{ id: string; email: string }> {
    const admins = await createAuthRepository(database.db).listAdmins()
    if (email === undefined) return theOnly(admins)
    const wanted = email.toLowerCase()
    const found = admins.find((admin) => admin.email.toLowerCase() === wanted)
    if (!found)
      throw new AppError('not_found', { detail: `There is no administrator with the address ${email}.` })
    return found
  }
}

function theOnly<T>(admins: T[]): T {
  const [admin, another] = admins
  if (!admin) {
    throw new AppError('not_found', {
      detail: 'There is no administrator yet. Start the product once to create one.',
    })
  }
  if (another) {
    throw new AppError('invalid', {
      detail: 'There is more than one administrator. Choose one with --email.',
    })
  }
  return admin
}
