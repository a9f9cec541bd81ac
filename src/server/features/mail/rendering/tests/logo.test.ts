import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toPng } from '#server/features/files/image-decoding.ts'
import { buildDecompressionBomb, buildImage, buildPhoto } from '#tests/factories/images.ts'
import { processorMs } from '#tests/setup/processor-time.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'
import { createMailLogo } from '../renderer.ts'

async function logoOf(width: number, height: number) {
  const picture = await sharp({ create: { width, height, channels: 3, background: '#0f3d2e' } })
    .webp()
    .toBuffer()
  return await createMailLogo({ readAsPng: (_, heightPx) => toPng(picture, heightPx) })('/api/files/a.webp')
}

test.each([
  ['a round one', [300, 300], [40, 40]],
  ['a wide one', [600, 300], [80, 40]],
  ['a name in one line, which is not stretched', [800, 100], [120, 15]],
  ['a tall one', [100, 400], [10, 40]],
  ['a tiny one', [20, 20], [40, 40]],
] as const)('%s keeps its proportions', async (_, [width, height], [shownWidth, shownHeight]) => {
  expect(await logoOf(width, height)).toMatchObject({ width: shownWidth, height: shownHeight })
})

test('is converted once, and is null when the file is missing', async () => {
  const requested: string[] = []
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const readLogo = createMailLogo({
    readAsPng: async (url) => {
      requested.push(url)
      return url === 'gone' ? null : png
    },
  })
  expect((await readLogo('a'))?.png).toBe(png)
  await readLogo('a')
  expect(await readLogo('gone')).toBeNull()
  expect(requested).toEqual(['a', 'gone'])
})

describe('logo', () => {
  const wrongType = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'
  const tooLarge = 'Image file is too large. Maximum size is 2MB.'
  const tooManyPixels = 'This image has too many pixels. Please make it smaller than 8000 by 8000.'
  const limit = 2 * 1024 * 1024

  let server: TestServer
  let cookie: string

  beforeAll(async () => {
    server = await startTestServer()
    cookie = await server.signIn()
  })
  afterAll(() => server.close())

  function upload(bytes: Uint8Array, { name = 'logo.png', type = 'image/png', as = cookie } = {}) {
    const form = new FormData()
    form.set('image', new File([new Uint8Array(bytes)], name, { type }))
    return fetch(`${server.url}/api/settings/logo`, { method: 'PUT', headers: { cookie: as }, body: form })
  }

  function send(body: BodyInit, contentType: string) {
    return fetch(`${server.url}/api/settings/logo`, {
      method: 'PUT',
      headers: { cookie, 'Content-Type': contentType },
      body,
    })
  }

  async function currentLogo(): Promise<string | null> {
    const site = await (await fetch(`${server.url}/api/site`)).json()
    return site.logoUrl
  }

  // Trailing bytes that no decoder reads.
  function padTo(size: number, bytes: Buffer): Buffer {
    return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
  }

  describe('an uploaded logo', () => {
    test.each(['jpeg', 'png', 'gif', 'webp'] as const)(
      '(%s) becomes a small WebP at an address of its own',
      async (format) => {
        const bytes = await buildImage(format, { width: 900, height: 600 })
        // Its name and declared type don’t matter.
        const response = await upload(bytes, { name: 'logo.txt', type: 'text/plain' })
        expect(response.status).toBe(200)
        const { logo } = await response.json()
        expect(await currentLogo()).toBe(logo.url)
        const file = await fetch(server.url + logo.url)
        expect(file.status).toBe(200)
        expect(file.headers.get('Content-Type')).toBe('image/webp')
        expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
        expect(file.headers.get('X-Content-Type-Options')).toBe('nosniff')
        expect(file.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
        const stored = await sharp(Buffer.from(await file.arrayBuffer())).metadata()
        expect(stored).toMatchObject({ format: 'webp', width: 512, height: 341 })
      },
    )

    test('may be the body itself', async () => {
      const response = await send(new Uint8Array(await buildImage('png')), 'image/png')
      expect(response.status).toBe(200)
    })

    test('is rotated by its EXIF data, which is removed', async () => {
      const photo = await buildPhoto()
      expect((await sharp(photo).metadata()).exif).toBeDefined()
      const { logo } = await (await upload(photo)).json()
      const bytes = Buffer.from(await (await fetch(server.url + logo.url)).arrayBuffer())
      const { width, height, exif } = await sharp(bytes).metadata()
      expect({ width, height, exif }).toEqual({ width: 200, height: 300, exif: undefined })
    })

    test('is stored once, however often it is uploaded', async () => {
      const bytes = await buildImage('png')
      const first = await (await upload(bytes)).json()
      const second = await (await upload(bytes)).json()
      expect(second).toEqual(first)
    })

    test('may have exactly 2 MB', async () => {
      const image = await buildImage('png')
      expect((await upload(padTo(limit, image))).status).toBe(200)
      const response = await upload(padTo(limit + 1, image))
      expect(response.status).toBe(413)
      expect((await response.json()).detail).toBe(tooLarge)
    })

    test('can be removed', async () => {
      await upload(await buildImage('png'))
      const response = await fetch(`${server.url}/api/settings/logo`, {
        method: 'DELETE',
        headers: { cookie },
      })
      expect((await response.json()).logo).toBeNull()
      expect(await currentLogo()).toBeNull()
    })

    test('can be changed only by administrators', async () => {
      const before = await currentLogo()
      const answers = [
        await upload(await buildImage('png'), { as: '' }),
        await fetch(`${server.url}/api/settings/logo`, { method: 'DELETE' }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(401)
        expect((await answer.json()).detail).toBe('Authentication required. Please login as admin.')
      }
      expect(await currentLogo()).toBe(before)
    })

    test('is in the audit trail', async () => {
      const bytes = await buildImage('png')
      await fetch(`${server.url}/api/settings/logo`, { method: 'DELETE', headers: { cookie } })
      const { logo } = await (await upload(bytes)).json()
      const event = await server.database.db
        .selectFrom('auditEvents')
        .innerJoin('auditValues', 'auditValues.eventId', 'auditEvents.id')
        .select(['action', 'fields', 'before', 'after'])
        .orderBy('at', 'desc')
        .executeTakeFirstOrThrow()
      expect(event).toEqual({
        action: 'settings-changed',
        fields: ['logo'],
        before: { logo: null },
        after: { logo },
      })
    })
  })

  describe('a hostile upload is refused quickly with a message and changes nothing:', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
    const cutImage = async (format: 'jpeg' | 'png' | 'gif' | 'webp') => {
      const bytes = await buildImage(format)
      return bytes.subarray(0, bytes.length / 2)
    }
    test.each<[string, () => Promise<Buffer> | Buffer, string]>([
      ['SVG', () => Buffer.from(svg), wrongType],
      ['SVG behind an XML head', () => Buffer.from(`<?xml version="1.0"?>\n${svg}`), wrongType],
      ['HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>'), wrongType],
      ['TIFF', () => buildImage('tiff'), wrongType],
      ['AVIF', () => buildImage('avif', { width: 64, height: 64 }), wrongType],
      ['PDF', () => Buffer.from('%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>'), wrongType],
      ['random bytes', () => Buffer.from('89504e47'.repeat(100), 'hex'), wrongType],
      ['the head of a PNG alone', async () => (await buildImage('png')).subarray(0, 20), wrongType],
      ['half a JPEG', () => cutImage('jpeg'), wrongType],
      ['half a PNG', () => cutImage('png'), wrongType],
      ['half a GIF', () => cutImage('gif'), wrongType],
      ['half a WebP', () => cutImage('webp'), wrongType],
      ['nothing', () => Buffer.alloc(0), wrongType],
      ['30,000 × 30,000 pixels in 109 kB', () => buildDecompressionBomb(), tooManyPixels],
    ])('%s', async (_name, build, sentence) => {
      const before = await currentLogo()
      const bytes = await build()
      const memory = process.memoryUsage.rss()
      let response = new Response()
      const taken = await processorMs(async () => {
        response = await upload(bytes)
      })
      expect(taken).toBeLessThan(1_000)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({
        code: 'invalid',
        detail: sentence,
        errors: [{ path: 'image', message: sentence }],
      })
      expect(process.memoryUsage.rss() - memory).toBeLessThan(100 * 1024 * 1024)
      expect(await currentLogo()).toBe(before)
    })

    test('a form that is cut off, has no boundary, or no image', async () => {
      const part = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'
      const answers = [
        await send(`${part}half a file`, 'multipart/form-data; boundary=b'),
        await send(`${part}x\r\n--b--`, 'multipart/form-data'),
        await send('', 'multipart/form-data; boundary=b'),
        await send('--b\r\n\r\n--b--', 'multipart/form-data; boundary=b'),
        await send(
          '--b\r\nContent-Disposition: form-data; name="image"\r\n\r\ntext\r\n--b--\r\n',
          'multipart/form-data; boundary=b',
        ),
        await send('{}', 'application/json'),
      ]
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 415])
      expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    })

    test('a name with NUL and a path in it: only the content counts', async () => {
      const response = await upload(await buildImage('png'), { name: '../../etc/passwd\0.png' })
      expect(response.status).toBe(200)
    })

    test('a body far beyond the limit, on this and on other routes', async () => {
      const body = new Uint8Array(4 * 1024 * 1024)
      const tooMuch = await send(body, 'image/png')
      expect(tooMuch.status).toBe(413)
      expect((await tooMuch.json()).detail).toBe(tooLarge)
      const elsewhere = await fetch(`${server.url}/api/settings`, {
        method: 'PATCH',
        headers: { cookie, 'Content-Type': 'application/json' },
        body: new Uint8Array(limit),
      })
      expect(elsewhere.status).toBe(413)
    })
  })

  describe('a file', () => {
    test.each(['nothing.webp', `${'0'.repeat(64)}.webp`, '..%2F..%2Fetc%2Fpasswd', `${'0'.repeat(64)}`])(
      'called %s is not found',
      async (name) => {
        expect((await fetch(`${server.url}/api/files/${name}`)).status).toBe(404)
      },
    )

    test('with another extension is not found', async () => {
      const { logo } = await (await upload(await buildImage('png'))).json()
      expect((await fetch(`${server.url}${logo.url.replace('.webp', '.html')}`)).status).toBe(404)
    })
  })
})
