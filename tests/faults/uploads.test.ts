// @module-tag rest
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildHostileUploads, formOfParts, part } from '#tests/factories/hostile-uploads.ts'
import { buildImage } from '#tests/factories/images.ts'
import { type Product, residentBytes, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'
import { addAttachment } from './attachments.ts'
import { until } from './load.ts'
import { queryDatabase } from './product-database.ts'

const mebibyte = 1024 * 1024

interface SentUpload {
  body: Buffer
  contentType: string
}

function upload({ url }: Product, cookie: string, { body, contentType }: SentUpload) {
  return fetch(`${url}/api/announcements`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': contentType },
    body: new Uint8Array(body),
  })
}

/** Sends the first half of an upload and leaves the connection open. */
async function sendHalf({ url }: Product, cookie: string, { body, contentType }: SentUpload) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // It is cut off from either side.
  socket.on('error', () => socket.destroy())
  const head = [
    'POST /api/announcements HTTP/1.1',
    'Host: localhost',
    `Cookie: ${cookie}`,
    'Sec-Fetch-Site: same-origin',
  ]
  const about = [`Content-Type: ${contentType}`, `Content-Length: ${body.length}`]
  socket.write(`${[...head, ...about].join('\r\n')}\r\n\r\n`)
  // Not waited for: it isn't read before its turn.
  socket.write(body.subarray(0, body.length / 2))
  await once(socket, 'connect')
  return socket
}

async function stored({ dataDir }: Product) {
  return await queryDatabase(
    dataDir,
    'select (select count(*)::int from announcements) as announcements, (select count(*)::int from files) as files',
  )
}

const nothing = [{ announcements: 0, files: 0 }]

async function largeUpload() {
  const image = await buildImage('jpeg', { width: 1_200, height: 900 })
  return formOfParts(
    part('name="image"; filename="a.jpg"', image),
    part('name="attachment"; filename="a.bin"', Buffer.alloc(9 * mebibyte, 7)),
  )
}

describe('uploads', () => {
  let product: Product
  let cookie: string

  beforeAll(async () => {
    product = await startProduct({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })
    cookie = await signInOverHttp(product.url)
  })
  afterAll(() => product.remove())

  /** By how many bytes the process grows at most while it takes so many uploads at the same time. */
  async function growthBy(times: number, sent: SentUpload): Promise<number> {
    const before = residentBytes(product)
    let most = 0
    const look = setInterval(() => {
      most = Math.max(most, residentBytes(product))
    }, 20)
    const sending = Array.from({ length: times }, () => upload(product, cookie, sent))
    const answers = await Promise.all(sending).finally(() => clearInterval(look))
    expect(answers.map(({ status }) => status)).toEqual(sending.map(() => 201))
    return most - before
  }

  test('a hundred of each hostile kind leave nothing, no fault in the log, and memory as it was', async () => {
    const kinds = await buildHostileUploads()
    const sendAll = async (times: number) => {
      for (let round = 0; round < times; round++) {
        const answers = await Promise.all(kinds.map((kind) => upload(product, cookie, kind)))
        for (const answer of answers) {
          await answer.text()
          expect(answer.status).toBe(422)
        }
      }
    }
    // What is loaded and kept at the first ones doesn't count.
    await sendAll(10)
    const before = residentBytes(product)
    await sendAll(100)
    // Up to 100 MiB come together between two runs of the garbage collector; the uploads are over 400 MB.
    expect(residentBytes(product) - before).toBeLessThan(150 * mebibyte)
    expect(await stored(product)).toEqual(nothing)
    expect(product.output()).not.toMatch(/"level":(50|60)/)
  }, 240_000)

  test('cut off on their way, many at once, leave nothing and take no place from the next', async () => {
    const sent = await largeUpload()
    const sockets = await Promise.all(Array.from({ length: 12 }, () => sendHalf(product, cookie, sent)))
    await sleep(300)
    for (const socket of sockets) socket.destroy()
    expect((await upload(product, cookie, formOfParts())).status).toBe(201)
    expect(await stored(product)).toEqual([{ announcements: 1, files: 0 }])
    await queryDatabase(product.dataDir, 'delete from announcements')
  })

  test('that fall silent on their way give their places to the next after a while', async () => {
    const sent = await largeUpload()
    const sockets = await Promise.all(Array.from({ length: 4 }, () => sendHalf(product, cookie, sent)))
    await sleep(300)
    // A change without files doesn't wait for them.
    expect((await upload(product, cookie, formOfParts())).status).toBe(201)
    const start = Date.now()
    expect((await upload(product, cookie, sent)).status).toBe(201)
    expect(Date.now() - start).toBeGreaterThan(10_000)
    for (const socket of sockets) expect(socket.closed || socket.readableEnded).toBe(true)
  })

  test('ten large ones at the same time are all stored, and memory stays bounded', async () => {
    const sent = await largeUpload()
    expect(await growthBy(10, sent)).toBeLessThan(600 * mebibyte)
  }, 120_000)

  test('four of 64 megapixels at the same time stay within the same memory', async () => {
    // The kind that a decoder has to hold as a whole.
    const image = await sharp({ create: { width: 9_248, height: 6_936, channels: 3, background: '#17573f' } })
      .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
      .toBuffer()
    const sent = formOfParts(part('name="image"; filename="a.jpg"', image))
    expect(await growthBy(4, sent)).toBeLessThan(600 * mebibyte)
  }, 120_000)
})

test('twenty of 9.9 MB at the same time stay within 512 MB, and others are answered meanwhile', async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' })
  onTestFinished(product.remove)
  const cookie = await signInOverHttp(product.url)
  const sending = Promise.all(Array.from({ length: 20 }, () => addAttachment(product.url, cookie)))
  let isSending = true
  const visiting = (async () => {
    const statuses = new Set<number>()
    for (; isSending; await sleep(50)) statuses.add((await fetch(`${product.url}/register`)).status)
    return [...statuses]
  })()
  const answers = await sending.finally(() => {
    isSending = false
  })
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await visiting).toEqual([200])
  expect(residentBytes(product, 'VmHWM')).toBeLessThan(512 * mebibyte)
}, 120_000)

test('a process killed in the middle of uploads leaves no half announcement and no file', async () => {
  const first = await startProduct({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn' })
  const cookie = await signInOverHttp(first.url)
  const sent = await largeUpload()
  const acknowledged: string[] = []
  const send = () => upload(first, cookie, sent).catch(() => undefined)
  // One: a second would take the last place until both are given up.
  const half = await sendHalf(first, cookie, sent)
  const uploads = Array.from({ length: 3 }, async () => {
    // Those under way when the process dies fail: that is what this test does.
    for (let answer = await send(); answer?.ok; answer = await send()) {
      const { id }: { id: string } = await answer.json()
      acknowledged.push(id)
    }
  })
  await until('some are stored', () => acknowledged.length > 2, 60_000)
  first.process.kill('SIGKILL')
  await Promise.all(uploads)
  half.destroy()

  const second = await startProduct({ DATA_DIR: first.dataDir, LOG_LEVEL: 'warn' })
  const rows = await queryDatabase<{ id: string; urls: string[] }>(
    second.dataDir,
    `select id, array(select (regexp_matches(image::text || attachment::text, '/api/files/[0-9a-f]{64}\\.\\w+', 'g'))[1]) as urls
     from announcements`,
  )
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
  for (const { urls } of rows) {
    expect(urls.length).toBeGreaterThan(1)
    for (const url of new Set(urls)) expect((await fetch(second.url + url)).status).toBe(200)
  }
  const orphans = await queryDatabase(
    second.dataDir,
    `select id from files where not exists
       (select from announcements where image::text || attachment::text like '%' || files.id || '%')`,
  )
  expect(orphans).toEqual([])
  await second.remove()
}, 120_000)
