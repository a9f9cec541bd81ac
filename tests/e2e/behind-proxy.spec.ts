import { expect, test } from '@playwright/test'
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

test.beforeAll(async () => {
  product = await startProduct({ PUBLIC_URL: 'https://nstp.school.example', TRUST_PROXY: 'on', PORT: '0' })
})
test.afterAll(() => product.remove())

test('the administrator signs in through a proxy, with cookies that only https carries', async ({
  request,
}) => {
  const answer = await request.post(`${product.url}/login`, {
    headers: proxied,
    form: { email: adminEmail, password: adminPassword },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(302)
  expect(answer.headers().location).toBe('/admin')
  expect(answer.headers()['set-cookie']).toMatch(/__Host-nstp-session=[^;]+;.*Secure/i)
})

test('the language that a visitor chose is remembered in a cookie that only https carries', async ({
  request,
}) => {
  const answer = await request.get(`${product.url}/language/fil`, { headers: proxied, maxRedirects: 0 })
  expect(answer.headers()['set-cookie']).toMatch(/^nstp-language=fil;.*; Secure$/)
})

test('a form posted from another site through the proxy is refused', async ({ request }) => {
  const answer = await request.post(`${product.url}/login`, {
    headers: { ...proxied, Origin: 'https://evil.example' },
    form: { email: adminEmail, password: adminPassword },
    maxRedirects: 0,
  })
  expect(answer.status()).toBe(403)
})
