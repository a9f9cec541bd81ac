import { expect, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import { deriveKey, signatureOf } from './digest.ts'
import { createSealedSecrets } from './sealed-secret.ts'

const secretKey = Buffer.from('the secret key of this installation')
const box = createSealedSecrets({ secretKey, purpose: 'a test' })

test('what was sealed is opened again', () => {
  for (const secret of ['', 'JBSWY3DPEHPK3PXP', 'señorita de Peñafrancia']) {
    expect(box.open(box.seal(secret))).toBe(secret)
  }
})

test('nothing of the secret can be read from outside, not even that two are the same', () => {
  const first = box.seal('JBSWY3DPEHPK3PXP')
  expect(first.includes('JBSWY3DP')).toBe(false)
  expect(first.equals(box.seal('JBSWY3DPEHPK3PXP'))).toBe(false)
})

test('another SECRET_KEY opens nothing, nor does another purpose', () => {
  const sealed = box.seal('secret')
  const otherKey = createSealedSecrets({ secretKey: Buffer.from('another key'), purpose: 'a test' })
  const otherPurpose = createSealedSecrets({ secretKey, purpose: 'another test' })
  expect(otherKey.open(sealed)).toBeNull()
  expect(otherPurpose.open(sealed)).toBeNull()
})

test('a change of any byte is noticed', () => {
  const sealed = box.seal('secret')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(box.open(changed)).toBeNull()
  }
  expect(box.open(sealed.subarray(0, 20))).toBeNull()
  expect(box.open(Buffer.alloc(0))).toBeNull()
})

test('keys, signatures and tags have at least 128 bits, and so has the secret key', () => {
  const key = deriveKey(secretKey, 'a test')
  expect(key.length * 8).toBe(256)
  expect(signatureOf(key, 'content').length * 8).toBe(256)
  // The version, and the nonce of GCM.
  expect((box.seal('').length - 1 - 12) * 8).toBe(128)
  expect(() => readEnv({ SECRET_KEY: 'k'.repeat(31) })).toThrow('SECRET_KEY')
})
