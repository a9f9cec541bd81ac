import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Logger } from 'pino'
import { renderSVG } from 'uqr'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/lib/errors.ts'
import type { SealedSecrets } from '#server/lib/sealed-secret.ts'
import { codeMessages, recoveryCodeCount, type TwoFactorSetUp } from '#shared/auth/account.ts'
import { generatePassword } from './passwords.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { latestNow } from './session-cookies.ts'

/** What a sign-in was opened with beside the password. */
export type SecondProof = 'none' | 'code' | 'recovery code'

export interface CodeAttempt {
  adminId: string
  /** As typed; undefined or blank when it wasn't asked for yet. */
  code: string | undefined
  now: Date
}

export type SecondFactorCheck = ReturnType<typeof createSecondFactorCheck>

/** The second question of a sign-in, asked once the password was right. */
export function createSecondFactorCheck({ secrets, log }: { secrets: SealedSecrets; log: Logger }) {
  /**
   * @param tx the sign-in's transaction, in which the administrator's row is locked: a code is used up if and only
   *   if the session stands
   * @throws AppError `unauthenticated` with the sentence at `code`
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

/** Only recovery codes have letters. A code of the app with a digit too few is still one of the app. */
function isRecoveryCode(typed: string): boolean {
  return /[a-z]/i.test(typed)
}

function refusal(message: string): AppError {
  return new AppError('unauthenticated', { detail: message, errors: [{ path: 'code', message }] })
}

/** A recovery code to write down, and what the database keeps of it. */
interface RecoveryCode {
  text: string
  hash: Buffer
}

/** Ten new codes: 'h7mp-x3tr-9wqd-b4fz'. With 79 random bits each a plain SHA-256 can't be turned back. */
export function createRecoveryCodes(): RecoveryCode[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = generatePassword()
    return { text, hash: hashRecoveryCode(text) }
  })
}

/** Takes a code however it was typed: in capitals, with blanks, without its hyphens. */
function hashRecoveryCode(typed: string): Buffer {
  const plain = typed.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHash('sha256').update(plain).digest()
}

/** RFC 4226 recommends 160 bits. */
const secretBytes = 20
/** What every authenticator app takes: SHA-1, six digits, half a minute. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** How many steps a clock may be off, to either side. */
const stepsOff = 1

/** A new secret in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** What an authenticator app reads. @param issuer the name it shows above the account */
export function describeTotp(
  secret: string,
  { issuer, account }: { issuer: string; account: string },
): TwoFactorSetUp {
  const uri = new TOTP({ ...parameters, secret, issuer, label: account }).toString()
  const picture = renderSVG(uri, { border: 4 })
  return { secret, uri, qrCode: `data:image/svg+xml,${encodeURIComponent(picture)}` }
}

/** The time step (RFC 6238) whose code this is, of now and its neighbours; null when it is none of theirs. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ ...parameters, secret })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: stepsOff })
  return delta === null ? null : totp.counter({ timestamp }) + delta
}

/** The time step that a moment lies in. */
export function stepAt(now: Date): number {
  return TOTP.counter({ ...parameters, timestamp: now.getTime() })
}

/** '123 456', as apps show it, → '123456'; undefined for what can't be such a code. */
export function parseTotpCode(typed: string): string | undefined {
  const code = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : undefined
}
