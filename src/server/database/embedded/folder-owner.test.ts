import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeTemporaryFolder, type TemporaryFolder } from '#tests/setup/temporary-folder.ts'
import { type FolderOwnership, ownFolder } from './folder-owner.ts'
import { ownIdentity } from './stale-server.ts'

describe('the owner of a data folder', () => {
  let folder: TemporaryFolder
  let ownerships: FolderOwnership[]

  beforeEach(() => {
    folder = makeTemporaryFolder()
    ownerships = []
  })
  afterEach(() => {
    for (const ownership of ownerships) ownership.release()
    folder.remove()
  })

  async function own() {
    const ownership = await ownFolder(folder.path, { ids: {} })
    ownerships.push(ownership)
    return ownership
  }

  function writeRecord(fields: object) {
    const record = { ...ownIdentity(), folder: statSync(folder.path).ino, released: false, ...fields }
    const path = join(folder.path, 'owner-7.json')
    writeFileSync(path, JSON.stringify(record))
    return path
  }

  test('is the only one, and is reported to the others', async () => {
    await own()
    await expect(own()).rejects.toThrow(
      `NSTP Portal is already running from this data folder (process ${process.pid}): ${folder.path}. Stop it first, or set DATA_DIR to another folder.`,
    )
  })

  test('is one of many concurrent processes', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, own))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('can be followed by another after it released the folder', async () => {
    const first = await own()
    first.release()
    await own()
    expect(readdirSync(folder.path)).toHaveLength(1)
  })

  test('that was killed is replaced at once', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    writeRecord({ pid: child.pid, startedAt: 'whenever' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await own()
  })

  test('that was killed is not mistaken for another process with the same pid', async () => {
    writeRecord({ startedAt: 'long ago' })
    await own()
  })

  test('of an earlier boot of the machine is replaced', async () => {
    writeRecord({ boot: 'another' })
    await own()
  })

  test('of the original of a copied folder is ignored', async () => {
    writeRecord({ folder: 1 })
    await own()
  })

  test('with a record truncated by a power failure is replaced', async () => {
    writeFileSync(join(folder.path, 'owner-3.json'), '{"pid":')
    await own()
  })

  test('in another container is respected while its heartbeat continues', async () => {
    const path = writeRecord({ pidSpace: 'another', host: 'container' })
    const life = setInterval(() => utimesSync(path, new Date(), new Date()), 500)
    try {
      await expect(own()).rejects.toThrow(`(process ${process.pid} on container)`)
    } finally {
      clearInterval(life)
    }
  })

  test('in another container without a heartbeat is replaced', { tags: ['rest'] }, async () => {
    writeRecord({ pidSpace: 'another' })
    await own()
  })
})
