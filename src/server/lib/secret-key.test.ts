import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { readSecretKey } from './secret-key.ts'

let temporary: TemporaryFolder
let folder: string

beforeEach(() => {
  temporary = makeTemporaryFolder()
  folder = temporary.path
})
afterEach(() => temporary.remove())

test('a key is generated once and only its owner may read it', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => readSecretKey(undefined, folder)))
  expect(new Set(keys.map(String)).size).toBe(1)
  expect(await readSecretKey(undefined, folder)).toEqual(keys[0])
  expect(readdirSync(folder)).toEqual(['secret.key'])
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600)
})

test('SECRET_KEY is used as it is, without a file', async () => {
  expect(String(await readSecretKey('a secret of the operator, long enough', folder))).toMatch(/^a secret/)
  expect(readdirSync(folder)).toEqual([])
})

test('a damaged key is reported, not replaced', async () => {
  writeFileSync(join(folder, 'secret.key'), '')
  await expect(readSecretKey(undefined, folder)).rejects.toThrow(/does not contain a complete key/)
})

test('a folder in its place is reported', async () => {
  mkdirSync(join(folder, 'secret.key'))
  await expect(readSecretKey(undefined, folder)).rejects.toThrow(/secret\.key is a folder\./)
})
