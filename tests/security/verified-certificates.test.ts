// @module-tag rest
import { expect, onTestFinished, test } from 'vitest'
import { startProduct } from '#tests/setup/product.ts'

test('codes are tried thirty times in ten minutes, by the page and the API together, and no log has them', {
  timeout: 180_000,
}, async () => {
  const product = await startProduct({ LOG_LEVEL: 'info' })
  onTestFinished(() => product.remove())
  const code = 'ABCDEFGHJKLM'
  for (let count = 0; count < 15; count++) {
    const page = await fetch(`${product.url}/verify/${code}`)
    expect([page.status, page.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    expect(await page.text()).toContain('We don’t know this code.')
    expect((await fetch(`${product.url}/api/verify/${code}`)).status).toBe(200)
  }
  expect((await fetch(`${product.url}/verify?code=${code}`)).status).toBe(429)
  expect((await fetch(`${product.url}/api/verify/${code}`)).status).toBe(429)
  // The form alone asks for nothing.
  expect((await fetch(`${product.url}/verify`)).status).toBe(200)
  // Its end writes the rest of the log.
  await product.stop()
  expect(product.output()).toContain('/api/verify/:code')
  expect(product.output()).not.toContain(code)
})
