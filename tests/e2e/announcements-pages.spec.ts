import type { Page } from '@playwright/test'
import { clearAnnouncements, openPublic, post } from './announcements.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

test('every category is accessible and long words fit the screen, in light and dark colours', async ({
  page,
}) => {
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
  await expectToFitWithLettersApart(page)
  // Else the page would read its deleted announcement again.
  await page.goto('about:blank')
  await clearAnnouncements(page.request)
})

/** As some readers need them. */
async function expectToFitWithLettersApart(page: Page) {
  await page.setViewportSize({ width: 320, height: 640 })
  await openPublic(page, '/announcements')
  await page.evaluate(() => {
    const spacing = new CSSStyleSheet()
    spacing.replaceSync('* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')
    document.adoptedStyleSheets.push(spacing)
  })
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
}
