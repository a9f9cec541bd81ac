import { buildImage } from '#tests/factories/images.ts'
import { clearAnnouncements, openPublic, post, uniqueTitle } from './announcements.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

test('everything is read without scripts', async ({ page, browser, product }) => {
  await signIn(page)
  await clearAnnouncements(page.request)
  const titles = Array.from({ length: 14 }, () => uniqueTitle('Plain'))
  for (const title of titles) {
    await post(page.request, {
      title,
      category: 'ROTC',
      content: `All of ${title}.`,
      attachment: { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') },
    })
  }
  const visitors = await browser.newContext({ baseURL: product.url, javaScriptEnabled: false })
  const visitor = await visitors.newPage()
  await openPublic(visitor, '/announcements')
  const cards = visitor.locator('main li').filter({ has: visitor.getByRole('heading') })
  await expect(cards).toHaveCount(12)
  await visitor.getByRole('link', { name: 'ROTC', exact: true }).click()
  await expect(visitor).toHaveURL(/category=ROTC/)
  await expect(cards).toHaveCount(12)
  await visitor.getByRole('link', { name: 'Show more' }).click()
  await expect(cards).toHaveCount(14)
  await expect(visitor.getByRole('link', { name: 'Show more' })).toHaveCount(0)

  const oldest = titles[0] ?? ''
  await visitor.getByRole('link', { name: oldest }).click()
  await expect(visitor.getByRole('heading', { level: 1, name: oldest })).toBeVisible()
  await expect(visitor.getByText(`All of ${oldest}.`)).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Download a.txt' })).toBeVisible()
  await visitor.getByRole('link', { name: 'All announcements' }).click()
  await expect(cards).toHaveCount(12)
  await visitors.close()
})

test('Show more adds to the list and goes to the first that is new', async ({ page }) => {
  await signIn(page)
  await clearAnnouncements(page.request)
  const titles = Array.from({ length: 14 }, () => uniqueTitle('More'))
  for (const title of titles) await post(page.request, { title })
  await openPublic(page, '/announcements')
  const cards = page.locator('main li').filter({ has: page.getByRole('heading') })
  await expect(cards).toHaveCount(12)
  await page.getByRole('link', { name: 'Show more' }).press('Enter')
  await expect(cards).toHaveCount(14)
  await expect(page.getByRole('link', { name: titles[1] ?? '' })).toBeFocused()
  await expect(page).toHaveURL(/show=24/)
})

test('a page of its own tells search engines and link previews what it is', async ({ page, product }) => {
  await signIn(page)
  const title = uniqueTitle('Preview')
  const { id, image } = await post(page.request, {
    title,
    content: 'The **whole** text.',
    image: { name: 'a.png', mimeType: 'image/png', buffer: await buildImage('png') },
  })
  const address = `${product.url}/announcements/${id}`
  await page.goto(address)
  await expect(page).toHaveTitle(new RegExp(`^${title} · `))
  const contentOf = (selector: string) => page.locator(selector).getAttribute('content')
  expect(await contentOf('meta[name="description"]')).toBe('The whole text.')
  expect(await contentOf('meta[property="og:title"]')).toBe(title)
  expect(await contentOf('meta[property="og:image"]')).toBe(`${product.url}${image?.jpeg.url}`)
  expect(await page.locator('link[rel="canonical"]').getAttribute('href')).toBe(address)
  await expectAccessible(page)

  await openPublic(page, '/announcements')
  const feed = page.locator('link[rel="alternate"]')
  await expect(feed).toHaveAttribute('href', '/announcements/feed.xml')
  const answer = await page.request.get('/announcements/feed.xml')
  expect(answer.headers()['content-type']).toContain((await feed.getAttribute('type')) ?? 'no type')
  expect(await answer.text()).toContain(title)
})

test('what is written from right to left is set so, on its card and on its page', async ({ page }) => {
  await signIn(page)
  const title = uniqueTitle('إعلان')
  const { id } = await post(page.request, { title, content: 'التدريب يوم **السبت**.' })
  await openPublic(page, '/announcements')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })
  await expect(card.getByRole('heading')).toHaveCSS('direction', 'rtl')
  await expect(card.getByText('التدريب يوم السبت.')).toHaveCSS('direction', 'rtl')
  await page.goto(`/announcements/${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('direction', 'rtl')
  await expect(page.getByText('التدريب يوم السبت.')).toHaveCSS('direction', 'rtl')
  await expect(page.getByRole('link', { name: 'All announcements' })).toHaveCSS('direction', 'ltr')
})

test('the coordinator sees a draft on its page, and nobody else does', async ({ page, browser, product }) => {
  await signIn(page)
  const { id } = await post(page.request, { title: uniqueTitle(), draft: 'true' })
  await page.goto(`/announcements/${id}`)
  await expect(
    page.getByText('Only the office can see this page: the announcement is a draft.'),
  ).toBeVisible()
  const visitors = await browser.newContext({ baseURL: product.url })
  expect((await visitors.request.get(`/announcements/${id}`)).status()).toBe(404)
  await visitors.close()
})

test.describe('at the address of nothing', () => {
  // The browser itself reports the page's status.
  test.use({ expectedErrors: [/404/] })

  test('the page says so and leads on', async ({ page }) => {
    for (const id of ['0193f2a0-8d1c-7aaa-9bbb-0123456789ab', 'nothing']) {
      const answer = await page.goto(`/announcements/${id}`)
      expect(answer?.status()).toBe(404)
      await expect(page.getByText('Announcement not found').last()).toBeVisible()
    }
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'All announcements' }).click()
    await expect(page).toHaveURL(/\/announcements$/)
  })
})

test('with letters set apart, as some readers need them, nothing goes sideways', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openPublic(page, '/announcements')
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet()
    spacing.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets.push(spacing)
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

test('every category is accessible and long words fit the screen, in light and dark colours', {
  tag: '@both',
}, async ({ page }) => {
  await signIn(page)
  await clearAnnouncements(page.request)
  for (const category of ['General', 'ROTC', 'CWTS', 'LTS', 'Important', 'Event']) {
    await post(page.request, { title: 'W'.repeat(200), content: 'x'.repeat(500), category, pinned: 'true' })
  }
  const expectToFit = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  const expectAccessibleInBoth = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
  }
  await openPublic(page, '/announcements')
  await expectAccessibleInBoth()
  await expectToFit()
  await page.getByRole('main').getByRole('listitem').getByRole('link', { name: /^W+$/ }).first().click()
  await expect(page.getByRole('dialog').getByText(/^x+$/)).toBeVisible()
  await expectAccessibleInBoth()
  await page.getByRole('link', { name: 'Open in full page' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectToFit()
  await expectAccessibleInBoth()
  // Else the page would read its deleted announcement again.
  await page.goto('about:blank')
  await clearAnnouncements(page.request)
})
