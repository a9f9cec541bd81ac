import { createHash } from 'node:crypto'
import { recoveryCodeCount } from '#shared/account.ts'
import { generatePassword } from './generated-password.ts'

/** A recovery code to write down, and what the database keeps of it. */
export interface RecoveryCode {
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
export function hashRecoveryCode(typed: string): Buffer {
  const plain = typed.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHash('sha256').update(plain).digest()
}
