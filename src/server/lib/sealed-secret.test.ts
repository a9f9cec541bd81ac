import { hkdfSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnv } from '#server/env.ts'
import { makeTemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { deriveKey, signatureOf } from './digest.ts'
import { createSealedSecrets } from './sealed-secret.ts'
import { readSecretKey } from './secret-key.ts'

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

test('keys, signatures and tags have at least 128 bits, and so has the secret key', async () => {
  const key = deriveKey(secretKey, 'a test')
  expect(key).toEqual(Buffer.from(hkdfSync('sha256', secretKey, '', 'a test', 32)))
  expect(key.length * 8).toBe(256)
  expect(signatureOf(key, 'content').length * 8).toBe(256)
  // The version, and the nonce of GCM.
  expect((box.seal('').length - 1 - 12) * 8).toBe(128)
  expect(() => readEnv({ SECRET_KEY: 'k'.repeat(31) })).toThrow('SECRET_KEY')
  const folders = Array.from({ length: 12 }, makeTemporaryFolder)
  const generated = await Promise.all(folders.map(({ path }) => readSecretKey(undefined, path)))
  for (const { remove } of folders) remove()
  // Six bits a character: of twelve keys none is the same in any of them, by chance once in 10^19.
  const places = Array.from({ length: 43 }, (_, at) => new Set(generated.map((one) => one[at])).size)
  expect(places.every((different) => different > 1)).toBe(true)
})

test('nothing of the product shares a key: each purpose is named once', () => {
  const sources = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join('src/server', file), 'utf8'))
  const purposes = sources.flatMap((source) => [
    ...[...source.matchAll(/deriveKey\(\w+, ([^)]+)\)/g)].map(([, purpose]) => purpose),
    ...[...source.matchAll(/createSealedSecrets\(\{ secretKey, purpose: ([^}]+) \}\)/g)].map(
      ([, purpose]) => `of ${purpose}`,
    ),
    ...[...source.matchAll(/sealedSecretKey\(\w+, ('[^']+')\)/g)].map(([, purpose]) => `of ${purpose}`),
  ])
  // The one of `createSealedSecrets` itself stands for all of its own.
  expect(purposes.filter((purpose) => !purpose?.startsWith('`sealed secret: ')).sort()).toEqual([
    "'backup'",
    "'browsers of students'",
    "'code of the day'",
    "'codes of students'",
    "'erasures'",
    "'opt-outs'",
    "'registration challenge'",
    "'registration receipt'",
    "of 'kept keys'",
    "of 'mail account'",
    "of 'nightly backup'",
    "of 'two-factor sign-in'",
    "of 'unsubscribe link'",
  ])
})
