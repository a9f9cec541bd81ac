import { expect, onTestFinished, test } from 'vitest'
import { startProduct } from '#tests/setup/product.ts'
import { signInOverHttp } from '#tests/setup/sign-in.ts'

test('data that ends a script stays data in the page and in what the page passes to its scripts', {
  timeout: 180_000,
}, async () => {
  const product = await startProduct()
  onTestFinished(() => product.remove())
  const mark = 'mark4711'
  const hostile = `</script><script>window.${mark}=1</script><!--<script>\u2028`
  const cookie = await signInOverHttp(product.url)
  const { version } = await (
    await fetch(`${product.url}/api/settings`, { headers: { Cookie: cookie } })
  ).json()
  const changed = await fetch(`${product.url}/api/settings`, {
    method: 'PATCH',
    headers: {
      Cookie: cookie,
      'Content-Type': 'application/json',
      Origin: product.url,
      'If-Match': `"${version}"`,
    },
    body: JSON.stringify({ schoolName: hostile }),
  })
  expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining(mark)])
  for (const path of ['/', '/register', '/login', '/announcements']) {
    const page = await (await fetch(product.url + path)).text()
    expect(page).toContain(mark)
    const scripts = [...page.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(
      ([, content]) => content ?? '',
    )
    // In the data of one at least, and the beginning of none.
    expect(scripts.some((script) => script.includes(mark))).toBe(true)
    expect(scripts.filter((script) => script.startsWith(`window.${mark}`))).toEqual([])
    expect(page).not.toContain(`<script>window.${mark}`)
  }
})
