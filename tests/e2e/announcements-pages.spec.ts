import { clearAnnouncements, openPublic, post, uniqueTitle } from './announcements.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

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

test.describe('at the address of nothing', () => {
  // The browser itself reports the page's status.
  test.use({ expectedErrors: [/404/] })

  test('the page is accessible and leads on', async ({ page }) => {
    await page.goto('/announcements/nothing')
    await expect(page.getByText('Announcement not found').last()).toBeVisible()
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
