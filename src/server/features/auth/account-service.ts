import type { Queryable } from '#server/database/schema.ts'
import type { Clock } from '#server/lib/clock.ts'
import { generatePassword } from '#shared/auth/generated-password.ts'
import { createAccountRepository, type NewAccount } from './account-repository.ts'
import { createApiTokensRepository } from './api-token-repository.ts'
import { createDeviceRepository } from './device-repository.ts'
import type { Passwords } from './password-service.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { secondFactorDueFrom } from './session-cookies.ts'
import { createSessionRepository } from './session-repository.ts'
import { createThrottleRepository, throttleSubject } from './throttle-repository.ts'

type Owner = Pick<NewAccount, 'id' | 'email'>

export type Accounts = ReturnType<typeof createAccounts>

/** Lets nobody else add, change or end an account until the transaction ends. */
export const lockAccounts = (tx: Queryable): Promise<void> => createAccountRepository(tx).lockAdmins()

/** What somebody else changes of how an account signs in, in the transaction of that change. */
export function createAccounts({ passwords, clock }: { passwords: Passwords; clock: Clock }) {
  return {
    /** The owner must change it, within a week. */
    async makePassword() {
      const password = generatePassword()
      return { password, passwordHash: await passwords.hash(password) }
    },

    add: (tx: Queryable, account: Omit<NewAccount, 'now'>) =>
      createAccountRepository(tx).insertAdmin({ ...account, now: clock() }),

    /** Known devices stay, so that the owner can sign in during an attack. */
    async renewPassword(tx: Queryable, { id, email }: Owner, passwordHash: string): Promise<void> {
      // The account's row first: a sign-in under way waits for it, and finds the password changed.
      await createAccountRepository(tx).setPassword(id, { to: passwordHash, now: clock(), isFirst: true })
      await createSessionRepository(tx).deleteSessions(id)
      await createThrottleRepository(tx).clear([throttleSubject('account', email.toLowerCase())])
    },

    /** @returns how many sessions ended */
    async signOut(tx: Queryable, id: string): Promise<number> {
      const ended = await createSessionRepository(tx).deleteSessions(id)
      await createDeviceRepository(tx).deleteOtherDevices(id, null)
      return ended.length
    },

    /** @returns false when it was off */
    async removeSecondFactor(tx: Queryable, id: string): Promise<boolean> {
      const factors = createSecondFactorRepository(tx)
      // Race: serialised with sign-ins.
      await factors.lockAdmin(id)
      const wasOn = await factors.delete(id)
      await createAccountRepository(tx).postponeSecondFactor(id, secondFactorDueFrom(clock()))
      await createSessionRepository(tx).deleteSessions(id)
      return wasOn
    },

    /** @returns the names of the API tokens that ended */
    endTokens: (tx: Queryable, { id }: Owner) => createApiTokensRepository(tx).revokeOf(id, clock()),
  }
}
