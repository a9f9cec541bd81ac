import type { Page } from '@playwright/test'
import type { Product } from '#tests/setup/product.ts'
import { post } from './announcements.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectContrast, signIn, test } from './journey.ts'
import { openOwnPage } from './own-page.ts'

const ofVisitors = ['/', '/register', '/login', '/programs', '/faq', '/contact', '/privacy', '/terms']
const ofTheOffice = [
  '/admin',
  '/admin?tab=students',
  '/admin?tab=students&search=nobody+has+this+name',
  '/statistics',
  '/admin?tab=terms',
  '/admin?tab=slideshow',
  '/admin?tab=system-settings',
  '/help',
  '/poster',
  '/help/students',
]

/** Each at two widths and in both colours; the scripts of one page load the next faster than a sign-in for each. */
for (const [who, paths] of Object.entries({ visitors: ofVisitors, 'the office': ofTheOffice })) {
  test(`the screens of ${who} are accessible and fit, in light and dark colours`, {
    tag: '@journey',
  }, async ({ page }) => {
    test.slow()
    if (who === 'the office') await signIn(page)
    for (const path of paths) {
      await test.step(path, async () => {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await expectAccessible(page)
        const own = page.viewportSize()
        for (const width of [390, 1_280]) {
          await page.setViewportSize({ width, height: 800 })
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            await expectContrast(page)
          }
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
            true,
          )
        }
        if (own) await page.setViewportSize(own)
      })
    }
  })
}

const tabs = [
  'terms',
  'papers',
  'import',
  'audit',
  'privacy',
  'announcements',
  'email',
  'email&pane=bulk',
  'email&pane=outbox',
]
const inLargeText = {
  visitors: [
    ...ofVisitors,
    '/announcements',
    '/register/confirmation',
    '/my',
    '/my/lost-code',
    '/my/request',
  ],
  'the dashboard': [...tabs, 'requests', 'email&pane=returned', 'slideshow', 'orgchart', 'people'].map(
    (tab) => `/admin?tab=${tab}`,
  ),
  'the rest of the office': [
    '/admin',
    '/admin?tab=students',
    '/admin?tab=profile-settings',
    '/admin?tab=system-settings',
    '/admin/archived',
    '/statistics',
    '/help',
    '/help/students',
    '/poster',
    '/email-test',
    '/server-test',
  ],
}

/** Something to show, where a worker's product may have none. */
async function fillScreen(page: Page, product: Product, path: string): Promise<void> {
  const lastName = uniqueLastName()
  const ofRecord = ['students', 'archived', 'confirmation', 'my/request']
  if (ofRecord.some((end) => path.endsWith(end))) await registerStudent(page, { lastName })
  if (path === '/my/request') {
    const [name = '', value = ''] = (await openOwnPage(product, `last_name = '${lastName}'`)).split('=')
    await page.context().addCookies([{ name, value, url: product.url }])
  }
  if (path.endsWith('archived')) {
    const list = await page.request.get(`/api/students?search=${encodeURIComponent(lastName)}`)
    const { items } = await list.json()
    await page.request.post(`/api/students/${items[0].id}/archive`)
  }
  if (path.endsWith('orgchart')) {
    await page.request.post('/api/org-chart/nodes', { multipart: { name: lastName } })
  }
  if (path.endsWith('tab=announcements')) {
    await post(page.request, { title: lastName, category: 'Important', draft: 'true' })
  }
  if (path === '/announcements') await post(page.request, { title: lastName })
}

/** What a press shows on a page. */
const openPart: Record<string, (page: Page) => Promise<void>> = {
  '/my/request': (page) =>
    page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
    }),
  async '/register'(page) {
    for (const step of ['personal', 'education', 'emergency', 'review']) {
      await page.evaluate((id) => window.location.assign(`#step-${id}`), step)
      await expectWhole(page, 320)
    }
  },
  '/announcements': async (page) => {
    await page.locator('[id^="card-"] a').first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
}

/** The texts of which a box or the window cuts something off at a side, and broken words of labels. Runs in the page. */
function cutTexts(): string[] {
  function cuttingBoxOf(box: Element | null): Element | null {
    if (!box) return null
    const { position, overflowX, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(box)
    // For screen readers only, or shortened with a sign.
    const isShortened = textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
    if (clipPath !== 'none' || isShortened) return null
    if (position === 'fixed' || ['hidden', 'clip'].includes(overflowX)) return box
    return overflowX === 'visible' ? cuttingBoxOf(box.parentElement) : null
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const cut: string[] = []
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode
    if (!textContent?.trim() || !parentElement?.checkVisibility()) continue
    range.selectNode(walker.currentNode)
    const { left, right } = range.getBoundingClientRect()
    const edges = cuttingBoxOf(parentElement)?.getBoundingClientRect()
    // A pixel for rounding.
    if (edges && (left < edges.left - 1 || right > edges.right + 1)) cut.push(textContent)
    if (!parentElement.closest('label')) continue
    // A short word over two lines: its field is too narrow to be used.
    for (const { 0: word, index } of textContent.matchAll(/(?<!\S)[^\s-]{2,8}(?!\S)/g)) {
      range.setStart(walker.currentNode, index)
      range.setEnd(walker.currentNode, index + word.length)
      if (range.getClientRects().length > 1) cut.push(word)
    }
  }
  return cut
}

async function expectWhole(page: Page, width: number): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `at ${width} px`)
    .toBeLessThanOrEqual(width)
  await expect.poll(() => page.evaluate(cutTexts), `at ${width} px`).toEqual([])
}

for (const [who, paths] of Object.entries(inLargeText)) {
  test(`in text of 200 % the screens of ${who} are never wider than the window, and no text is cut`, {
    tag: ['@desktop', '@journey'],
  }, async ({ page, product }) => {
    test.slow()
    await signIn(page)
    for (const path of paths) {
      await test.step(path, async () => {
        await fillScreen(page, product, path)
        for (const language of who === 'visitors' ? ['fil', 'en'] : ['en']) {
          await page.goto(`/language/${language}?${new URLSearchParams({ next: path })}`)
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
          await expect(page.locator('main [aria-busy="true"], main .animate-pulse')).toHaveCount(0)
          await page.evaluate(() => {
            document.documentElement.style.fontSize = '200%'
          })
          for (const width of [1366, 768, 390, 320]) {
            await page.setViewportSize({ width, height: 800 })
            await expectWhole(page, width)
          }
          await openPart[path]?.(page)
          await expectWhole(page, 320)
        }
      })
    }
  })
}

test('the navigation search goes to what matches, without a list, a press on nothing or a step of history; an address of nothing leads home', async ({
  page,
  expectErrors,
}) => {
  await signIn(page)
  const box = page.getByRole('combobox').first()

  await test.step('a menu item needs no list: Enter may be faster', async () => {
    await page.route('**/assets/quick-search-*', () => undefined)
    await page.goto('/admin')
    const before = await page.evaluate(() => history.length)
    await box.fill('management')
    await box.press('Enter')
    await box.fill('STUDENT')
    await box.press('Enter')
    await page.waitForURL(/tab=students/)
    await expect(box).toHaveValue('')
    expect(await page.evaluate(() => history.length)).toBe(before)
    await page.unroute('**/assets/quick-search-*')
  })

  await test.step('Enter on nothing leads nowhere, the arrow keys choose', async () => {
    await page.goto('/admin?tab=email')
    await box.click()
    await expect(
      page.getByRole('listbox', { name: 'Search results' }).getByRole('option').first(),
    ).toBeVisible()
    await box.press('Enter')
    await expect(page).toHaveURL(/tab=email$/)
    await box.press('ArrowDown')
    await box.press('Enter')
    await expect(page).not.toHaveURL(/tab=email/)
  })
  await test.step('an address of nothing leads home or to where there is something', async () => {
    await page.goto('/no/such/page')
    await expect(page).toHaveURL(/:\d+\/$/)

    // The browser itself reports the page's status.
    await expectErrors(/404/, async () => {
      const answer = await page.goto('/register/confirmation')
      expect(answer?.status()).toBe(404)
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    })
    await expectAccessible(page)
    const toForm = page.locator('main').getByRole('link', { name: /form|enlist|register/i })
    await expect(toForm.first()).toBeVisible()

    await expectErrors(/404/, async () => {
      await page.goto('/announcements/nothing')
      await expect(page.getByText('Announcement not found').last()).toBeVisible()
    })
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'All announcements' }).click()
    await expect(page).toHaveURL(/\/announcements$/)
  })
})
