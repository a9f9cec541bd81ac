import type { Page } from '@playwright/test'
import { putEnlistment, showStep, uniqueLastName } from './enlistment-form.ts'
import { expect, slowDown, test } from './journey.ts'

/** In ms: before any answer of the slow line, which takes 700. Not a figure of speed, which a busy machine would break. */
const soon = 500
const sending = 'Submitting Registration...'

/** In milliseconds from the next press to the first picture in which an element is seen, with a text if one is given. */
function timeToSee(page: Page, selector: string, text = ''): Promise<number> {
  return page.evaluate(
    ([selector, text]) =>
      new Promise<number>((resolve) => {
        const watch = () => {
          const start = performance.now()
          const look = () => {
            const element = document.querySelector(selector)
            const isSeen = element?.checkVisibility() && element.textContent?.includes(text)
            if (isSeen) resolve(performance.now() - start)
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }
        window.addEventListener('click', watch, { capture: true, once: true })
      }),
    [selector, text] as const,
  )
}

const line = '[data-loading-line]'

test('a link shows at once that it works, and no longer on the page that it opens; the form is there after two answers', async ({
  context,
  browser,
  product,
}) => {
  for (const [name, path] of [
    ['REGISTER', '/faq'],
    ['Enlist in ROTC', '/programs'],
    // Of the foot: it stays within the page's scripts.
    ['Privacy notice', '/'],
  ] as const) {
    await test.step(name, async () => {
      const page = await context.newPage()
      const listening = page.waitForRequest('**/api/events')
      await page.goto(path)
      await listening
      await slowDown(page)
      await expect(page.locator(line)).toBeHidden()
      const seen = timeToSee(page, line)
      await page.getByRole('link', { name, exact: true }).first().click({ noWaitAfter: true })
      expect(await seen).toBeLessThan(soon)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        name === 'Privacy notice' ? 'Privacy notice' : 'NSTP Competent Enlistment Form',
      )
      await expect(page.locator(line)).toBeHidden()
      await page.close()
    })
  }
  await test.step('the form is there after two answers of a slow line', async () => {
    // The browser of another visitor: nothing of the form is in its cache.
    const visitor = await browser.newContext({ baseURL: product.url })
    const page = await visitor.newPage()
    const listening = page.waitForRequest('**/api/events')
    await page.goto('/')
    await listening
    await slowDown(page, 1_500)
    const start = Date.now()
    const seen = timeToSee(page, line)
    await page.getByRole('link', { name: 'Register Now' }).click({ noWaitAfter: true })
    expect(await seen).toBeLessThan(soon)
    await expect(page.locator('[name="lastName"]')).toBeVisible()
    expect(Date.now() - start).toBeLessThan(4_500)
    await visitor.close()
  })
})

test.describe('before the scripts arrive', () => {
  // The browser itself reports requests that fail and posts that are refused.
  test.use({ expectedErrors: [/422|ERR_FAILED/] })

  test.beforeEach(async ({ page }) => {
    await page.route('**/assets/*.js', () => undefined)
  })

  test('a link and sending show at once that they work, and no longer on the way back; Enter posts nothing', async ({
    page,
    context,
  }) => {
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Register Now' }).waitFor()
    await slowDown(page)
    const seen = timeToSee(page, line)
    await page.getByRole('link', { name: 'Register Now' }).click({ noWaitAfter: true })
    expect(await seen).toBeLessThan(soon)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('NSTP Competent Enlistment Form')
    await page.goBack({ waitUntil: 'commit' })
    await expect(page.getByRole('link', { name: 'Register Now' })).toBeVisible()
    await expect(page.locator(line)).toBeHidden()

    await page.goto('/register#step-review', { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Submit registration' }).waitFor()
    const sent = timeToSee(page, line)
    await page.getByRole('button', { name: 'Submit registration' }).click({ noWaitAfter: true })
    expect(await sent).toBeLessThan(soon)
    await expect(page.getByText('Please fill in the last name field.').first()).toBeVisible()
    await test.step('Enter in an answer posts nothing, and the button does', async () => {
      const other = await context.newPage()
      await other.route('**/assets/*.js', () => undefined)
      const posts: string[] = []
      other.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
      await other.goto('/register', { waitUntil: 'commit' })
      await other.locator('[name="lastName"]').fill('Macaraeg')
      await other.locator('[name="lastName"]').press('Enter')
      await showStep(other.locator('[name="consent"]'))
      await other.getByRole('button', { name: 'Submit registration' }).click({ noWaitAfter: true })
      await expect(other.getByText('Please fill in the first name field.').first()).toBeVisible()
      await expect(other.locator('[name="lastName"]')).toHaveValue('Macaraeg')
      expect(posts).toHaveLength(1)
    })
  })
})

test.describe('without the service worker, which has a copy of the scripts', () => {
  test.use({ serviceWorkers: 'block' })

  test('sending says so at once while the form’s scripts or its rules are on their way, or the server is far away', async ({
    context,
  }) => {
    await test.step('its scripts', async () => {
      const page = await context.newPage()
      await page.route(/assets\/enlistment-form-/, (route) => setTimeout(() => void route.continue(), 1_500))
      const listening = page.waitForRequest('**/api/events')
      await page.goto('/register')
      await listening
      // An empty form opens at its first step.
      await showStep(page.locator('[name="consent"]'))
      const seen = timeToSee(page, 'button[type="submit"]', sending)
      await page.getByRole('button', { name: 'Submit registration' }).click()
      expect(await seen).toBeLessThan(soon)
      await expect(page.locator('#lastName-error')).toHaveText('Please fill in the last name field.')
      await expect(page.locator('button[type="submit"]')).toBeEnabled()
      await page.close()
    })

    await test.step('its rules', async () => {
      const page = await context.newPage()
      await page.route(/assets\/registration-rules-/, (route) =>
        setTimeout(() => void route.continue(), 3_000),
      )
      await page.goto('/register')
      const rules = page.waitForRequest(/registration-rules-/)
      await page.locator('[name="lastName"]').focus()
      await rules
      await page.goto('/register#step-review')
      const seen = timeToSee(page, 'button[type="submit"]', sending)
      await page.getByRole('button', { name: 'Submit registration' }).click()
      expect(await seen).toBeLessThan(soon)
      await expect(page.locator('#lastName-error')).toHaveText('Please fill in the last name field.')
      await page.close()
    })

    await test.step('the server', async () => {
      const page = await context.newPage()
      await page.goto('/register')
      await putEnlistment(page)
      await slowDown(page)
      const seen = timeToSee(page, 'button[type="submit"]', sending)
      await page.getByRole('button', { name: 'Submit registration' }).click()
      expect(await seen).toBeLessThan(soon)
      await expect(page.getByRole('heading', { name: /^Registration successful/ })).toBeVisible()
      await page.close()
    })
  })
})

test.describe('a student of 17, in Filipino, over a line of 2 s that is cut twice', () => {
  // The browser itself reports requests that fail.
  test.use({
    locale: 'fil-PH',
    viewport: { width: 360, height: 740 },
    expectedErrors: [
      /Failed to load resource|net::ERR|Failed to fetch manifest patches|when fetching the script/,
    ],
  })

  test('enlists within three minutes and types nothing twice', { tag: '@journey' }, async ({ page }) => {
    test.setTimeout(180_000)
    const control = (name: string) => page.locator(`[name="${name}"]`).first()
    const goOn = () => page.locator('[data-next]:visible').click()
    const typed: Record<string, string> = {}
    const type = async (name: string, text: string) => {
      typed[name] = text
      await control(name).fill(text)
    }
    const cut = await slowDown(page, 2_000)
    await page.goto('/register', { waitUntil: 'commit', timeout: 60_000 })
    const rules = page.waitForResponse(/registration-rules/, { timeout: 60_000 })
    await type('lastName', uniqueLastName())
    await type('firstName', 'Jun')
    await rules
    await goOn()
    await expect(control('address')).toBeFocused({ timeout: 30_000 })
    await type('address', '12 Mabini St., Bacoor')
    await cut(true)
    await control('birthMonth').selectOption('1')
    await type('birthDay', '1')
    await type('birthYear', String(new Date().getFullYear() - 17))
    await type('placeOfBirth', 'Bacoor, Cavite')
    await page.locator('[name="sex"][value="Male"]').check()
    await control('civilStatus').selectOption('Single')
    await type('contactNumber', '0917 123 4567')
    await type('email', 'jun@student.example')
    await type('guardianName', 'Ana Macaraeg')
    await type('guardianRelationship', 'Nanay')
    await type('guardianContactNumber', '0918 765 4321')
    await goOn()
    await control('course').selectOption('SOBM')
    await cut(false)
    await control('yearLevel').selectOption('1st Year')
    await page.locator('[name="nstpComponent"][value="CWTS"]').check()
    await goOn()
    await cut(true)
    // One press for both: the guardian is whom to call.
    await page.getByRole('button', { name: 'Kapareho ng tagapag-alaga' }).click()
    typed.emergencyContactName = 'Ana Macaraeg'
    await goOn()
    await expect(control('consent')).toBeVisible()
    for (const [name, text] of Object.entries(typed)) await expect(control(name)).toHaveValue(text)
    await cut(false)
    await control('consent').check()
    await control('guardianConsent').check()
    await page.getByRole('button', { name: /^Isumite/ }).click()
    await expect(page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible({ timeout: 60_000 })
  })
})
