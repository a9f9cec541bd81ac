import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrgNode } from '#shared/org-chart/org-chart-response.ts'
import { buildImage } from '#tests/factories/images.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const limit = 2 * 1024 * 1024

let server: TestServer
let cookie: string
let image: Buffer

beforeAll(async () => {
  server = await startTestServer()
  cookie = await server.signIn()
  image = await buildImage('png', { width: 500, height: 400 })
})
afterAll(() => server.close())
beforeEach(() => sql`truncate org_nodes`.execute(server.database.db))

function send(path: string, fields: Record<string, string | Buffer>, version?: number) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : new File([new Uint8Array(value)], 'photo.png'))
  }
  return fetch(`${server.url}/api/org-chart/nodes${path}`, {
    method: version === undefined ? 'POST' : 'PATCH',
    headers: { Cookie: cookie, ...(version === undefined ? {} : { 'If-Match': `"${version}"` }) },
    body: form,
  })
}

async function addWithPhoto(): Promise<OrgNode> {
  const response = await send('', { name: 'Dean', title: '', department: '', parentId: '', image })
  expect(response.status).toBe(201)
  return await response.json()
}

const statusOf = async (url: string | null) => (await fetch(`${server.url}${url}`)).status

test('a form with a photo creates a node with a photo in several widths', async () => {
  const node = await addWithPhoto()
  expect(node).toMatchObject({ name: 'Dean', parentId: null, imageUrl: node.image?.jpeg.url })
  expect(node.image?.webp.map(({ width }) => width)).toEqual([96, 192, 384])
  expect(await statusOf(node.imageUrl)).toBe(200)
})

test('a program may send it as a data URL', async () => {
  const admin = createAdminClient(server, cookie)
  const imageBase64 = `data:image/png;base64,${image.toString('base64')}`
  const response = await admin.call('POST', '/org-chart/nodes', { name: 'Dean', imageBase64 })
  expect(response.status).toBe(201)
  expect((await response.json()).imageUrl).toMatch(/^\/api\/files\/[0-9a-f]{64}\.jpg$/)
})

test('an edit leaves, replaces or removes the photo', async () => {
  const node = await addWithPhoto()
  const edit = async (fields: Record<string, string | Buffer>, version: number): Promise<OrgNode> =>
    (await send(`/${node.id}`, fields, version)).json()
  const edited = await edit({ name: 'Dr. Reyes', keepExistingImage: 'true' }, 1)
  expect(edited.imageUrl).toBe(node.imageUrl)
  const replaced = await edit({ image: await buildImage('jpeg', { width: 200, height: 200 }) }, 2)
  expect(replaced.imageUrl).not.toBe(node.imageUrl)
  expect([await statusOf(node.imageUrl), await statusOf(replaced.imageUrl)]).toEqual([404, 200])
  const removed = await edit({ keepExistingImage: 'false' }, 3)
  expect(removed).toMatchObject({ imageUrl: null, image: null, version: 4, name: 'Dr. Reyes' })
  expect(await statusOf(replaced.imageUrl)).toBe(404)
})

test('deleting a node removes its photo', async () => {
  const node = await addWithPhoto()
  const admin = createAdminClient(server, cookie)
  await admin.call('DELETE', `/org-chart/nodes/${node.id}`, undefined, { 'If-Match': '"1"' })
  expect(await statusOf(node.imageUrl)).toBe(404)
})

test('a photo may have 2 MB to the byte, and must be an image', async () => {
  const pad = (size: number) => Buffer.concat([image, Buffer.alloc(size - image.length)])
  expect((await send('', { name: 'Dean', image: pad(limit) })).status).toBe(201)
  const large = await send('', { name: 'Dean', image: pad(limit + 1) })
  expect([large.status, (await large.json()).detail]).toEqual([
    413,
    'Image file is too large. Maximum size is 2MB.',
  ])
  const message = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'
  const other = await send('', { name: 'Dean', image: Buffer.from('<svg></svg>') })
  expect(await other.json()).toMatchObject({ status: 422, errors: [{ path: 'image', message }] })
  const odd = await send('', { name: 'Dean', keepExistingImage: 'true' })
  expect((await odd.json()).detail).toBe('Unknown fields: keepExistingImage.')
})
