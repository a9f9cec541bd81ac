import type { Page } from '@playwright/test'
import { expect, test } from './journey.ts'

/** Opens the form with its scripts at work. */
async function openForm(page: Page): Promise<void> {
  const rules = page.waitForResponse(/registration-rules/)
  await page.goto('/register')
  await page.locator('[name="middleName"]').focus()
  await rules
}

test('on small phones the form is as wide as the screen, whichever section is current', async ({ page }) => {
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 640 })
    await openForm(page)
    for (let section = 1; section <= 9; section++) {
      await page
        .locator('section[id^="section-"]')
        .nth(section - 1)
        .evaluate((element) => {
          window.scrollTo({ top: element.getBoundingClientRect().top + window.scrollY - 200 })
        })
      await expect(page.getByText(new RegExp(`^${section} of 9: `))).toBeVisible()
      expect(await page.evaluate(widest), `section ${section} at ${width} px`).toBeLessThanOrEqual(width)
    }
  }
})

/** How far to the right anything of the form reaches. Runs in the page. */
function widest(): number {
  const parts = [
    ...document.querySelectorAll('form, form :is(section, input, select, textarea, label, button)'),
  ]
  const reach = parts.map((part) => part.getBoundingClientRect().right + window.scrollX)
  return Math.ceil(Math.max(document.documentElement.scrollWidth, ...reach))
}
