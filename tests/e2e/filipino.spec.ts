import type { Page } from '@playwright/test'
import { publicPages } from '#shared/site/public-pages.ts'
import { fillEnlistment, showStep } from './enlistment-form.ts'
import { expect, expectAccessible, test } from './journey.ts'

/** The product's words that are the same in both languages: names, terms of the law, file types. */
const shared = new Set(
  `NSTP Portal|Home|Menu|FAQ|Portal|Dashboard|Legal|ROTC|CWTS|LTS|Reserve Officers' Training Corps|Civic Welfare Training Service|Literacy Training Service|Serial number|E-mail|Address|NSTP Office|Data protection officer|NSTP Competent Enlistment Form|ZIP Code|Social Security Number|Email|Filipino|Student ID|Serial Number|NSTP Component|RSS feed|Republic Act 9163|National Service Training Program|Chart|Organizational chart|Slideshow|YYYY|SOICT|SOBM|SOHM|SOCJ|SOTE|III|Barangay`.split(
    '|',
  ),
)

/** All texts of a page with a word in them, those of its controls' names too, but not what the office wrote. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = []
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      const ofOffice = '[id^="card-"], [role="tree"], [aria-roledescription="carousel"]'
      if (!parentElement?.closest(`script, style, noscript, ${ofOffice}`)) texts.push(textContent ?? '')
    }
    const named =
      ':is([aria-label], [placeholder], [title]):not([role="tree"] *, [aria-roledescription="carousel"] *)'
    for (const element of document.body.querySelectorAll(named)) {
      for (const name of ['aria-label', 'placeholder', 'title']) texts.push(element.getAttribute(name) ?? '')
    }
    return texts.map((text) => text.trim()).filter((text) => /\p{L}{3}/u.test(text))
  })
}

test.describe('a phone in Filipino', () => {
  // The server refuses the form while its rules are on their way.
  test.use({ locale: 'fil-PH', expectedErrors: [/422/] })

  // What scripts add to a page. All else of it, and the other pages, are in tests/pages/filipino.test.ts.
  test('gets all of its pages in Filipino, from their scripts too, and those that a link opens; it is one press away on each', async ({
    page,
    browser,
    baseURL,
  }) => {
    const visitor = await browser.newContext({ locale: 'en-PH', ...(baseURL ? { baseURL } : {}) })
    const english = await visitor.newPage()
    for (const path of ['/', '/announcements', '/organization', '/register']) {
      await test.step(path, async () => {
        for (const each of [english, page]) {
          await each.goto(path)
          // The form's own scripts come with the first press.
          if (path === '/register') await each.locator('[name="lastName"]').click()
          await expect(each.locator('html[data-leaving]')).toHaveCount(0)
        }
        await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
        const known = new Set(await textsOf(english))
        const left = (await textsOf(page)).filter((text) => known.has(text) && !shared.has(text))
        expect([...new Set(left)]).toEqual([])
        await expectAccessible(page)
      })
    }

    const listening = page.waitForRequest('**/api/events')
    await page.goto('/faq')
    await listening
    // Without another document.
    await page.evaluate(() => document.body.setAttribute('data-stayed', ''))
    await page.getByRole('contentinfo').getByRole('link', { name: 'Programa' }).click()
    await expect(page.getByRole('heading', { level: 2 }).nth(1)).toHaveText('Ang tatlong component')
    await expect(page.locator('body')).toHaveAttribute('data-stayed', '')
    await test.step('it is one press away on every public page and step', async () => {
      const shown = await visitor.newPage()
      const link = shown.getByRole('banner').getByRole('link', { name: 'Filipino', exact: true })
      for (const width of [320, 390]) {
        await shown.setViewportSize({ width, height: 740 })
        // The form is last: its steps follow.
        for (const path of [...publicPages.filter((each) => each !== '/register'), '/verify', '/register']) {
          await shown.goto(path)
          await expect(link).toBeInViewport({ ratio: 1 })
        }
        await shown.locator('[name="lastName"]').fill('Macaraeg')
        for (const step of ['personal', 'education', 'emergency', 'more', 'review', 'name']) {
          await shown.evaluate((id) => window.location.assign(`#${id}`), `step-${step}`)
          await expect(link).toBeInViewport({ ratio: 1 })
        }
      }
      await visitor.close()
    })
  })

  test('enlists, is corrected and thanked in Filipino', { tag: '@journey' }, async ({ page }) => {
    await page.goto('/register')
    // An empty form opens at its first step.
    await page.locator('[name="firstName"]').fill('Ana')
    await showStep(page.locator('[name="consent"]'))
    await page.getByRole('button', { name: 'Isumite ang form' }).click()
    await expect(page.locator('#lastName-error')).toHaveText('Pakilagay ang apelyido.')
    await expect(page.getByText('sagot na dapat mong tingnan')).toBeVisible()
    await fillEnlistment(page)
    await page.getByRole('button', { name: 'Isumite ang form' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Matagumpay ang enlistment!/)
    await page.getByRole('button', { name: 'Manatili rito' }).click()
    await expect(page.getByText('Mga susunod na hakbang')).toBeVisible()
    await expect(page.getByText(/20\d\d nang \d/).first()).toBeVisible()
  })
})
