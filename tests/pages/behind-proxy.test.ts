import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

/** What a proxy that ends TLS passes on, and what the browser before it said. */
const proxied = {
  Host: 'nstp.school.example',
  Origin: 'https://nstp.school.example',
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Proto': 'https',
}

let product: Product

beforeAll(async () => {
  product = await startProduct({ PUBLIC_URL: 'https://nstp.school.example', TRUST_PROXY: 'on', PORT: '0' })
})
afterAll(() => product.remove())

/** As a proxy asks: Node's fetch would name the product's own host. */
async function ask(path: string, { headers = proxied, form = '' } = {}): Promise<IncomingMessage> {
  const sent = request(`${product.url}${path}`, {
    method: form === '' ? 'GET' : 'POST',
    headers: { ...headers, ...(form === '' ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }) },
  })
  const answered = once(sent, 'response')
  sent.end(form)
  const [answer] = await answered
  answer.resume()
  return answer
}

const signIn = String(new URLSearchParams({ email: adminEmail, password: adminPassword }))

test('the administrator signs in through a proxy, with cookies that only https carries', async () => {
  const { statusCode, headers } = await ask('/login', { form: signIn })
  expect(statusCode).toBe(302)
  expect(headers.location).toBe('/admin')
  const session = headers['set-cookie']?.find((cookie) => cookie.startsWith('__Host-nstp-session='))
  expect(session).toMatch(/^__Host-nstp-session=[^;]+;.*; Secure/)
  expect(headers['set-cookie']?.filter((cookie) => !cookie.includes('; Secure'))).toEqual([])
})

test('the language that a visitor chose is remembered in a cookie that only https carries', async () => {
  const { headers } = await ask('/language/fil')
  expect(headers['set-cookie']).toHaveLength(1)
  expect(headers['set-cookie']?.[0]).toMatch(/^nstp-language=fil;.*; Secure$/)
})

test('a form posted from another site through the proxy is refused', async () => {
  const headers = { ...proxied, Origin: 'https://evil.example' }
  const answer = await ask('/login', { headers, form: signIn })
  expect(answer.statusCode).toBe(403)
  expect(answer.headers['set-cookie']).toBeUndefined()
})
