import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigurationError } from '#server/env.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { findSecretKey, readSecretKey } from './secret-key.ts'

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

test('a folder in the place of the key, and a file in that of the folder, are reported in a sentence', async () => {
  const path = join(folder, 'secret.key')
  mkdirSync(path)
  const sentence =
    `${path} can't be read. It is a folder. Restore your copy of it, or delete it: receipts of the last hour and ` +
    'stored secrets, such as the mail password, are then lost.'
  for (const read of [readSecretKey, findSecretKey]) {
    await expect(read(undefined, folder)).rejects.toThrow(new ConfigurationError(sentence))
  }
  expect(readdirSync(folder)).toEqual(['secret.key'])
  const file = join(folder, 'a file')
  writeFileSync(file, '')
  for (const wanted of [file, join(file, 'data')]) {
    const refusal = `The data folder ${wanted} can't be created: there is a file of that name, or on the way to it. Set DATA_DIR to another folder.`
    await expect(readSecretKey(undefined, wanted)).rejects.toThrow(new ConfigurationError(refusal))
  }
})
