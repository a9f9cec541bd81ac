import { createHash, createHmac, hkdfSync } from 'node:crypto'

export function sha256(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Derives a key for a signature or a cipher: a key of one purpose opens nothing of another. */
export function deriveKey(secretKey: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', purpose, 32))
}

export function signatureOf(key: Buffer, content: string | Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest()
}
