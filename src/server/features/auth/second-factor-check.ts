import { Secret, TOTP } from 'otpauth'
import type { Logger } from 'pino'
import { renderSVG } from 'uqr'
import type { Queryable } from '#server/database/schema.ts'
import { sha256 } from '#server/lib/digest.ts'
import { AppError } from '#server/lib/errors.ts'
import type { SealedSecrets } from '#server/lib/sealed-secret.ts'
import { codeMessages, recoveryCodeCount, type TwoFactorSetUp } from '#shared/auth/account.ts'
import { generatePassword } from './password-service.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { latestNow } from './session-cookies.ts'

export type SecondProof = 'none' | 'code' | 'recovery code'

export interface CodeAttempt {
  adminId: string
  code: string | undefined
  now: Date
}

export type SecondFactorCheck = ReturnType<typeof createSecondFactorCheck>

/** Called only after the password was correct. */
export function createSecondFactorCheck({ secrets, log }: { secrets: SealedSecrets; log: Logger }) {
  /**
   * The administrator's row is locked: a code is used up only if the session is stored.
   * @throws AppError `unauthenticated` at `code`
   */
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
    const step = stepOfCode(secret, parseTotpCode(code) ?? '', now)
    const isTaken = step !== null && (await repository.takeStep(adminId, step, stepAt(latestNow(now))))
    if (!isTaken) throw refusal(codeMessages.wrong)
    return 'code'
  }

  return { check }
}

function isRecoveryCode(typed: string): boolean {
  return /[a-z]/i.test(typed)
}

function refusal(message: string): AppError {
  return new AppError('unauthenticated', { detail: message, errors: [{ path: 'code', message }] })
}

interface RecoveryCode {
  text: string
  hash: Buffer
}

/** 79 random bits each, so SHA-256 without a slow hash is safe. */
export function createRecoveryCodes(): RecoveryCode[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = generatePassword()
    return { text, hash: hashRecoveryCode(text) }
  })
}

function hashRecoveryCode(typed: string): Buffer {
  return sha256(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

// bytes: RFC 4226 recommends 160 bits.
const secretBytes = 20
// RFC 6238; period in seconds. What every authenticator app supports.
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
// Tolerated clock skew in steps, either way.
const stepsOff = 1

/** Base32. */
export function createTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

export function describeTotp(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): TwoFactorSetUp {
  const uri = new TOTP({ ...parameters, secret, issuer, label: account }).toString()
  const picture = renderSVG(uri, { border: 4 })
  return { secret, uri, qrCode: `data:image/svg+xml,${encodeURIComponent(picture)}` }
}

/** RFC 6238; null when the code matches no step within the tolerance. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...parameters, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: stepsOff })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

export function stepAt(now: Date): number {
  return TOTP.counter({ ...parameters, timestamp: now.getTime() })
}

export function parseTotpCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}
