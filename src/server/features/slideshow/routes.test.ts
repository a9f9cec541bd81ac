import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { buildImage } from '#tests/factories/images.ts'
import { storeSlides } from '#tests/factories/stored-slide.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const now = new Date('2026-11-20T02:00:00Z')
const unknownId = '0198f4b2-0000-7000-8000-000000000000'
const wrongType = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'
const tooLarge = 'Image file is too large. Maximum size is 5MB.'
const limit = 5 * 1024 * 1024

let server: TestServer
let cookie: string
let admin: ReturnType<typeof createAdminClient>
let trail: AuditTrail
let photo: Buffer

beforeAll(async () => {
  server = await startTestServer({ now })
  cookie = await server.signIn()
  admin = createAdminClient(server, cookie)
  trail = createAuditTrail(server.database)
  photo = await buildImage('jpeg', { width: 1500, height: 500 })
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('slides').execute()
  await server.database.db.deleteFrom('files').execute()
  await trail.clear()
})

interface Form {
  [field: string]: string | Uint8Array | File
}

const fileOf = (bytes: Uint8Array, name: string, type = '') =>
  new File([new Uint8Array(bytes)], name, { type })

function send(method: string, path: string, fields: Form, headers: Record<string, string> = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, value instanceof Uint8Array ? fileOf(value, 'photo.jpg') : value)
  }
  return fetch(`${server.url}/api${path}`, { method, headers: { cookie, ...headers }, body: form })
}

async function added(fields: Form = {}): Promise<Slide> {
  const response = await send('POST', '/slides', { image: photo, ...fields })
  expect(response.status).toBe(201)
  return await response.json()
}

const ifMatch = (version: number) => ({ 'If-Match': `"${version}"` })
const statusOf = async (url: string) => (await fetch(server.url + url)).status
async function refusalOf(response: Response) {
  const { detail, errors, code } = await response.json()
  return { status: response.status, code, detail, ...(errors ? { errors } : {}) }
}
async function titles(query = '') {
  const { items } = await (await admin.call('GET', `/slides${query}`)).json()
  return items.map(({ title, order }: Slide) => `${order} ${title}`)
}

describe('without a session', () => {
  test.each([
    ['POST', '/slides', 'Only admins can add slideshow images'],
    ['PATCH', `/slides/${unknownId}`, 'Only admins can edit slideshow images'],
    ['DELETE', `/slides/${unknownId}`, 'Only admins can delete slideshow images'],
    ['PUT', '/slides/order', 'Only admins can reorder slideshow images'],
    ['GET', '/slides?all=true', 'Authentication required. Please login as admin.'],
  ])('%s %s is refused', async (method, path, detail) => {
    const refusal = await createAdminClient(server, '').refusal(method, path)
    expect(refusal).toEqual({ status: 401, code: 'unauthenticated', detail })
  })
})

describe('GET /slides', () => {
  test('gives visitors the active ones in order, and an administrator all', async () => {
    await storeSlides(server.database, [{ title: 'A' }, { title: 'B', active: false }, { title: 'C' }])
    const open = await createAdminClient(server, '').call('GET', '/slides')
    expect(open.headers.get('Cache-Control')).toContain('no-cache')
    expect((await open.json()).items.map(({ title }: Slide) => title)).toEqual(['A', 'C'])
    expect(await titles('?all=true')).toEqual(['0 A', '1 B', '2 C'])
  })

  test.each(['?all=yes', '?everything=true'])('refuses %s', async (query) => {
    expect(await admin.refusal('GET', `/slides${query}`)).toMatchObject({ status: 422, code: 'invalid' })
  })
})

describe('POST /slides', () => {
  test('appends a slide with its picture in several widths', async () => {
    await storeSlides(server.database, [{}, {}])
    const slide = await added({ title: ' Flag raising ', description: 'Every Monday\nat seven' })
    expect(slide).toEqual({
      id: expect.any(String),
      version: 1,
      title: 'Flag raising',
      description: 'Every Monday\nat seven',
      active: true,
      order: 2,
      createdAt: now.getTime(),
      imageUrl: slide.image.jpeg.url,
      image: expect.objectContaining({ width: 1500, height: 500 }),
    })
    expect(slide.image.webp.map(({ width }) => width)).toEqual([640, 1280, 1500])
    expect(slide.image.jpeg.width).toBe(1280)
    expect(await statusOf(slide.imageUrl)).toBe(200)
    expect(await trail.entries()).toMatchObject([{ action: 'slide-added', subject: 'Flag raising' }])
  })

  test('accepts JSON with the image as a data URL, and an inactive slide', async () => {
    const image = `data:image/jpeg;base64,${photo.toString('base64')}`
    for (const body of [
      { image, active: false },
      { imageBase64: image, active: 'false' },
    ]) {
      const response = await admin.call('POST', '/slides', body)
      expect(response.status).toBe(201)
      expect(response.headers.get('ETag')).toBe('"1"')
      expect(await response.json()).toMatchObject({ title: '', description: '', active: false })
    }
    expect(await titles()).toEqual([])
    expect(await trail.entries()).toMatchObject([{ subject: 'Untitled slide' }, {}])
  })

  test('requires an image', async () => {
    const message = 'Image is required for slideshow'
    const problem = { status: 422, code: 'invalid', detail: message, errors: [{ path: 'image', message }] }
    expect(await refusalOf(await send('POST', '/slides', { title: 'A' }))).toEqual(problem)
    expect(await admin.refusal('POST', '/slides', { title: 'A' })).toEqual(problem)
  })

  test('accepts an image of 5 MB and none larger', async () => {
    const padded = (size: number) => Buffer.concat([photo, Buffer.alloc(size - photo.length)])
    await added({ image: padded(limit) })
    // The second isn't even read.
    for (const size of [limit + 1, 3 * limit]) {
      expect(await refusalOf(await send('POST', '/slides', { image: padded(size) }))).toEqual({
        status: 413,
        code: 'too_big',
        detail: tooLarge,
        errors: [{ path: 'image', message: tooLarge }],
      })
    }
  })

  test('refuses a file that is no image, with any name', async () => {
    const problem = { code: 'invalid', detail: wrongType, errors: [{ path: 'image', message: wrongType }] }
    const names = [
      ['photo.jpg', 'image/jpeg'],
      ['photo.png', 'image/png'],
      ['photo.gif', 'image/gif'],
      ['photo.webp', 'image/webp'],
      ['photo.svg', 'image/svg+xml'],
      ['page.html', 'text/html'],
    ] as const
    for (const bytes of [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), photo.subarray(0, 900)]) {
      for (const [name, type] of names) {
        const image = fileOf(bytes, name, type)
        expect(await refusalOf(await send('POST', '/slides', { image }))).toMatchObject(problem)
      }
    }
    expect(await titles('?all=true')).toEqual([])
    expect(await server.database.db.selectFrom('files').select('id').execute()).toEqual([])
  })

  test.each([
    [{ title: 'x'.repeat(121) }, 'title', 'Please shorten the title to 120 characters or fewer.'],
    [{ title: 'a\nb' }, 'title', 'Please remove the unusual characters from the title.'],
    [
      { description: 'x'.repeat(301) },
      'description',
      'Please shorten the description to 300 characters or fewer.',
    ],
    [{ description: 'a\0b' }, 'description', 'Please remove the unusual characters from the description.'],
    [{ active: 'perhaps' }, 'active', 'Please say by true or false whether the slide is active.'],
    [{ order: '0' }, '', 'Unknown fields: order.'],
  ])('refuses %j', async (fields, path, message) => {
    expect(await refusalOf(await send('POST', '/slides', { image: photo, ...fields }))).toEqual({
      status: 422,
      code: 'invalid',
      detail: message,
      errors: [{ path, message }],
    })
  })
})

describe('PATCH /slides/:id', () => {
  test('changes only the sent fields', async () => {
    const slide = await added({ title: 'A', description: 'B' })
    const response = await admin.call('PATCH', `/slides/${slide.id}`, { active: false }, ifMatch(1))
    expect(response.headers.get('ETag')).toBe('"2"')
    expect(await response.json()).toEqual({ ...slide, active: false, version: 2 })
    const renamed = await send('PATCH', `/slides/${slide.id}`, { title: 'C', description: '' }, ifMatch(2))
    expect(await renamed.json()).toEqual({
      ...slide,
      title: 'C',
      description: '',
      active: false,
      version: 3,
    })
    expect(await trail.entries()).toMatchObject([
      { action: 'slide-added' },
      { action: 'slide-edited', subject: 'A', fields: ['active'] },
      { action: 'slide-edited', subject: 'C', fields: ['title', 'description'] },
    ])
    expect(await trail.values()).toMatchObject([
      { before: { active: true }, after: { active: false } },
      { before: { title: 'A', description: 'B' }, after: { title: 'C', description: '' } },
    ])
  })

  test('another image replaces the former, whose files are deleted', async () => {
    const slide = await added()
    const image = await buildImage('png', { width: 700, height: 300 })
    const changed: Slide = await (await send('PATCH', `/slides/${slide.id}`, { image }, ifMatch(1))).json()
    expect(changed.image.width).toBe(700)
    expect(await statusOf(changed.imageUrl)).toBe(200)
    expect(await statusOf(slide.imageUrl)).toBe(404)
    expect(await trail.entries()).toMatchObject([{}, { action: 'slide-edited', fields: ['image'] }])
  })

  test('the stored values change nothing', async () => {
    const slide = await added({ title: 'A' })
    for (const fields of [{}, { title: 'A ' }, { active: 'true' }, { image: photo }]) {
      const response = await send('PATCH', `/slides/${slide.id}`, { ...fields, title: 'A' }, ifMatch(1))
      expect(await response.json()).toEqual(slide)
    }
    expect(await statusOf(slide.imageUrl)).toBe(200)
    expect(await trail.actions()).toEqual(['slide-added'])
  })

  test('refuses an edit of an older version, and one without a version', async () => {
    const [id] = await storeSlides(server.database, [{ title: 'A' }])
    await admin.call('PATCH', `/slides/${id}`, { title: 'B' }, ifMatch(1))
    expect(await admin.refusal('PATCH', `/slides/${id}`, { title: 'C' }, ifMatch(1))).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'Someone else changed this in the meantime. Please review the change and try again.',
    })
    expect(await admin.refusal('PATCH', `/slides/${id}`, { title: 'C' })).toMatchObject({
      status: 422,
      detail: 'Please send the version that you saw as If-Match: "version".',
    })
    expect(await titles()).toEqual(['0 B'])
  })

  test.each([{ image: Buffer.from('no image') }, { title: 'x'.repeat(121) }, { createdAt: '1' }])(
    'refuses what a new slide may not be either (%#)',
    async (fields: Form) => {
      const [id] = await storeSlides(server.database, [{ title: 'A' }])
      const response = await send('PATCH', `/slides/${id}`, fields, ifMatch(1))
      expect(response.status).toBe(422)
      expect(await titles()).toEqual(['0 A'])
    },
  )

  test.each([unknownId, 'first'])('does not find %s', async (id) => {
    expect(await admin.refusal('PATCH', `/slides/${id}`, { title: 'C' }, ifMatch(1))).toEqual({
      status: 404,
      code: 'not_found',
      detail: 'Slide not found',
    })
  })
})

describe('DELETE /slides/:id', () => {
  test('closes the gap and deletes the picture', async () => {
    await storeSlides(server.database, [{ title: 'A' }, { title: 'B' }])
    const slide = await added({ title: 'C' })
    const [, second] = (await (await admin.call('GET', '/slides')).json()).items
    expect((await admin.call('DELETE', `/slides/${second.id}`)).status).toBe(204)
    expect(await titles('?all=true')).toEqual(['0 A', '1 C'])
    expect((await admin.call('DELETE', `/slides/${slide.id}`)).status).toBe(204)
    expect(await statusOf(slide.imageUrl)).toBe(404)
    expect(await trail.entries()).toMatchObject([
      { action: 'slide-added' },
      { action: 'slide-deleted', subject: 'B' },
      { action: 'slide-deleted', subject: 'C' },
    ])
  })

  test('is refused for an older version', async () => {
    const [id] = await storeSlides(server.database, [{ title: 'A' }])
    await admin.call('PATCH', `/slides/${id}`, { title: 'B' }, ifMatch(1))
    expect(await admin.refusal('DELETE', `/slides/${id}`, undefined, ifMatch(1))).toEqual({
      status: 409,
      code: 'conflict',
      detail: 'Someone else changed this in the meantime. Please review the change and try again.',
    })
    expect(await admin.refusal('DELETE', `/slides/${id}`, undefined, { 'If-Match': 'any' })).toMatchObject({
      status: 422,
      detail: 'Please send the version that you saw as If-Match: "version".',
    })
    expect(await titles()).toEqual(['0 B'])
    expect((await admin.call('DELETE', `/slides/${id}`, undefined, ifMatch(2))).status).toBe(204)
  })

  test('leaves a picture that another slide uses', async () => {
    const first = await added()
    const second = await added()
    await admin.call('DELETE', `/slides/${first.id}`)
    expect(await statusOf(second.imageUrl)).toBe(200)
  })

  test.each([unknownId, 'first'])('does not find %s', async (id) => {
    expect(await admin.refusal('DELETE', `/slides/${id}`)).toMatchObject({
      status: 404,
      detail: 'Slide not found',
    })
  })
})
