import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'secret.key'

/**
 * The secret that signs receipts and encrypts stored secrets: SECRET_KEY, or one that is generated once into
 * the data folder. Several processes on several machines need the same SECRET_KEY.
 *
 * @param secretKey the environment's SECRET_KEY
 * @param folder the product's own folder, created if need be
 */
export async function readSecretKey(secretKey: string | undefined, folder: string): Promise<Buffer> {
  if (secretKey !== undefined) return Buffer.from(secretKey)
  const file = join(folder, fileName)
  await mkdir(folder, { recursive: true })
  try {
    // 'wx' fails when the file is there: of two processes that start together, the second reads the first's.
    await writeFile(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return Buffer.from(await readFile(file, 'utf8'))
}
