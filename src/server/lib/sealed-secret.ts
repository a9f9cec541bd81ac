import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from './digest.ts'

const algorithm = 'aes-256-gcm'
const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

export type SealedSecrets = ReturnType<typeof createSealedSecrets>

/**
 * Reversible encryption of secrets for database columns: a copy of the database alone reveals nothing.
 * @param secretKey SECRET_KEY
 * @param purpose derives a key: a secret sealed for one purpose opens for no other
 */
export function createSealedSecrets({ secretKey, purpose }: { secretKey: Buffer; purpose: string }) {
  return createSealing(sealedSecretKey(secretKey, purpose))
}

export function sealedSecretKey(secretKey: Buffer, purpose: string): Buffer {
  return deriveKey(secretKey, `sealed secret: ${purpose}`)
}

/** @param key of 32 bytes */
export function createSealing(key: Buffer) {
  return {
    seal(secret: string): Buffer {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      const content = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), content])
    },

    /** Returns null when the secret was sealed with another SECRET_KEY, or is damaged. */
    open(sealed: Buffer): string | null {
      if (sealed.length < headBytes || sealed[0] !== version) return null
      const nonce = sealed.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      decipher.setAuthTag(sealed.subarray(1 + nonceBytes, headBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(headBytes)), decipher.final()]).toString('utf8')
      } catch {
        // The tag doesn't match: the only possible failure.
        return null
      }
    },
  }
}
