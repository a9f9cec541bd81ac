import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupFileError, type BackupHeader, gzipMagic, type RowCounts } from './format.ts'
import { type BackupPart, readBackup } from './read-backup.ts'
import { isSealed, openSealKey, type SealKey, sealHeaderBytes, unseal } from './seal.ts'

/** Fewer turns of the event loop for a large file than with the default of 16 KiB. */
const chunkSize = 256 * 1024

/** A backup's file, to be read as often as it is wanted. */
export interface BackupFile {
  /** Reads it from its beginning. Only at the end it is certain that all of it is as it was written. */
  parts: () => AsyncGenerator<BackupPart>
}

/** What a file turned out to hold. */
export interface BackupSummary {
  header: BackupHeader
  rows: RowCounts
  sha256: string
}

/**
 * Opens a backup's file.
 *
 * @param askPassphrase asked if the file is sealed
 * @throws BackupFileError
 */
export async function openBackupFile(
  path: string,
  askPassphrase: () => Promise<string>,
): Promise<BackupFile> {
  const start = await readStart(path)
  if (isSealed(start)) {
    const key = await openSealKey(start, await askPassphrase())
    return { parts: () => readParts(path, key) }
  }
  if (!start.subarray(0, gzipMagic.length).equals(gzipMagic)) {
    throw new BackupFileError('The file is not a backup of NSTP Portal.')
  }
  return { parts: () => readParts(path, null) }
}

/**
 * Reads a file to its end.
 *
 * @throws BackupFileError unless all of it is as it was written
 */
export async function verifyBackup(file: BackupFile): Promise<BackupSummary> {
  let header: BackupHeader | undefined
  let end: Omit<BackupSummary, 'header'> | undefined
  // To its very end: nothing may follow the last line, and the compression's own checksum comes after it.
  for await (const part of file.parts()) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'end') end = { rows: part.rows, sha256: part.sha256 }
  }
  if (!header || !end) throw new BackupFileError('The file is cut short.')
  return { header, ...end }
}

async function readStart(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    if (!(await handle.stat()).isFile()) throw new BackupFileError('The file is a folder or a device.')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sealHeaderBytes), 0, sealHeaderBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function* readParts(path: string, key: SealKey | null): AsyncGenerator<BackupPart> {
  const file = createReadStream(path, { highWaterMark: chunkSize, start: key ? sealHeaderBytes : 0 })
  const gunzip = createGunzip({ chunkSize })
  const source = key ? Readable.from(unseal(file, key), { objectMode: false }) : file
  // Whoever reads gets the error from the last of them.
  pipeline(source, gunzip, () => undefined)
  try {
    yield* readBackup(gunzip)
  } catch (error) {
    throw toFileError(error)
  } finally {
    gunzip.destroy()
  }
}

/** zlib's refusals in words; anything else, such as an unreadable disk, as it is. */
function toFileError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || !code.startsWith('Z_')) return error
  const sentence = code === 'Z_BUF_ERROR' ? 'The file is cut short.' : 'The file is damaged.'
  return new BackupFileError(sentence, { cause: error })
}
