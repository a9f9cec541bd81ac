import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSealer, createSealKey, isSealed, openSealKey, sealHeaderBytes, unseal } from './seal.ts'

const passphrase = 'the Peña family of 12'
const chunk = 64 * 1024
const sealedChunk = chunk + 16

async function seal(content: Buffer): Promise<Buffer> {
  const source = Readable.from([content], { objectMode: false })
  return Buffer.concat(await source.pipe(createSealer(await createSealKey(passphrase))).toArray())
}

async function open(file: Buffer): Promise<Buffer> {
  const key = await openSealKey(file.subarray(0, sealHeaderBytes), passphrase)
  // In chunks of an odd size, as a disk may deliver them.
  const chunks: Buffer[] = []
  for (let at = sealHeaderBytes; at < file.length; at += 10_007) chunks.push(file.subarray(at, at + 10_007))
  const parts: Buffer[] = []
  for await (const part of unseal(Readable.from(chunks), key)) parts.push(part)
  return Buffer.concat(parts)
}

describe('sealing', () => {
  test.each([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 3 * chunk + 77])(
    'gives back %d bytes as they were',
    async (size) => {
      const content = randomBytes(size)
      const file = await seal(content)
      expect(isSealed(file)).toBe(true)
      expect((await open(file)).equals(content)).toBe(true)
    },
  )

  test('accepts the passphrase in any Unicode form', async () => {
    const file = await seal(Buffer.from('content'))
    const key = await openSealKey(file.subarray(0, sealHeaderBytes), passphrase.normalize('NFD'))
    expect(key.key).toHaveLength(32)
  })

  test('produces a different file of the same content each time', async () => {
    const [one, other] = [await seal(Buffer.alloc(99)), await seal(Buffer.alloc(99))]
    expect(one.subarray(sealHeaderBytes).equals(other.subarray(sealHeaderBytes))).toBe(false)
  })

  test('refuses another passphrase', async () => {
    const file = await seal(Buffer.from('content'))
    await expect(openSealKey(file.subarray(0, sealHeaderBytes), `${passphrase}!`)).rejects.toThrow(
      'Wrong passphrase.',
    )
  })

  test('refuses to spend all memory on a header that asks for it', async () => {
    const header = (await seal(Buffer.alloc(1))).subarray(0, sealHeaderBytes)
    header.writeUInt32BE(0xffffffff, 14)
    await expect(openSealKey(header, passphrase)).rejects.toThrow('The start of the file is damaged.')
  })
})

describe('a sealed file', () => {
  let file: Buffer
  let other: Buffer
  beforeAll(async () => {
    file = await seal(randomBytes(4 * chunk))
    other = await seal(randomBytes(4 * chunk))
  })

  const part = (of: Buffer, from: number, until = Number.POSITIVE_INFINITY) =>
    of.subarray(sealHeaderBytes + from * sealedChunk, sealHeaderBytes + until * sealedChunk)
  const header = () => file.subarray(0, sealHeaderBytes)

  test.each([
    ['misses its first chunk', () => [part(file, 1)]],
    ['misses one in the middle', () => [part(file, 0, 1), part(file, 2)]],
    ['misses its last chunk', () => [part(file, 0, 3)]],
    ['has two in another order', () => [part(file, 1, 2), part(file, 0, 1), part(file, 2)]],
    ['has one twice', () => [part(file, 0, 1), part(file, 0)]],
    ['has one of another file', () => [part(file, 0, 1), part(other, 1, 2), part(file, 2)]],
    ['goes on behind its end', () => [part(file, 0), part(file, 3)]],
    ['ends within a chunk', () => [part(file, 0, 2), part(file, 2, 3).subarray(0, 500)]],
    ['has no chunk', () => []],
  ])('that %s does not open', async (_, parts) => {
    await expect(open(Buffer.concat([header(), ...parts()]))).rejects.toThrow(/damaged|incomplete/)
  })
})
