import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.close())

function search(query: string) {
  return fetch(`${server.url}/api/places${query}`)
}

test('municipalities are public, and cacheable for a day', async () => {
  const response = await search(`?search=${encodeURIComponent('dasmariñas')}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=86400')
  const { items } = await response.json()
  expect(items[0]).toEqual({ municipality: 'Dasmariñas', province: 'Cavite', zipCode: '4114' })
})

test('no match gives an empty list', async () => {
  expect(await (await search('?search=xyzzy')).json()).toEqual({ items: [] })
})

test.each([
  ['', 'Please type at least 2 characters of the municipality or city.'],
  ['?search=', 'Please type at least 2 characters of the municipality or city.'],
  ['?search=%20b%20', 'Please type at least 2 characters of the municipality or city.'],
  [`?search=${'b'.repeat(101)}`, 'Please type no more than 100 characters of the municipality or city.'],
])('%j is refused with a sentence', async (query, sentence) => {
  const response = await search(query)
  expect(response.status).toBe(422)
  expect((await response.json()).detail).toBe(sentence)
})
