import { randomBytes } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { codeOf } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'

/** Systems that can't open a folder to write it down (Windows), or say that there is no need. */
const foldersAreSafe = ['EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP']

/** @throws ConfigurationError when there is a file of that name */
export function refuseExisting(path: string): void {
  if (!existsSync(path)) return
  throw new ConfigurationError(`${path} exists already. Name another file, or remove that one first.`)
}

/**
 * Writes a new file that only its owner may read. The name appears when all of it is on the disk, or not at all.
 *
 * @throws ConfigurationError when there is a file of that name
 */
export async function writeNewFile(path: string, content: Readable, signal: AbortSignal): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}.part`
  try {
    // `flush` waits for the disk before the file counts as written.
    await pipeline(content, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal })
    refuseExisting(path)
    await rename(draft, path)
  } catch (error) {
    content.destroy()
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(resolve(path)))
}

/** A new name is safe from a power failure once its folder is written. */
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
