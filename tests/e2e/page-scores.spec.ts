import { expect, test } from '@playwright/test'
import { scorePages } from '#tests/setup/page-scores.ts'
import { type Product, startProduct } from '#tests/setup/product.ts'

const leastScore = 98

test.describe.configure({ mode: 'serial', timeout: 240_000 })

let product: Product | undefined

test.beforeAll(async () => {
  // The demo's pictures take a while on a busy machine.
  test.setTimeout(240_000)
  // With announcements, slides and a chart: an empty page is quick.
  product = await startProduct({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }, ['--demo'])
})
test.afterAll(() => product?.remove())

for (const locale of ['en-PH', 'fil-PH']) {
  test(`the home page of a school is at most seven screens of a phone in ${locale}`, async ({ browser }) => {
    const viewport = { width: 390, height: 844 }
    const context = await browser.newContext({ baseURL: product?.url ?? '', locale, viewport })
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.getByRole('contentinfo')).toBeVisible()
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    expect(height / viewport.height).toBeLessThanOrEqual(7)
    await context.close()
  })
}

// The mark of performance says as much of the machine as of the page: the benchmark measures it.
for (const path of ['/', '/announcements', '/register']) {
  test(`Lighthouse gives ${path} ${leastScore} or more for accessibility, practices and search on a phone`, async () => {
    const [result] = (await scorePages(product?.url ?? '', [path], 1)) ?? []
    if (!result) throw new Error('the scores need Chromium')
    const [, ...marks] = result.scores
    expect(marks.length).toBe(3)
    expect(Math.min(...marks), `${marks.join(', ')} for ${result.failed.join(', ')}`).toBeGreaterThanOrEqual(
      leastScore,
    )
    // In ms, and as a share of the screen: what Lighthouse calls good.
    expect(result.largestPaintMs).toBeLessThan(2_500)
    expect(result.layoutShift).toBeLessThan(0.02)
  })
}
