import { Secret, TOTP } from 'otpauth'
import type { Logger } from 'pino'
import { renderSVG } from 'uqr'
import type { Queryable } from '#server/database/schema.ts'
import type { SignedInAdmin } from '#server/http/context.ts'
import type { Actor } from '#server/lib/actor.ts'
import { type ChangeContext, changesOf } from '#server/lib/change.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError, invalid } from '#server/lib/errors.ts'
import type { SealedSecrets } from '#server/lib/sealed-secret.ts'
import {
  type CodeProof,
  codeMessages,
  recoveryCodeCount,
  type TwoFactor,
  type TwoFactorSetUp,
} from '#shared/auth/account.ts'
import { generatePassword } from '#shared/auth/generated-password.ts'
import type { TwoFactorRequirement } from '#shared/settings/settings-schema.ts'
import { createAccountRepository } from './account-repository.ts'
import type { CodeAttempt, PasswordProof } from './password-service.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { actorFor, before, type Caller, latestNow, secondFactorDueFrom } from './session-cookies.ts'
import { countAttempt, createThrottleRepository, throttleSubject } from './throttle-repository.ts'

interface SecondFactorOptions extends ChangeContext {
  proof: PasswordProof
  secrets: SealedSecrets
  systemName: () => string
}

/** RFC 6238. */
export function createSecondFactorService(options: SecondFactorOptions) {
  const { database, proof, secrets, clock, systemName } = options

  // Race: serialised with sign-ins.
  const changeOf = (admin: SignedInAdmin) =>
    changesOf(options, 'session', async (tx) => {
      const factors = createSecondFactorRepository(tx)
      await factors.lockAdmin(admin.id)
      return factors
    })

  async function renewCodes(factors: SecondFactorRepository, adminId: string): Promise<string[]> {
    const codes = Array.from({ length: recoveryCodeCount }, generatePassword)
    await factors.replaceRecoveryCodes(adminId, codes.map(hashRecoveryCode))
    return codes
  }

  return {
    async state(admin: SignedInAdmin): Promise<TwoFactor> {
      const factors = createSecondFactorRepository(database.db)
      const [factor, isRequired] = await Promise.all([factors.find(admin.id), factors.isRequired(admin.id)])
      if (!factor?.confirmedAt) return { isOn: false, isRequired, since: null, recoveryCodesLeft: 0 }
      const recoveryCodesLeft = await factors.countRecoveryCodes(admin.id)
      return { isOn: true, isRequired, since: factor.confirmedAt.toISOString(), recoveryCodesLeft }
    },

    // The code is not required before it was confirmed.
    async begin(password: string, admin: SignedInAdmin, caller: Caller): Promise<TwoFactorSetUp> {
      await proof.prove({ admin, caller, password, field: 'password' })
      const secret = new Secret({ size: secretBytes }).base32
      await changeOf(admin)(async (factors) => {
        await mustBeOff(factors, admin.id)
        await factors.savePending(admin.id, secrets.seal(secret), clock())
      })
      const label = { issuer: systemName(), label: admin.email }
      const uri = new TOTP({ ...parameters, secret, ...label }).toString()
      const picture = renderSVG(uri, { border: 4 })
      return { secret, uri, qrCode: `data:image/svg+xml,${encodeURIComponent(picture)}` }
    },

    // Returns the recovery codes, which can't be read again.
    async confirm(code: string, admin: SignedInAdmin, actor: Actor): Promise<string[]> {
      const now = clock()
      // Counted apart from sign-ins: a phone with a wrong clock at the set-up must not block the account's sign-ins.
      const subjects = [throttleSubject('set-up', admin.id)]
      await countAttempt(database, subjects, now)
      // Outside of the transaction, which a wrong code rolls back.
      const begun = { since: before(now, setUpMs), until: latestNow(now), attempts: setUpAttempts }
      const isBegun = await createSecondFactorRepository(database.db).takeAttempt(admin.id, begun)
      return changeOf(admin)(async (factors, tx, record) => {
        const factor = await mustBeOff(factors, admin.id)
        const secret = factor && isBegun ? secrets.open(factor.secret) : null
        if (secret === null) throw new AppError('conflict', codeMessages.notBegun)
        const step = stepOfCode(secret, code, now)
        if (step === null) throw invalid('code', codeMessages.wrongAtSetUp)
        await factors.confirm(admin.id, now)
        // The code that was just typed opens no sign-in.
        await factors.takeStep(admin.id, step, stepAt(latestNow(now)))
        await createThrottleRepository(tx).clear(subjects)
        await record({ action: 'two-factor-on', actor })
        return renewCodes(factors, admin.id)
      })
    },

    async turnOff({ password, code }: CodeProof, admin: SignedInAdmin, caller: Caller): Promise<void> {
      // The check comes first, because proving the account uses up the code.
      const isRequired = await createSecondFactorRepository(database.db).isRequired(admin.id)
      if (isRequired) throw new AppError('conflict', codeMessages.staysOn)
      await proof.prove({ admin, caller, password, field: 'password', second: { code } })
      await changeOf(admin)(async (factors, _tx, record) => {
        const wasOn = await factors.delete(admin.id)
        if (!wasOn) throw new AppError('conflict', codeMessages.alreadyOff)
        await record({ action: 'two-factor-off', actor: actorFor(caller, admin) })
      })
    },

    async renewRecoveryCodes(given: CodeProof, admin: SignedInAdmin, caller: Caller): Promise<string[]> {
      const { password, code } = given
      await proof.prove({ admin, caller, password, field: 'password', second: { code } })
      return changeOf(admin)(async (factors, _tx, record) => {
        const factor = await factors.find(admin.id)
        if (!factor?.confirmedAt) throw new AppError('conflict', codeMessages.alreadyOff)
        await record({ action: 'recovery-codes-renewed', actor: actorFor(caller, admin) })
        return renewCodes(factors, admin.id)
      })
    },
  }
}

/**
 * Runs in the transaction that stores the setting, a new account or a new role. Each account that is newly concerned has a week.
 * @param adminId undefined for all
 */
export function requireSecondFactor(
  tx: Queryable,
  of: TwoFactorRequirement,
  now: Date,
  adminId?: string,
): Promise<void> {
  return createAccountRepository(tx).requireSecondFactor(of, secondFactorDueFrom(now), adminId)
}

type SecondFactorRepository = ReturnType<typeof createSecondFactorRepository>

async function mustBeOff(factors: SecondFactorRepository, adminId: string) {
  const factor = await factors.find(adminId)
  if (factor?.confirmedAt) throw new AppError('conflict', codeMessages.alreadyOn)
  return factor
}

export type SecondProof = 'none' | 'code' | 'recovery code'

export type SecondFactorCheck = ReturnType<typeof createSecondFactorCheck>

/** Called only after the password was correct. */
export function createSecondFactorCheck({ secrets, log }: { secrets: SealedSecrets; log: Logger }) {
  /** The administrator's row is locked: a code is used up only if the session is stored. */
  async function check(tx: Queryable, { adminId, code, now }: CodeAttempt): Promise<SecondProof> {
    const repository = createSecondFactorRepository(tx)
    const factor = await repository.find(adminId)
    if (!factor?.confirmedAt) return 'none'
    if (!code) throw refusal(codeMessages.required)

    if (isRecoveryCode(code)) {
      const isRight = await repository.takeRecoveryCode(adminId, hashRecoveryCode(code))
      if (!isRight) throw refusal(codeMessages.wrongRecovery)
      return 'recovery code'
    }
    const secret = secrets.open(factor.secret)
    if (secret === null) {
      log.error(
        'the secret of two-factor sign-in was sealed with another SECRET_KEY: only recovery codes work',
      )
      throw refusal(codeMessages.unreadable)
    }
    const step = stepOfCode(secret, code, now)
    const isTaken = step !== null && (await repository.takeStep(adminId, step, stepAt(latestNow(now))))
    if (!isTaken) throw refusal(codeMessages.wrong)
    return 'code'
  }

  return {
    check,

    /** Checks a recovery code without using it up. */
    holdsRecoveryCode: async (tx: Queryable, { adminId, code }: Omit<CodeAttempt, 'now'>): Promise<boolean> =>
      code !== undefined &&
      isRecoveryCode(code) &&
      (await createSecondFactorRepository(tx).hasRecoveryCode(adminId, hashRecoveryCode(code))),
  }
}

// Only recovery codes have letters.
function isRecoveryCode(code: string): boolean {
  return /[a-z]/i.test(code)
}

function refusal(message: string): AppError {
  return new AppError('unauthenticated', { errors: [{ path: 'code', message }] })
}

// 79 random bits each, so SHA-256 without a slow hash is safe.
function hashRecoveryCode(typed: string): Buffer {
  return sha256(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

// A set-up stays open for so many ms.
const setUpMs = 15 * 60 * 1000
const setUpAttempts = 10

// bytes: RFC 4226 recommends 160 bits.
const secretBytes = 20
// RFC 6238; period in seconds. What every authenticator app supports.
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
// Tolerated clock skew in steps, either way.
const stepsOff = 1

// Null when what was typed is the code of no step within the tolerance.
function stepOfCode(secret: string, typed: string, now: Date): number | null {
  const code = typed.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...parameters, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: stepsOff })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

function stepAt(now: Date): number {
  return TOTP.counter({ ...parameters, timestamp: now.getTime() })
}
