import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Slide } from '#shared/slideshow/slides-response.ts'
import { buildImage } from '#tests/factories/images.ts'
import { storeSlides } from '#tests/factories/stored-slide.ts'
import { createAdminClient } from '#tests/setup/admin-client.ts'
import { type AuditTrail, createAuditTrail } from '#tests/setup/audit-trail.ts'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

const unknownId = '0198f4b2-0000-7000-8000-000000000000'

let server: TestServer
let admin: ReturnType<typeof createAdminClient>
let trail: AuditTrail

beforeAll(async () => {
  server = await startTestServer()
  admin = createAdminClient(server, await server.signIn())
  trail = createAuditTrail(server.database)
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.db.deleteFrom('slides').execute()
  await trail.clear()
})

async function allSlides(): Promise<Slide[]> {
  return (await (await admin.call('GET', '/slides?all=true')).json()).items
}
const titles = async () => (await allSlides()).map(({ title }) => title)

describe('PUT /slides/order', () => {
  test('orders all slides, active or not', async () => {
    const [a, b, c] = await storeSlides(server.database, [
      { title: 'A' },
      { title: 'B', active: false },
      { title: 'C' },
    ])
    const response = await admin.call('PUT', '/slides/order', { ids: [c, a, b] })
    expect(response.status).toBe(200)
    const { items } = await response.json()
    expect(items.map(({ title, order }: Slide) => `${order} ${title}`)).toEqual(['0 C', '1 A', '2 B'])
    expect(await titles()).toEqual(['C', 'A', 'B'])
    // An open edit of a slide isn't stale by that.
    expect(items.map(({ version }: Slide) => version)).toEqual([1, 1, 1])
    expect(await trail.entries()).toMatchObject([{ action: 'slides-reordered', affected: 3 }])
  })

  test('the current order changes nothing', async () => {
    const ids = await storeSlides(server.database, [{}, {}])
    expect((await admin.call('PUT', '/slides/order', { ids })).status).toBe(200)
    expect(await trail.entries()).toEqual([])
  })

  test('is refused when the slides have changed meanwhile', async () => {
    const ids = await storeSlides(server.database, [{ title: 'A' }, { title: 'B' }])
    for (const others of [[], ids.slice(1), [...ids, unknownId], [ids[0], 'B']]) {
      expect(await admin.refusal('PUT', '/slides/order', { ids: others })).toEqual({
        status: 409,
        code: 'conflict',
        detail:
          'Slides were added or deleted in the meantime. Please check the current slides and arrange them again.',
      })
    }
    expect(await titles()).toEqual(['A', 'B'])
  })

  test.each([
    [{ ids: [unknownId, unknownId] }, 'A slide is listed twice in this order. Please send each once.'],
    [{ ids: 'all' }, 'Please send the ids of all slides in their new order.'],
    [{ ids: [7] }, 'Please send the ids of all slides in their new order.'],
    [{}, 'Please send the ids of all slides in their new order.'],
    [{ ids: [], by: 'title' }, 'Unknown fields: by.'],
  ])('refuses %j', async (body, detail) => {
    expect(await admin.refusal('PUT', '/slides/order', body)).toMatchObject({
      status: 422,
      code: 'invalid',
      detail,
    })
  })
})

test('60 concurrent adds, orders and deletes leave no gap or duplicate position', async () => {
  const ids = await storeSlides(
    server.database,
    Array.from({ length: 10 }, () => ({})),
  )
  const image = `data:image/png;base64,${(await buildImage('png', { width: 40, height: 30 })).toString('base64')}`
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => [
      await admin.call('POST', '/slides', { title: `New ${index}`, image }),
      await admin.call('PUT', '/slides/order', {
        ids: (await allSlides()).map(({ id }) => id).reverse(),
      }),
      ...(ids[index] && index % 2 === 0 ? [await admin.call('DELETE', `/slides/${ids[index]}`)] : []),
    ]),
  )
  const statuses = answers.flat().map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
  expect(statuses.filter((status) => status === 204)).toHaveLength(5)
  // An order that was made for other slides is refused, not bent.
  expect(new Set(statuses)).toEqual(new Set([201, 200, 409, 204].filter((each) => statuses.includes(each))))
  const slides = await allSlides()
  expect(slides.map(({ order }) => order)).toEqual(Array.from({ length: 25 }, (_, index) => index))
})
