import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { fileSentenceOf } from './file-sentence.ts'
import { writeNewFile } from './new-file.ts'

let folder: TemporaryFolder
let path: string
const { signal } = new AbortController()

beforeEach(() => {
  folder = makeTemporaryFolder()
  path = join(folder.path, 'new')
})
afterEach(() => folder.remove())

test('the file appears whole, for its owner only', async () => {
  await writeNewFile(path, Readable.from([Buffer.from('one '), Buffer.from('two')]), signal)
  expect(readFileSync(path, 'utf8')).toBe('one two')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder.path)).toEqual(['new'])
})

test('a fault on the way, such as a full disk, leaves no file, and is told in a sentence', async () => {
  async function* failing() {
    yield Buffer.alloc(100_000)
    // While it is being written, its name doesn't exist yet.
    expect(readdirSync(folder.path).every((name) => name.endsWith('.part'))).toBe(true)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  const fault: unknown = await writeNewFile(path, Readable.from(failing()), signal).catch(
    (error: unknown) => error,
  )
  expect(fileSentenceOf(fault, path)).toBe(`${path}: The disk is full.`)
  expect(readdirSync(folder.path)).toEqual([])
})

test('a file that came meanwhile is not overwritten', async () => {
  async function* slow() {
    yield Buffer.from('mine')
    writeFileSync(path, 'theirs')
  }
  await expect(writeNewFile(path, Readable.from(slow()), signal)).rejects.toThrow('exists already')
  expect(readFileSync(path, 'utf8')).toBe('theirs')
  expect(readdirSync(folder.path)).toEqual(['new'])
})
