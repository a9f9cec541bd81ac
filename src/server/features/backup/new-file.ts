import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'

// Errors of systems that can't open a folder to sync it (Windows), or that don't need it.
const foldersAreSafe = ['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']

/** @throws ConfigurationError */
export function refuseExisting(path: string): void {
  if (!existsSync(path)) return
  if (statSync(path).isDirectory()) {
    throw new ConfigurationError(`${path} is a folder. Name a new file in it.`)
  }
  throw new ConfigurationError(`${path} already exists. Name another file, or delete that one first.`)
}

/** Writes a new file that only its owner may read. The name appears only when the content is on the disk. */
export async function writeNewFile(path: string, content: Readable, signal: AbortSignal): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  // `flush` waits for the disk before the file counts as written.
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const closed = new Promise<void>((resolve) => file.once('close', () => resolve()))
  try {
    await pipeline(content, file, { signal })
    refuseExisting(path)
    await rename(draft, path)
  } catch (error) {
    content.destroy()
    // Race: a file that is still being opened would appear after it was deleted.
    await closed
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(resolve(path)))
}

// A new name survives a power failure only after its folder is synced.
async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!foldersAreSafe.includes(codeOf(error) ?? '')) throw error
  }
}
