import type { Page } from '@playwright/test'
import { putEnlistment, showStep, uniqueLastName } from './enlistment-form.ts'
import { expect, test } from './journey.ts'

/** In ms: before any answer of the slow line, which takes 700. Not a figure of speed, which a busy machine would break. */
const soon = 500
const sending = 'Submitting Registration...'

/** From now on each answer takes this long, in milliseconds. @returns cuts the line, and brings it back */
async function slowDown(page: Page, latency = 700): Promise<(offline: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const setLine = async (offline: boolean) => {
    const line = { offline, latency, downloadThroughput: 50_000, uploadThroughput: 50_000 }
    await session.send('Network.emulateNetworkConditions', line)
  }
  await setLine(false)
  return setLine
}

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

test('a link shows at once that it works, and no longer on the page that it opens', async ({ context }) => {
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
})

test('the link says at once that it works, and the form is there after two answers of a slow line', async ({
  page,
}) => {
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
})

test.describe('before the scripts arrive', () => {
  // The browser itself reports requests that fail and posts that are refused.
  test.use({ expectedErrors: [/422|ERR_FAILED/] })

  test.beforeEach(async ({ page }) => {
    await page.route('**/assets/*.js', () => undefined)
  })

  test('a link and sending show at once that they work, and no longer on the way back', async ({ page }) => {
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
  })

  test('Enter in an answer posts nothing while the scripts are on their way, and the button does', async ({
    page,
  }) => {
    const posts: string[] = []
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
    await page.goto('/register', { waitUntil: 'commit' })
    await page.locator('[name="lastName"]').fill('Macaraeg')
    await page.locator('[name="lastName"]').press('Enter')
    await showStep(page.locator('[name="consent"]'))
    await page.getByRole('button', { name: 'Submit registration' }).click({ noWaitAfter: true })
    await expect(page.getByText('Please fill in the first name field.').first()).toBeVisible()
    await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')
    expect(posts).toHaveLength(1)
  })
})

test('sending says so at once while the form’s scripts are still on their way', async ({ page }) => {
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
})

test('sending says so at once while only the form’s rules are on their way', async ({ page }) => {
  await page.route(/assets\/registration-rules-/, (route) => setTimeout(() => void route.continue(), 3_000))
  await page.goto('/register')
  const rules = page.waitForRequest(/registration-rules-/)
  await page.locator('[name="lastName"]').focus()
  await rules
  await page.goto('/register#step-review')
  const seen = timeToSee(page, 'button[type="submit"]', sending)
  await page.getByRole('button', { name: 'Submit registration' }).click()
  expect(await seen).toBeLessThan(soon)
  await expect(page.locator('#lastName-error')).toHaveText('Please fill in the last name field.')
})

test('sending says so at once while the server is far away', async ({ page }) => {
  await page.goto('/register')
  await putEnlistment(page)
  await slowDown(page)
  const seen = timeToSee(page, 'button[type="submit"]', sending)
  await page.getByRole('button', { name: 'Submit registration' }).click()
  expect(await seen).toBeLessThan(soon)
  await expect(page.getByRole('heading', { name: /^Registration successful/ })).toBeVisible()
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
