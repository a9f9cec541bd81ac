import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto'
import { Transform } from 'node:stream'
import { hashRaw } from '@node-rs/argon2'
import { BackupFileError } from './format.ts'

// Magic, Argon2id parameters and salt, passphrase check, then AES-256-GCM chunks. The nonce is the chunk's number and whether it is the last (STREAM
// construction), so that changed, dropped, repeated, reordered or truncated chunks fail.
const magic = Buffer.from('NSTP-SEALED-1\n')
const saltBytes = 16
const keyBytes = 32
const checkBytes = 32
const tagBytes = 16
const chunkBytes = 64 * 1024
const sealedChunkBytes = chunkBytes + tagBytes

// KiB, passes, threads: 64 MiB and 200 ms for each guess.
const parameters = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }
// Security: a hostile file must not exhaust the memory.
const most = { memoryCost: 1_048_576, timeCost: 32, parallelism: 16 }

type Costs = typeof parameters

const saltAt = magic.length + 12
const checkAt = saltAt + saltBytes
export const sealHeaderBytes = checkAt + checkBytes

export interface SealKey {
  key: Buffer
  header: Buffer
}

export async function createSealKey(passphrase: string): Promise<SealKey> {
  const salt = randomBytes(saltBytes)
  const { key, check } = await derive(passphrase, salt, parameters)
  const costs = Buffer.alloc(12)
  costs.writeUInt32BE(parameters.memoryCost, 0)
  costs.writeUInt32BE(parameters.timeCost, 4)
  costs.writeUInt32BE(parameters.parallelism, 8)
  return { key, header: Buffer.concat([magic, costs, salt, check]) }
}

export function isSealed(start: Buffer): boolean {
  return start.subarray(0, magic.length).equals(magic)
}

/** @param header the first `sealHeaderBytes` bytes */
export async function openSealKey(header: Buffer, passphrase: string): Promise<SealKey> {
  if (header.length < sealHeaderBytes) throw new BackupFileError('The file is incomplete.')
  const costs: Costs = {
    memoryCost: header.readUInt32BE(magic.length),
    timeCost: header.readUInt32BE(magic.length + 4),
    parallelism: header.readUInt32BE(magic.length + 8),
  }
  if (!areCostsPossible(costs)) throw new BackupFileError('The start of the file is damaged.')
  const { key, check } = await derive(passphrase, header.subarray(saltAt, checkAt), costs)
  if (!timingSafeEqual(check, header.subarray(checkAt, sealHeaderBytes))) {
    throw new BackupFileError('Wrong passphrase.')
  }
  return { key, header: Buffer.from(header) }
}

function areCostsPossible({ memoryCost, timeCost, parallelism }: Costs): boolean {
  if (memoryCost > most.memoryCost || timeCost > most.timeCost || parallelism > most.parallelism) return false
  return timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
}

// The check reveals nothing about the key.
async function derive(passphrase: string, salt: Buffer, costs: Costs) {
  // The same letters typed on another system may come in another Unicode form.
  const derived = await hashRaw(passphrase.normalize('NFKC'), {
    ...costs,
    salt,
    outputLen: keyBytes + checkBytes,
  })
  return { key: derived.subarray(0, keyBytes), check: derived.subarray(keyBytes) }
}

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
      // A full chunk waits for more data: only the end of the stream shows which one is the last.
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

/** @param source the bytes after the header */
export async function* unseal(
  source: AsyncIterable<Buffer>,
  { key, header }: SealKey,
): AsyncGenerator<Buffer> {
  let number = 0
  let waiting = Buffer.alloc(0)

  function open(chunk: Buffer, isLast: boolean): Buffer {
    if (chunk.length < tagBytes) throw new BackupFileError('The file is incomplete.')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), {
      authTagLength: tagBytes,
    })
      .setAAD(header)
      .setAuthTag(chunk.subarray(-tagBytes))
    number += 1
    try {
      return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()])
    } catch (cause) {
      throw new BackupFileError('The file is damaged or incomplete.', { cause })
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

// 12 bytes, never reused: every file has its own key.
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 0)
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}
