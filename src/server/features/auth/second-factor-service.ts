import type { AppDatabase } from '#server/database/pool.ts'
import type { Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { Actor } from '#server/lib/actor.ts'
import type { Audit } from '#server/lib/audit.ts'
import type { Clock } from '#server/lib/clock.ts'
import { AppError } from '#server/lib/errors.ts'
import type { SealedSecrets } from '#server/lib/sealed-secret.ts'
import { codeMessages, type TwoFactor, type TwoFactorSetUp } from '#shared/auth/account.ts'
import type { Topic } from '#shared/topics.ts'
import type { PasswordProof } from './password-service.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  describeTotp,
  parseTotpCode,
  stepAt,
  stepOfCode,
} from './second-factor-check.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { actorFor, type Caller, latestNow } from './session-cookies.ts'
import { countAttempt } from './sign-in-throttle.ts'
import { createThrottleRepository, throttleSubject } from './throttle-repository.ts'

interface SecondFactorOptions {
  database: AppDatabase
  proof: PasswordProof
  secrets: SealedSecrets
  clock: Clock
  publish: (topic: Topic) => void
  audit: Audit
  systemName: () => string
}

export type SecondFactorService = ReturnType<typeof createSecondFactorService>

/** RFC 6238. */
export function createSecondFactorService(options: SecondFactorOptions) {
  const { database, proof, secrets, clock, publish, audit, systemName } = options

  // Race: serialised with sign-ins.
  async function change<T>(admin: SignedInAdmin, work: (tx: Queryable) => Promise<T>): Promise<T> {
    const result = await database.transact(async (tx) => {
      await createSecondFactorRepository(tx).lockAdmin(admin.id)
      return work(tx)
    })
    publish('session')
    return result
  }

  async function renewCodes(tx: Queryable, adminId: string): Promise<string[]> {
    const codes = createRecoveryCodes()
    await createSecondFactorRepository(tx).replaceRecoveryCodes(
      adminId,
      codes.map(({ hash }) => hash),
    )
    return codes.map(({ text }) => text)
  }

  return {
    async state(admin: SignedInAdmin): Promise<TwoFactor> {
      const repository = createSecondFactorRepository(database.db)
      const factor = await repository.find(admin.id)
      if (!factor?.confirmedAt) return { isOn: false, since: null, recoveryCodesLeft: 0 }
      const recoveryCodesLeft = await repository.countRecoveryCodes(admin.id)
      return { isOn: true, since: factor.confirmedAt.toISOString(), recoveryCodesLeft }
    },

    /**
     * The code is not required before it was confirmed.
     * @throws AppError `invalid` for a wrong password, `conflict` when two-factor sign-in is on
     */
    async begin(password: string, admin: SignedInAdmin, caller: Caller): Promise<TwoFactorSetUp> {
      await proof.prove({ admin, caller, password, field: 'password' })
      const secret = createTotpSecret()
      await database.transact(async (tx) => {
        const repository = createSecondFactorRepository(tx)
        await repository.lockAdmin(admin.id)
        const factor = await repository.find(admin.id)
        if (factor?.confirmedAt) throw new AppError('conflict', { detail: codeMessages.alreadyOn })
        await repository.savePending(admin.id, secrets.seal(secret))
      })
      return describeTotp(secret, { issuer: systemName(), account: admin.email })
    },

    /**
     * @returns the recovery codes, which can't be read again
     * @throws AppError `invalid` for a wrong code, `too_many_requests` after too many, `conflict` without a set-up
     */
    async confirm(code: string, admin: SignedInAdmin, actor: Actor): Promise<string[]> {
      const now = clock()
      // Counted apart from sign-ins: a phone with a wrong clock at the set-up must not block the account's sign-ins.
      const subjects = [throttleSubject('set-up', admin.id)]
      await countAttempt(database, subjects, now)
      return change(admin, async (tx) => {
        const repository = createSecondFactorRepository(tx)
        const factor = await repository.find(admin.id)
        if (factor?.confirmedAt) throw new AppError('conflict', { detail: codeMessages.alreadyOn })
        const secret = factor ? secrets.open(factor.secret) : null
        if (secret === null) throw new AppError('conflict', { detail: codeMessages.notBegun })
        const step = stepOfCode(secret, parseTotpCode(code) ?? '', now)
        if (step === null) {
          const message = codeMessages.wrongAtSetUp
          throw new AppError('invalid', { detail: message, errors: [{ path: 'code', message }] })
        }
        await repository.confirm(admin.id, now)
        // The code that was just typed opens no sign-in.
        await repository.takeStep(admin.id, step, stepAt(latestNow(now)))
        await createThrottleRepository(tx).clear(subjects)
        await audit.record(tx, { action: 'two-factor-on', actor })
        return renewCodes(tx, admin.id)
      })
    },

    async turnOff(password: string, admin: SignedInAdmin, caller: Caller): Promise<void> {
      await proof.prove({ admin, caller, password, field: 'password' })
      await change(admin, async (tx) => {
        const wasOn = await createSecondFactorRepository(tx).delete(admin.id)
        if (!wasOn) throw new AppError('conflict', { detail: codeMessages.alreadyOff })
        await audit.record(tx, { action: 'two-factor-off', actor: actorFor(caller, admin) })
      })
    },

    async renewRecoveryCodes(password: string, admin: SignedInAdmin, caller: Caller): Promise<string[]> {
      await proof.prove({ admin, caller, password, field: 'password' })
      return change(admin, async (tx) => {
        const factor = await createSecondFactorRepository(tx).find(admin.id)
        if (!factor?.confirmedAt) throw new AppError('conflict', { detail: codeMessages.alreadyOff })
        await audit.record(tx, { action: 'recovery-codes-renewed', actor: actorFor(caller, admin) })
        return renewCodes(tx, admin.id)
      })
    },
  }
}
