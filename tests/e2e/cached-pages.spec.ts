import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'

/** The scripts of a page that stands have taken over once they listen for changes. */
async function openHydrated(page: Page, path: string) {
  const listening = page.waitForRequest(/\/api\/events$/)
  const answer = await page.goto(path)
  await listening
  return answer
}

const paths = ['/', '/announcements', '/programs', '/organization', '/faq', '/contact', '/privacy', '/terms']

test('each public page comes alive from memory, with each script named by its hash', {
  tag: '@journey',
}, async ({ page, browser, baseURL }) => {
  const visitor = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  const errors: string[] = []
  visitor.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  for (const path of paths) {
    await test.step(path, async () => {
      // The page is in memory from the first visit on.
      await page.request.get(path)
      const second = await visitor.newPage()
      const answer = await openHydrated(second, path)
      const headers = (await answer?.allHeaders()) ?? {}
      expect(headers.etag).toBeTruthy()
      expect(headers['content-security-policy']).toMatch(/script-src 'sha256-[^;]*'strict-dynamic'/)
      expect(headers['content-security-policy']).not.toMatch(/nonce|script-src[^;]*unsafe/)
      // Within the page, without another document.
      await second.evaluate(() => document.body.setAttribute('data-stayed', ''))
      await second
        .locator('footer')
        .getByRole('link', { name: /privacy/i })
        .first()
        .click()
      await second.waitForURL(/\/privacy$/)
      await expect(second.locator('body')).toHaveAttribute('data-stayed', '')
      await second.close()
    })
  }
  expect(errors).toEqual([])
  await visitor.close()
})

test('a page from memory refuses a script that was not in it', { tag: '@journey' }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy/)
  await openHydrated(page, '/')
  const ran = await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">')
    document.body.insertAdjacentHTML(
      'beforeend',
      '<iframe srcdoc="<script>parent.ran = true</script>"></iframe>',
    )
    return new Promise((resolve) => setTimeout(() => resolve('ran' in window), 200))
  })
  expect(ran).toBe(false)
})
