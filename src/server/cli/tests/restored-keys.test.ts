import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readKeptKeys } from '#server/features/backup/kept-keys-repository.ts'
import { createOptOutHash, createOptOutRepository } from '#server/features/mail/opt-outs-repository.ts'
import { createUnsubscribeTokens } from '#server/features/mail/rendering/renderer.ts'
import { erase } from '#server/features/privacy/erasure-repository.ts'
import { type KeptKeys, keptKeysOf } from '#server/lib/kept-keys.ts'
import { storeStudent } from '#tests/factories/stored-student.ts'
import { createAuthOn } from '#tests/setup/auth.ts'
import { runBackup, runRestore } from '#tests/setup/operator-commands.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '#tests/setup/test-database.ts'

const address = 'juan@student.example'
const ofOld = 'a'.repeat(32)
const ofNew = 'b'.repeat(32)

let folder: TemporaryFolder
let old: TestDatabase
let next: TestDatabase

beforeEach(async () => {
  folder = makeTemporaryFolder()
  ;[old, next] = [await createTestDatabase(), await createTestDatabase()]
  await createAuthOn(old).reset()
})
afterEach(async () => {
  await old.close()
  await next.close()
  folder.remove()
})

const envOf = ({ url }: TestDatabase, key: string) => ({
  DATABASE_URL: url,
  DATA_DIR: join(folder.path, key.slice(0, 4)),
  SECRET_KEY: key,
  BACKUP_PASSPHRASE: 'correct horse battery staple',
})

async function backUp(from: TestDatabase, key: string, name: string, ...options: string[]): Promise<string> {
  const path = join(folder.path, name)
  expect(await runBackup([path, ...options], { env: envOf(from, key) })).toMatchObject({ code: 0 })
  return path
}

async function restore(path: string, to: TestDatabase, key: string) {
  const { code, output } = await runRestore([path, '--yes'], { env: envOf(to, key) })
  expect(code).toBe(0)
  return output
}

const keysOf = ({ db }: TestDatabase, key: string) => readKeptKeys(db, Buffer.from(key))

async function hasOptedOut({ db }: TestDatabase, keys: KeptKeys): Promise<boolean> {
  return (await createOptOutRepository(db, createOptOutHash(keys)).optedOutAmong([address])).has(address)
}

async function optOut(database: TestDatabase, key: string): Promise<string> {
  const keys = await keysOf(database, key)
  await createOptOutRepository(database.db, createOptOutHash(keys)).add(address, new Date())
  return createUnsubscribeTokens(keys).tokenOf(address)
}

test('a sealed backup knows beside another SECRET_KEY who unsubscribed, and the links of sent e-mails', async () => {
  const token = await optOut(old, ofOld)
  await restore(await backUp(old, ofOld, 'one.nstp'), next, ofNew)
  const keys = await keysOf(next, ofNew)
  expect(await hasOptedOut(next, keys)).toBe(true)
  expect(createUnsubscribeTokens(keys).addressOf(token)).toBe(address)
  // The key of here alone knows neither, and none but it opens what was kept.
  expect(await hasOptedOut(next, keptKeysOf(Buffer.from(ofNew)))).toBe(false)
  const other = 'c'.repeat(32)
  expect(await keysOf(next, other)).toEqual(keptKeysOf(Buffer.from(other)))
})

test('and so does the backup of what was restored, on a third machine', async () => {
  await optOut(old, ofOld)
  await restore(await backUp(old, ofOld, 'one.nstp'), next, ofNew)
  const third = 'c'.repeat(32)
  await restore(await backUp(next, ofNew, 'two.nstp'), old, third)
  expect(await hasOptedOut(old, await keysOf(old, third))).toBe(true)
})

test('who is erased after such a restore does not come back with the older backup', async () => {
  const { id } = await storeStudent(old)
  const backup = await backUp(old, ofOld, 'one.nstp')
  await restore(backup, next, ofNew)
  await erase(next.db, id, await keysOf(next, ofNew), new Date())
  expect(await restore(backup, next, ofNew)).toContain(
    'Deleted again, because they were erased since the backup: 1 student.',
  )
  expect(await next.db.selectFrom('students').select('id').execute()).toEqual([])
})

test('a backup without a passphrase has no key in it, and what was kept before it stays', async () => {
  await optOut(old, ofOld)
  await restore(await backUp(old, ofOld, 'one.nstp'), next, ofNew)
  const plain = await backUp(next, ofNew, 'plain.nstp', '--unencrypted')
  expect(gunzipSync(readFileSync(plain)).toString().trim().split('\n').at(-1)).not.toContain('keys')
  await restore(plain, next, ofNew)
  expect(await hasOptedOut(next, await keysOf(next, ofNew))).toBe(true)
})
