import { v7 as createId } from 'uuid'
import { ownActor } from '#server/lib/actor.ts'
import { type ChangeContext, commitChange } from '#server/lib/change.ts'
import { AppError } from '#server/lib/errors.ts'
import { generatePassword } from '#shared/auth/generated-password.ts'
import type { Role } from '#shared/people/permissions.ts'
import { createAccountRepository } from './account-repository.ts'
import { createApiTokensRepository } from './api-token-repository.ts'
import { createDeviceRepository } from './device-repository.ts'
import type { Passwords } from './password-service.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { before, createToken, knownDeviceLifetime, secondFactorDueFrom } from './session-cookies.ts'
import { createSessionRepository } from './session-repository.ts'
import { createThrottleRepository } from './throttle-repository.ts'

// How long a link is valid, in ms.
const linkLifetime = 60 * 60 * 1000

export interface ResetOptions {
  email?: string | undefined
  withoutSecondFactor?: boolean
}

export function createAdministrators(options: ChangeContext & { passwords: Passwords }) {
  const { database, passwords, clock, publish } = options

  return {
    /**
     * Safe when several processes start together.
     * @returns the generated password, which must be printed now
     */
    async ensureFirstAdministrator({ email, password }: { email: string; password?: string | undefined }) {
      const existing = (await createAccountRepository(database.db).listAdmins()).find(isAdministrator)
      if (existing) return { email: existing.email, password: null }
      const chosen = password ?? generatePassword()
      const passwordHash = await passwords.hash(chosen)
      const isCreated = await database.transact(async (tx) => {
        const repository = createAccountRepository(tx)
        await repository.lockAdmins()
        if ((await repository.listAdmins()).some(isAdministrator)) return false
        const admin = { id: createId(), email, displayName: 'Administrator' }
        await repository.insertAdmin({ ...admin, passwordHash, now: clock() })
        return true
      })
      return { email, password: isCreated && password === undefined ? chosen : null }
    },

    /** @returns the token of a link, which is a known device for an hour */
    async allowDevice({ email }: ResetOptions = {}): Promise<{ email: string; token: string }> {
      const admin = await findAdmin(email)
      const token = createToken()
      const since = before(clock(), knownDeviceLifetime - linkLifetime)
      await commitChange(options, 'session', async (tx, record) => {
        await createDeviceRepository(tx).saveDevice(token.hash, admin.id, since)
        await record({ action: 'device-allowed', actor: ownActor('command line'), subject: admin.email })
      })
      return { email: admin.email, token: token.text }
    },

    /** Known devices stay, so that the owner can sign in during an attack. */
    async resetPassword({ email, withoutSecondFactor = false }: ResetOptions = {}): Promise<{
      email: string
      password: string
      hasSecondFactor: boolean
      // The names of the API tokens that ended with the old password.
      apiTokens: string[]
    }> {
      const admin = await findAdmin(email)
      const password = generatePassword()
      const passwordHash = await passwords.hash(password)
      const changed = await commitChange(options, 'session', async (tx, record) => {
        const repository = createAccountRepository(tx)
        const secondFactors = createSecondFactorRepository(tx)
        const actor = ownActor('command line')
        // The account's row first: a sign-in under way waits for it, and finds the password changed.
        await repository.setPassword(admin.id, { to: passwordHash, now: clock(), isFirst: true })
        await createSessionRepository(tx).deleteSessions(admin.id)
        await createThrottleRepository(tx).clearAll()
        await record({ action: 'password-changed', actor, subject: admin.email })
        const apiTokens = await createApiTokensRepository(tx).revokeOf(admin.id, clock())
        for (const subject of apiTokens) await record({ action: 'api-token-revoked', actor, subject })
        if (!withoutSecondFactor) {
          return { apiTokens, hasSecondFactor: Boolean((await secondFactors.find(admin.id))?.confirmedAt) }
        }
        const wasOn = await secondFactors.delete(admin.id)
        await repository.postponeSecondFactor(admin.id, secondFactorDueFrom(clock()))
        if (wasOn) await record({ action: 'two-factor-off', actor, subject: admin.email })
        return { apiTokens, hasSecondFactor: false }
      })
      publish('mail-account')
      return { email: admin.email, password, ...changed }
    },
  }

  async function findAdmin(email: string | undefined): Promise<{ id: string; email: string }> {
    const admins = await createAccountRepository(database.db).listAdmins()
    const wanted = admins.filter((admin) =>
      email ? admin.email.toLowerCase() === email.toLowerCase() : isAdministrator(admin),
    )
    const [admin, another] = wanted
    if (!admin) {
      const detail = email
        ? `There is no account with the address ${email}.`
        : 'There is no administrator yet. Start the product once to create one.'
      throw new AppError('not_found', detail)
    }
    if (another) {
      throw new AppError('invalid', 'There is more than one administrator. Choose one with --email.')
    }
    return admin
  }
}

// The demo adds the other people first.
const isAdministrator = ({ role }: { role: Role }) => role === 'administrator'
