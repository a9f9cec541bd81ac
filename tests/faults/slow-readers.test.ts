// @module-tag rest
import { expect, onTestFinished, test } from 'vitest'
import { residentBytes, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { addAttachment, beginReading } from './attachments.ts'

const mebibyte = 1024 * 1024

test('300 readers of 9.9 MB that stop reading take 64 MB at most, and delay nobody', async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' })
  onTestFinished(product.remove)
  const { path = '' } = await addAttachment(product.url, await signInOverHttp(product.url))
  const visit = async () => expect((await fetch(`${product.url}/register`)).status).toBe(200)
  // What the first answers load and keep doesn't count.
  for (let i = 0; i < 10; i++) {
    await visit()
    await (await fetch(product.url + path)).arrayBuffer()
  }
  const before = residentBytes(product)
  const readers = await Promise.all(Array.from({ length: 300 }, () => beginReading(product.url, path)))
  expect(new Set(readers.map(({ line }) => line))).toEqual(new Set(['HTTP/1.1 200 OK']))
  let most = 0
  for (let i = 0; i < 50; i++) {
    await visit()
    most = Math.max(most, residentBytes(product) - before)
  }
  expect(most).toBeLessThan(64 * mebibyte)
  for (const { socket } of readers) socket.destroy()
}, 120_000)
