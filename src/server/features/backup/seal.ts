import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { Transform } from 'node:stream'
import { hashRaw } from '@node-rs/argon2'
import { BackupFileError } from './format.ts'

/**
 * A sealed file: magic, Argon2id's parameters and salt, a check of the passphrase, then chunks of AES-256-GCM. The
 * nonce of a chunk is its number and whether it is the last one (the STREAM construction), so that chunks that are
 * changed, dropped, repeated or put in another order don't open, and neither does a file that is cut short.
 */
const magic = Buffer.from('NSTP-SEALED-1\n')
const saltBytes = 16
const keyBytes = 32
const checkBytes = 32
const tagBytes = 16
const chunkBytes = 64 * 1024
const sealedChunkBytes = chunkBytes + tagBytes

/** Memory in KiB, passes, threads. 64 MiB and a fifth of a second for each guess. */
const parameters = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }
/** A damaged or hostile file must not order all of the machine's memory. */
const most = { memoryCost: 1_048_576, timeCost: 32, parallelism: 16 }

type Costs = typeof parameters

const saltAt = magic.length + 12
const checkAt = saltAt + saltBytes
export const sealHeaderBytes = checkAt + checkBytes

/** What opens and closes chunks; `header` is bound to every one of them. */
export interface SealKey {
  key: Buffer
  header: Buffer
}

/** A key of its own for a new file. */
export async function createSealKey(passphrase: string): Promise<SealKey> {
  const salt = randomBytes(saltBytes)
  const { key, check } = await derive(passphrase, salt, parameters)
  const costs = Buffer.alloc(12)
  costs.writeUInt32BE(parameters.memoryCost, 0)
  costs.writeUInt32BE(parameters.timeCost, 4)
  costs.writeUInt32BE(parameters.parallelism, 8)
  return { key, header: Buffer.concat([magic, costs, salt, check]) }
}

/** Whether these first bytes are a sealed file's. */
export function isSealed(start: Buffer): boolean {
  return start.subarray(0, magic.length).equals(magic)
}

/**
 * The key of a file.
 *
 * @param header its first `sealHeaderBytes` bytes
 * @throws BackupFileError when the passphrase is another one
 */
export async function openSealKey(header: Buffer, passphrase: string): Promise<SealKey> {
  if (header.length < sealHeaderBytes) throw new BackupFileError('The file is cut short.')
  const costs: Costs = {
    memoryCost: header.readUInt32BE(magic.length),
    timeCost: header.readUInt32BE(magic.length + 4),
    parallelism: header.readUInt32BE(magic.length + 8),
  }
  if (!areCostsPossible(costs)) throw new BackupFileError('The file is damaged at its beginning.')
  const { key, check } = await derive(passphrase, header.subarray(saltAt, checkAt), costs)
  if (!timingSafeEqual(check, header.subarray(checkAt, sealHeaderBytes))) {
    throw new BackupFileError('The passphrase does not open this file.')
  }
  return { key, header: Buffer.from(header) }
}

function areCostsPossible({ memoryCost, timeCost, parallelism }: Costs): boolean {
  if (memoryCost > most.memoryCost || timeCost > most.timeCost || parallelism > most.parallelism) return false
  return timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
}

/** The check shows that the key is right before anything is opened with it, and tells nothing about it. */
async function derive(passphrase: string, salt: Buffer, costs: Costs) {
  // The same letters typed on another system may come in another Unicode form.
  const derived = await hashRaw(passphrase.normalize('NFKC'), {
    ...costs,
    salt,
    outputLen: keyBytes + checkBytes,
  })
  return { key: derived.subarray(0, keyBytes), check: derived.subarray(keyBytes) }
}

/** Seals what is written into it. */
export function createSealer({ key, header }: SealKey): Transform {
  let number = 0
  let waiting = Buffer.alloc(0)

  function seal(chunk: Buffer, isLast: boolean): Buffer {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast)).setAAD(header)
    number += 1
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }

  return new Transform({
    construct(done) {
      this.push(header)
      done()
    },
    transform(part: Buffer, _encoding, done) {
      let rest = waiting.length === 0 ? part : Buffer.concat([waiting, part])
      // A whole chunk waits until more comes: only the end tells which one is the last.
      while (rest.length > chunkBytes) {
        this.push(seal(rest.subarray(0, chunkBytes), false))
        rest = rest.subarray(chunkBytes)
      }
      waiting = Buffer.from(rest)
      done()
    },
    flush(done) {
      this.push(seal(waiting, true))
      done()
    },
  })
}

/**
 * Opens a sealed file's bytes, each chunk only if it is exactly as it was written.
 *
 * @param source the bytes after the header
 * @throws BackupFileError
 */
export async function* unseal(
  source: AsyncIterable<Buffer>,
  { key, header }: SealKey,
): AsyncGenerator<Buffer> {
  let number = 0
  let waiting = Buffer.alloc(0)

  function open(chunk: Buffer, isLast: boolean): Buffer {
    if (chunk.length < tagBytes) throw new BackupFileError('The file is cut short.')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    })
      .setAAD(header)
      .setAuthTag(chunk.subarray(-tagBytes))
    number += 1
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()])
    } catch (cause) {
      throw new BackupFileError('The file is damaged or cut short.', { cause })
    }
  }

  for await (const part of source) {
    let rest = waiting.length === 0 ? part : Buffer.concat([waiting, part])
    while (rest.length > sealedChunkBytes) {
      yield open(rest.subarray(0, sealedChunkBytes), false)
      rest = rest.subarray(sealedChunkBytes)
    }
    waiting = Buffer.from(rest)
  }
  yield open(waiting, true)
}

/** 12 bytes, never twice under one key: every file has its own. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 0)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}
