import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildRegistration } from '#tests/factories/registration.ts'
import { openPlainBrowser } from '#tests/setup/plain-browser.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'

let product: Product

beforeAll(async () => {
  product = await startProduct({ RATE_LIMITS: 'off' })
})
afterAll(() => product.remove())

test.each([
  ['the rows of students', '/admin?tab=students', 'Macapagal-Reyes'],
  ['the activity of the dashboard', '/admin', 'enlisted'],
])('before any script, %s show', async (_what, path, shown) => {
  await fetch(`${product.url}/api/registrations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(buildRegistration({ lastName: 'Macapagal-Reyes' })),
  })
  const browser = openPlainBrowser(product.url)
  const [name = '', value = ''] = (await signInOverHttp(product.url)).split('=')
  browser.cookies.set(name, value)
  // The page waits half a second for them, which a busy machine may need more than once.
  const readMain = async () => {
    const main = (await browser.open(path)).document.querySelector('main')
    for (const script of main?.querySelectorAll('script') ?? []) script.remove()
    return main?.textContent
  }
  await expect.poll(readMain, { timeout: 20_000 }).toContain(shown)
})
