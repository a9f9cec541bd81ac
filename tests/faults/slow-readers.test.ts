import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { formOfParts, part } from '#tests/factories/hostile-uploads.ts'
import { type Product, residentBytes, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { queryDatabase } from './product-database.ts'

const mebibyte = 1024 * 1024

async function addAttachment({ url, dataDir }: Product): Promise<string> {
  const { body, contentType } = formOfParts(
    part('name="attachment"; filename="a.bin"', randomBytes(9_900_000)),
  )
  const answer = await fetch(`${url}/api/announcements`, {
    method: 'POST',
    headers: { Cookie: await signInOverHttp(url), 'Content-Type': contentType },
    body: new Uint8Array(body),
  })
  expect(answer.status).toBe(201)
  const [row] = await queryDatabase<{ url: string }>(
    dataDir,
    "select attachment->>'url' as url from announcements",
  )
  return row?.url ?? ''
}

/** Asks for the file and reads only the beginning of the answer. */
async function beginReading({ url }: Product, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // It is cut from the other side.
  socket.on('error', () => socket.destroy())
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [head] = await once(socket, 'data')
  socket.pause()
  expect(String(head)).toContain('HTTP/1.1 200')
  return socket
}

test('300 readers of 9.9 MB that stop reading take 64 MB at most, and delay nobody', async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' })
  onTestFinished(product.remove)
  const path = await addAttachment(product)
  const visit = async () => expect((await fetch(`${product.url}/register`)).status).toBe(200)
  // What the first answers load and keep doesn't count.
  for (let i = 0; i < 10; i++) {
    await visit()
    await (await fetch(product.url + path)).arrayBuffer()
  }
  const before = residentBytes(product)
  const readers = await Promise.all(Array.from({ length: 300 }, () => beginReading(product, path)))
  let most = 0
  for (let i = 0; i < 50; i++) {
    await visit()
    most = Math.max(most, residentBytes(product) - before)
  }
  expect(most).toBeLessThan(64 * mebibyte)
  for (const reader of readers) reader.destroy()
}, 120_000)
