import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '#server/database/errors.ts'
import { ConfigurationError } from '#server/env.ts'
import { signatureOf } from './digest.ts'
import { fileFaultOf } from './file-faults.ts'

const fileName = 'secret.key'
// 32 random bytes as base64url.
const keyLength = 43

/**
 * The secret that signs receipts and encrypts stored secrets: SECRET_KEY, or one generated once into the data folder.
 * Processes on several machines need the same SECRET_KEY.
 * @param folder the product's own folder, created if needed
 * @throws ConfigurationError when the file is damaged: a new key would make stored secrets unreadable
 */
export async function readSecretKey(secretKey: string | undefined, folder: string): Promise<Buffer> {
  if (secretKey !== undefined) return Buffer.from(secretKey)
  const file = join(folder, fileName)
  await createFolder(folder)
  await generateOnce(file)
  const key = await readKey(file)
  if (key.length >= keyLength) return Buffer.from(key)
  throw new ConfigurationError(`${file} does not contain a complete key. ${restoreOrDelete}`)
}

const restoreOrDelete =
  'Restore your copy of it, or delete it: receipts of the last hour and stored secrets, such as the mail password, are then lost.'

async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true })
  } catch (cause) {
    const code = codeOf(cause)
    // With DATABASE_URL no other code has checked the folder before.
    if (code !== 'EEXIST' && code !== 'ENOTDIR') throw cause
    throw new ConfigurationError(
      `The data folder ${path} can't be created: there is a file of that name, or on the way to it. Set DATA_DIR to another folder.`,
      { cause },
    )
  }
}

async function readKey(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    const fault = codeOf(cause) === 'ENOENT' ? undefined : fileFaultOf(cause)
    if (fault === undefined) throw cause
    // The copy of a backup by root belongs to root; a container makes a folder of a file that isn't there.
    const remedy =
      codeOf(cause) === 'EACCES'
        ? 'Make the user that NSTP Portal runs as its owner (chown).'
        : restoreOrDelete
    throw new ConfigurationError(`${file} can't be read. ${fault} ${remedy}`, { cause })
  }
}

// The name appears with its content, or not at all: another process may start at the same moment.
async function generateOnce(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  try {
    // Root may start a product whose folder belongs to another user.
    const { uid, gid } = await stat(dirname(file))
    if (process.getuid?.() === 0) await chown(draft, uid, gid)
    await link(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
}

/** Identifies a key without revealing it: another installation with the same fingerprint can read its secrets. */
export function fingerprintOf(secretKey: Buffer): string {
  return signatureOf(secretKey, 'nstp-portal fingerprint').toString('hex').slice(0, 16)
}

export async function findSecretKey(secretKey: string | undefined, folder: string): Promise<Buffer | null> {
  if (secretKey !== undefined) return Buffer.from(secretKey)
  try {
    return Buffer.from(await readKey(join(folder, fileName)))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}
