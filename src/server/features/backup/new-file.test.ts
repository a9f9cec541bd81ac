import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileFaultOf } from '#server/lib/file-faults.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { writeNewFile } from './new-file.ts'

describe('new file', () => {
  let newFileFolder: TemporaryFolder
  let path: string
  const { signal } = new AbortController()

  beforeEach(() => {
    newFileFolder = makeTemporaryFolder()
    path = join(newFileFolder.path, 'new')
  })
  afterEach(() => newFileFolder.remove())

  test('the file appears complete, readable by its owner only', async () => {
    await writeNewFile(path, Readable.from([Buffer.from('one '), Buffer.from('two')]), signal)
    expect(readFileSync(path, 'utf8')).toBe('one two')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(newFileFolder.path)).toEqual(['new'])
  })

  test('an error while writing, such as a full disk, leaves no file and is reported', async () => {
    async function* failing() {
      yield Buffer.alloc(100_000)
      // While it is being written, its name doesn't exist yet.
      expect(readdirSync(newFileFolder.path).every((name) => name.endsWith('.part'))).toBe(true)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    const fault: unknown = await writeNewFile(path, Readable.from(failing()), signal).catch(
      (error: unknown) => error,
    )
    expect(fileFaultOf(fault)).toBe('The disk is full.')
    expect(readdirSync(newFileFolder.path)).toEqual([])
  })

  test('a file created meanwhile is not overwritten', async () => {
    async function* slow() {
      yield Buffer.from('mine')
      writeFileSync(path, 'theirs')
    }
    await expect(writeNewFile(path, Readable.from(slow()), signal)).rejects.toThrow('already exists')
    expect(readFileSync(path, 'utf8')).toBe('theirs')
    expect(readdirSync(newFileFolder.path)).toEqual(['new'])
  })
})
