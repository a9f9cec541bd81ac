import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attachmentLimit, imageLimits } from '#shared/files/images.ts'
import { buildImage } from '#tests/factories/images.ts'
import { announcementsOf, passUndo, refusalOf } from '#tests/setup/announcements.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const imageType = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'
const imageSize = 'Image file is too large. Maximum size is 5MB.'
const attachmentSize = 'File size must be less than 10MB'

let server: TestServer
let admin: ReturnType<typeof announcementsOf>
let png: Buffer

beforeAll(async () => {
  server = await startTestServer()
  admin = announcementsOf(server, await server.signIn())
  png = await buildImage('png', { width: 90, height: 60 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('announcements').execute()
  await server.database.db.deleteFrom('files').execute()
})

function file(bytes: Uint8Array, name: string, type: string): File {
  return new File([new Uint8Array(bytes)], name, { type })
}

const picture = (bytes: Uint8Array = png) => file(bytes, 'photo.png', 'image/png')
const memo = (bytes: Uint8Array = Buffer.from('%PDF-1.7 memo'), name = 'memo.pdf') =>
  file(bytes, name, 'application/pdf')

// Trailing bytes that no decoder reads.
function padTo(size: number, bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
}

async function statusOf(url: string | null): Promise<number> {
  return (await fetch(server.url + url)).status
}

async function storedFiles(): Promise<number> {
  return (await server.database.db.selectFrom('files').select('id').execute()).length
}

const refusedWith = (status: number, path: string, message: string) => ({
  status,
  detail: message,
  errors: [{ path, message }],
})

describe('an image', () => {
  test('is served in a few widths, each at its own address', async () => {
    const large = await buildImage('png', { width: 900, height: 600 })
    const { image, imageUrl } = await admin.added({ image: picture(large) })
    expect(image).toMatchObject({ width: 900, height: 600, jpeg: { width: 900, height: 600, url: imageUrl } })
    expect(image?.webp.map(({ width }) => width)).toEqual([400, 800, 900])
    for (const { url } of image?.webp ?? []) {
      const response = await fetch(server.url + url)
      expect(response.headers.get('Content-Type')).toBe('image/webp')
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    }
    expect((await fetch(server.url + imageUrl)).headers.get('Content-Type')).toBe('image/jpeg')
  })

  test('may have 5 MB to the byte', async () => {
    await admin.added({ image: picture(padTo(imageLimits.announcement, png)) })
    const larger = picture(padTo(imageLimits.announcement + 1, png))
    expect(await refusalOf(admin.add({ title: 'a', content: 'b', image: larger }))).toEqual(
      refusedWith(413, 'image', imageSize),
    )
  })

  test.each(['jpeg', 'png', 'webp'] as const)(
    'may have 64 megapixels, as %s',
    { tags: ['rest'] },
    async (format) => {
      const size = { width: 9_248, height: 6_936 }
      const bytes = await sharp({ create: { ...size, channels: 3, background: '#17573f' } })
        .toFormat(format, format === 'webp' ? { effort: 0, quality: 1 } : {})
        .toBuffer()
      const { image } = await admin.added({ image: picture(bytes) })
      expect(image).toMatchObject({ width: 1_440, height: 1_080 })
    },
  )

  test('taller than WebP allows is made smaller', async () => {
    const tall = await buildImage('png', { width: 40, height: 17_000 })
    const { image } = await admin.added({ image: picture(tall) })
    expect(image?.height).toBe(16_383)
    expect(image?.width).toBe(39)
  })

  test('of another file type is refused, and nothing is stored', async () => {
    const before = await storedFiles()
    const text = picture(Buffer.from('no image'))
    expect(await refusalOf(admin.add({ title: 'a', content: 'b', image: text, attachment: memo() }))).toEqual(
      refusedWith(422, 'image', imageType),
    )
    expect(await storedFiles()).toBe(before)
    expect(await admin.read('')).toMatchObject({ items: [] })
  })

  test('may be a data URL, or base64 in a field of its own', async () => {
    const base64 = png.toString('base64')
    const fields = { title: 'a', content: 'b' }
    const bodies = [
      { ...fields, image: `data:image/png;base64,${base64}` },
      { ...fields, imageBase64: base64 },
      { ...fields, imageBase64: `data:image/png;base64,${base64}` },
    ]
    const { imageUrl } = await admin.added({ image: picture() })
    for (const body of bodies) {
      const response = await admin.add(JSON.stringify(body))
      expect(response.status).toBe(201)
      expect((await response.json()).imageUrl).toBe(imageUrl)
    }
  })
})

describe('an attachment', () => {
  test('is downloaded unchanged under its own name, and never displayed', async () => {
    const bytes = Buffer.from('<script>alert(1)</script>')
    const name = 'Paalala – “Ñino” 日本.html'
    const added = await admin.added({ attachment: file(bytes, name, 'text/html') })
    expect(added).toMatchObject({ attachmentName: name, attachmentType: 'text/html', attachmentSize: 25 })
    const response = await fetch(server.url + added.attachmentUrl)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(response.headers.get('Content-Type')).toBe('application/octet-stream')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(response.headers.get('Content-Security-Policy')).toMatch(/sandbox/)
    const disposition = response.headers.get('Content-Disposition') ?? ''
    expect(disposition).toMatch(/^attachment; filename="Paalala _ __ino_ __.html"; filename\*=UTF-8''/)
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe(name)
  })

  test('has to be smaller than 10 MB to the byte', async () => {
    const bytes = Buffer.alloc(attachmentLimit - 1, 'x')
    const { attachmentUrl } = await admin.added({ attachment: memo(bytes) })
    const downloaded = Buffer.from(await (await fetch(server.url + attachmentUrl)).arrayBuffer())
    expect(hashOf(downloaded)).toBe(hashOf(bytes))
    const larger = memo(Buffer.alloc(attachmentLimit))
    expect(await refusalOf(admin.add({ title: 'a', content: 'b', attachment: larger }))).toEqual(
      refusedWith(413, 'attachment', attachmentSize),
    )
  })

  test('loses a lone surrogate of its name', async () => {
    const body = `{"title":"a","content":"b","attachment":"data:;base64,eA==","attachmentName":"memo\\ud83d.txt"}`
    const response = await admin.add(body)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ attachmentName: 'memo.txt' })
  })

  test('may be sent with an image, both of the greatest size, also as base64', {
    tags: ['rest'],
  }, async () => {
    const image = padTo(imageLimits.announcement, png)
    const attachment = Buffer.alloc(attachmentLimit - 1, 'y')
    const body = {
      title: 'a',
      content: 'b',
      imageBase64: image.toString('base64'),
      attachmentBase64: attachment.toString('base64'),
      attachmentName: 'memo.pdf',
      attachmentType: 'application/pdf',
    }
    const response = await admin.add(JSON.stringify(body))
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({
      attachmentName: 'memo.pdf',
      attachmentType: 'application/pdf',
      attachmentSize: attachmentLimit - 1,
    })
    expect(
      (await admin.add({ title: 'a', content: 'b', image: picture(image), attachment: memo(attachment) })).ok,
    ).toBe(true)
  })
})

describe('an edit', () => {
  test("leaves files unchanged that it doesn't mention", async () => {
    const added = await admin.added({ image: picture(), attachment: memo() })
    const edited = await admin.edited(added, { title: 'Second drill' })
    const unchanged = await admin.edited(edited, {
      content: 'x',
      keepExistingImage: 'true',
      keepExistingAttachment: 'true',
    })
    expect(unchanged).toMatchObject({ image: added.image, attachmentUrl: added.attachmentUrl })
  })

  test('replaces files, and removes the former ones', async () => {
    const added = await admin.added({ image: picture(), attachment: memo() })
    const image = picture(await buildImage('jpeg', { width: 50, height: 50 }))
    const edited = await admin.edited(added, { image, attachment: memo(Buffer.from('new'), 'new.pdf') })
    expect(edited).toMatchObject({ image: { width: 50, height: 50 }, attachmentName: 'new.pdf' })
    for (const url of [
      ...(added.image?.webp ?? []).map(({ url }) => url),
      added.imageUrl,
      added.attachmentUrl,
    ]) {
      expect(await statusOf(url)).toBe(404)
    }
    expect(await statusOf(edited.imageUrl)).toBe(200)
    expect(await statusOf(edited.attachmentUrl)).toBe(200)
  })

  test('replaces files also when it says that existing ones are not kept', async () => {
    const added = await admin.added({ image: picture() })
    const image = picture(await buildImage('jpeg', { width: 50, height: 50 }))
    expect(await admin.edited(added, { image, keepExistingImage: 'false' })).toMatchObject({
      image: { width: 50 },
    })
  })

  test('removes files', async () => {
    const added = await admin.added({ image: picture(), attachment: memo() })
    const withoutImage = await admin.edited(added, { keepExistingImage: 'false' })
    expect(withoutImage).toMatchObject({ image: null, imageUrl: null, attachmentName: 'memo.pdf' })
    const withoutBoth = await admin.edited(withoutImage, { keepExistingAttachment: 'false' })
    expect(withoutBoth).toMatchObject({ attachmentUrl: null, attachmentName: null, attachmentSize: null })
    expect(await statusOf(added.imageUrl)).toBe(404)
    expect(await statusOf(added.attachmentUrl)).toBe(404)
    expect(await storedFiles()).toBe(0)
  })

  test('that is refused changes nothing', async () => {
    const added = await admin.added({ image: picture() })
    const other = picture(await buildImage('jpeg', { width: 50, height: 50 }))
    const before = await storedFiles()
    expect((await admin.edit(added.id, 7, { image: other })).status).toBe(409)
    expect((await admin.edit(added.id, 1, { title: '', image: other })).status).toBe(422)
    expect((await admin.edit(added.id, 1, { image: picture(Buffer.from('x')) })).status).toBe(422)
    expect(await storedFiles()).toBe(before)
    expect(await admin.read(`/${added.id}`)).toEqual(added)
  })
})

describe('deleting', () => {
  test('removes the files once it can no longer be undone', async () => {
    const added = await admin.added({ image: picture(), attachment: memo() })
    await admin.delete(added.id)
    await server.sweep()
    expect(await storedFiles()).toBe(3)
    await passUndo(server)
    expect(await storedFiles()).toBe(0)
  })

  test('leaves files that another announcement uses', async () => {
    const first = await admin.added({ image: picture(), attachment: memo() })
    const second = await admin.added({ image: picture(), attachment: memo() })
    expect(second.attachmentUrl).toBe(first.attachmentUrl)
    await admin.delete(first.id)
    await passUndo(server)
    expect(await statusOf(second.imageUrl)).toBe(200)
    expect(await statusOf(second.attachmentUrl)).toBe(200)
    await admin.delete(second.id)
    await passUndo(server)
    expect(await statusOf(second.imageUrl)).toBe(404)
    expect(await statusOf(second.attachmentUrl)).toBe(404)
  })
})

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

test('that would exceed the storage for all files is refused, and the next smaller one stored', async () => {
  const small = await startTestServer({ env: { FILES_LIMIT_MB: '1' } })
  const own = announcementsOf(small, await small.signIn())
  const sized = (kilobytes: number) => new File([new Uint8Array(randomBytes(kilobytes * 1024))], 'a.bin')
  await own.added({ attachment: sized(600) })
  const refused = await own.add({ title: 'Drill', content: 'At the gym.', attachment: sized(600) })
  expect(refused.status).toBe(413)
  expect((await refused.json()).detail).toMatch(/^The storage for images and attachments is full\./)
  await own.added({ attachment: sized(300) })
  await small.close()
})
