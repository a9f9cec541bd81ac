import type { Logger } from 'pino'
import type { Queryable } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { SealedSecrets } from '#server/sealed-secret.ts'
import { codeMessages } from '#shared/account.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { createSecondFactorRepository } from './second-factor-repository.ts'
import { latestNow } from './session-limits.ts'
import { parseTotpCode, stepAt, stepOfCode } from './totp.ts'

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
