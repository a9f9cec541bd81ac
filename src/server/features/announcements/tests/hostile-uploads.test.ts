import { connect } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ManagedAnnouncement } from '#shared/announcements/announcement-response.ts'
import {
  buildHostileUploads,
  formOfParts,
  type HostileUpload,
  part,
} from '#tests/factories/hostile-uploads.ts'
import { buildImage, buildPhoto } from '#tests/factories/images.ts'
import { buildZip } from '#tests/factories/zip.ts'
import { announcementsOf } from '#tests/setup/announcements.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer
let cookie: string

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
  // The library that reads images is loaded with the first one.
  await announcementsOf(server, cookie).added({
    image: new File([new Uint8Array(await buildImage('png'))], 'a.png'),
  })
})
afterAll(() => server.close())

function send({ body, contentType, headers = {} }: Omit<HostileUpload, 'name'>) {
  return fetch(`${server.url}/api/announcements`, {
    method: 'POST',
    headers: { Cookie: cookie, 'Content-Type': contentType, ...headers },
    body: new Uint8Array(body),
  })
}

async function stored() {
  const { db } = server.database
  const count = (table: 'announcements' | 'files') =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
  const [announcements, files] = await Promise.all([count('announcements'), count('files')])
  return { announcements: announcements.n, files: files.n }
}

const hostileUploads = await buildHostileUploads()

describe('is refused within a second and leaves nothing:', () => {
  test.each(hostileUploads)('$name', async (upload) => {
    const before = await stored()
    let answer = new Response()
    let detail: unknown
    const taken = await processorMs(async () => {
      answer = await send(upload)
      detail = (await answer.json()).detail
    })
    expect(taken).toBeLessThan(1_000)
    expect(answer.status).toBe(422)
    if (upload.sentence !== undefined) expect(detail).toBe(upload.sentence)
    expect(await stored()).toEqual(before)
  })

  /** @returns the status; null without an answer */
  function sendRaw(head: readonly string[], body: Buffer | string, { hangUp = false } = {}) {
    const { hostname, port } = new URL(server.url)
    return new Promise<number | null>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.on('error', reject)
      socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? Number.NaN) || null))
      socket.on('data', (chunk) => {
        text += chunk
        socket.end()
      })
      const own = [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin']
      const lines = ['POST /api/announcements HTTP/1.1', `Host: ${hostname}`, ...own, ...head]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      socket.write(body)
      if (hangUp) setTimeout(() => socket.destroy(), 100)
    })
  }

  test.each([
    ['a header without an end', [`X-Long: ${'x'.repeat(100_000)}`], '', 431],
    ['a length that is no number', ['Content-Length: many'], '', 400],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'hello', 400],
    ['a length and none', ['Content-Length: 5', 'Transfer-Encoding: chunked'], 'hello', 400],
    ['a chunk that says no size', ['Transfer-Encoding: chunked'], 'zzz\r\nhello\r\n', 400],
  ])('%s', async (_name, head, body, status) => {
    expect(await sendRaw(head, body)).toBe(status)
  })

  test('a body shorter than its declared length, because the connection closed', async () => {
    const before = await stored()
    const { body, contentType } = formOfParts(part('name="image"; filename="a.png"', await buildImage('png')))
    const head = [`Content-Type: ${contentType}`, `Content-Length: ${body.length + 1_000}`]
    expect(await sendRaw(head, body, { hangUp: true })).toBeNull()
    expect(await stored()).toEqual(before)
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
  })

  test('a body longer than its declared length', async () => {
    const before = await stored()
    const { body, contentType } = formOfParts()
    const head = [`Content-Type: ${contentType}`, `Content-Length: ${body.length - 30}`]
    expect(await sendRaw(head, body)).toBe(400)
    expect(await stored()).toEqual(before)
  })

  test('a body of unknown length beyond the limit; without a session before it is read', async () => {
    const chunk = new Uint8Array(1024 * 1024)
    const endless = () => {
      let sent = 0
      const body = new ReadableStream({
        pull(controller) {
          sent += 1
          if (sent > 30) controller.close()
          else controller.enqueue(chunk)
        },
      })
      return { body, sent: () => sent }
    }
    const stranger = endless()
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      duplex: 'half',
    }
    const refused = await fetch(`${server.url}/api/announcements`, { ...init, body: stranger.body })
    expect(refused.status).toBe(401)
    const endlessUpload = endless()
    const headers = { ...init.headers, Cookie: cookie }
    expect(
      (await fetch(`${server.url}/api/announcements`, { ...init, headers, body: endlessUpload.body })).status,
    ).toBe(413)
  })
})

describe('is accepted safely:', () => {
  const read = async (url: string) => {
    const answer = await fetch(server.url + url)
    return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }

  async function taken(...parts: Buffer[]): Promise<ManagedAnnouncement> {
    const answer = await send(formOfParts(...parts))
    expect(answer.status).toBe(201)
    return await answer.json()
  }

  test('a GIF and a JPEG that contain HTML: only the pixels are stored', async () => {
    const page = Buffer.from('<html><script>alert(1)</script></html>')
    const [gif, jpeg] = await Promise.all([buildImage('gif'), buildImage('jpeg')])
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, page.length + 2]), page])
    for (const image of [
      Buffer.concat([gif, page]),
      Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2), page]),
    ]) {
      const { image: picture } = await taken(part('name="image"; filename="a.html"', image))
      if (picture === null) throw new Error('the image was stored')
      for (const { url } of [...picture.webp, picture.jpeg]) {
        const { headers, bytes } = await read(url)
        expect(bytes.includes('<script')).toBe(false)
        expect(headers.get('Content-Type')).toMatch(/^image\/(webp|jpeg)$/)
        expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
      }
    }
  })

  test('a photo has no location or author metadata in any size', async () => {
    const { image } = await taken(part('name="image"; filename="a.jpg"', await buildPhoto()))
    if (image === null) throw new Error('the image was stored')
    for (const { url } of [...image.webp, image.jpeg]) {
      const { exif, xmp, iptc, orientation } = await sharp((await read(url)).bytes).metadata()
      expect({ exif, xmp, iptc, orientation }).toEqual({})
    }
  })

  test('a zip bomb as an attachment is stored unchanged and never unpacked', async () => {
    const bomb = buildZip('zeros.txt', 100 * 1024 * 1024)
    const memory = process.memoryUsage.rss()
    const { attachmentUrl } = await taken(part('name="attachment"; filename="bomb.zip"', bomb))
    const { headers, bytes } = await read(attachmentUrl ?? '')
    expect(bytes.equals(bomb)).toBe(true)
    expect(headers.get('Content-Disposition')).toMatch(/^attachment; filename="bomb\.zip"/)
    expect(headers.get('Content-Type')).toBe('application/octet-stream')
    expect(headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(process.memoryUsage.rss() - memory).toBeLessThan(100 * 1024 * 1024)
  })

  test.each([
    ['../../etc/pass\0wd', 'passwd'],
    ['C:\\\\Windows\\\\notes.txt', 'notes.txt'],
    ['a%0d%0aSet-Cookie: x=1', 'aSet-Cookie_ x=1'],
  ])('an attachment called %j', async (fileName, savedAs) => {
    const added = await taken(part(`name="attachment"; filename="${fileName}"`, 'x'))
    expect(added.attachmentName).toBe(savedAs)
    const { headers } = await read(added.attachmentUrl ?? '')
    expect(headers.get('Set-Cookie')).toBeNull()
  })
})
