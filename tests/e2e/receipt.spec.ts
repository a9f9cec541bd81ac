import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { post, uniqueTitle } from './announcements.ts'
import { expectReceiptUncovered, fillEnlistment, putEnlistment } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test, waitForFrames } from './journey.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'
const referencePattern = /^NSTP-[2-9A-Z]{4}-[2-9A-Z]{4}$/
const confirmationPath = '/register/confirmation'

/** Enlists; gives the reference that the confirmation shows. */
async function enlist(page: Page, fill = putEnlistment): Promise<string> {
  await page.goto('/register')
  await fill(page)
  await page.getByRole('button', { name: 'Submit registration' }).click()
  return await shownReference(page)
}

async function shownReference(page: Page): Promise<string> {
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  return (await page.getByText(referencePattern).textContent()) ?? ''
}

/** Enlists and waits until the browser has its own copy of the confirmation. */
async function enlistAndKeep(page: Page): Promise<string> {
  const copied = page.waitForEvent('requestfinished', (request) => request.url().endsWith(confirmationPath))
  const reference = await enlist(page)
  await copied
  return reference
}

function notice(page: Page, reference: string) {
  return page.getByText(`You enlisted today: NSTP-…-${reference.slice(-4)}`)
}

/** The form may load itself anew on its way: a wait for the first navigation would have no end. */
function goBackToForm(page: Page) {
  return page.evaluate(() => window.history.back())
}

test('the confirmation has an address of its own, which a reload shows again, and the home page and the form name its code; another student gets another', {
  tag: '@journey',
}, async ({ page }) => {
  const reference = await enlist(page)
  await expect(page).toHaveURL(confirmationPath)
  await page.waitForURL((url) => url.pathname === '/', { timeout: 6_000 })
  await expect(notice(page, reference)).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  expect(await shownReference(page)).toBe(reference)
  await expect(page).toHaveURL(confirmationPath)

  for (const path of ['/', '/register']) {
    await page.goto(path)
    await expect(notice(page, reference)).toBeVisible()
    await page.getByRole('link', { name: 'Open the confirmation' }).click()
    expect(await shownReference(page)).toBe(reference)
  }
  await page.clock.install()
  await page.reload()
  expect(await shownReference(page)).toBe(reference)
  // The page's scripts are at work.
  await expect(page.getByRole('button', { name: 'Print or save' })).toBeEnabled()
  await page.clock.fastForward(4_000)
  await expect(page).toHaveURL(confirmationPath)

  await page.getByRole('link', { name: 'REGISTER', exact: true }).click()
  await expect(page).toHaveURL('/register')
  await expect(notice(page, reference)).toBeVisible()
  await putEnlistment(page, { lastName: 'Macaraeg' })
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page).toHaveURL(confirmationPath)
  expect(await shownReference(page)).not.toBe(reference)
})

test('in text of 200 % no notification covers the code, and the page stays until it was in sight', {
  tag: '@phone',
}, async ({ page }) => {
  await page.clock.install()
  await page.goto('/register')
  await putEnlistment(page)
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page.getByRole('heading', { name: success })).toBeFocused()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(success)).toBeVisible()
  await expectReceiptUncovered(page)
  await page.clock.fastForward(3_500)
  await expect(page.getByText('This page stays open.')).toBeVisible()
  await expectReceiptUncovered(page)
})

test('the confirmation is saved as a picture, and lists the next event, to be added to a calendar', async ({
  page,
  browser,
  baseURL,
}) => {
  const office = await browser.newContext(baseURL === undefined ? {} : { baseURL })
  await signIn(await office.newPage())
  const title = uniqueTitle('Orientation')
  const inTwoHours = String(Date.now() + 2 * 3_600_000)
  const fields = { title, category: 'Event', eventAt: inTwoHours, place: 'Gymnasium' }
  const { id } = await post(office.request, fields)
  const reference = await enlist(page)

  await test.step('a picture that names the code', async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as picture' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(`${reference}.png`)
    const picture = await sharp(await download.path()).metadata()
    expect(picture).toMatchObject({ format: 'png', width: 900 })
    // The countdown to the home page has ended with the press.
    await expect(page.getByText('This page stays open.')).toBeVisible()
  })

  const event = page.getByRole('region', { name: 'Event' }).filter({ hasText: title })
  await expect(event).toContainText('Gymnasium')
  await expectAccessible(page)
  // The same page from the server.
  await page.reload()
  await expect(event).toContainText('Gymnasium')
  const downloading = page.waitForEvent('download')
  await event.getByRole('link', { name: 'Add to calendar' }).click()
  expect((await downloading).suggestedFilename()).toBe('event.ics')
  await event.getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(`/announcements/${id}`)
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toBeVisible()
  await expectAccessible(page)
  const over = await post(office.request, { ...fields, eventAt: String(Date.now() - 60_000) })
  await page.goto(`/announcements/${over.id}`)
  await expect(page.getByRole('region', { name: 'Event' })).toContainText('Gymnasium')
  await expect(page.getByRole('link', { name: 'Add to calendar' })).toBeHidden()
  await page.goto('/programs')
  for (const posted of [id, over.id]) await office.request.delete(`/api/announcements/${posted}`)
  await office.close()
})

test('Back after a switch of the language brings no answers back, and keeps those of the next student', async ({
  page,
}) => {
  await page.goto('/register')
  await putEnlistment(page, { lastName: 'Macaraeg' })
  await page.getByRole('link', { name: 'Filipino', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
  await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')
  await page.locator('[name="consent"]').check()
  await page.locator('button[type="submit"]').click()
  await page.waitForURL((url) => url.pathname === '/', { timeout: 15_000 })
  await page.goBack()
  await expect(page).toHaveURL(confirmationPath)
  await expect(page.locator('article h1')).toBeVisible()
  await goBackToForm(page)
  await expect(page).toHaveURL(/\/register#/)
  await expect(page.locator('[name="lastName"]')).toHaveValue('')
  await test.step('the next student keeps the answers over such a switch and Back', async () => {
    await page.goto('/language/en?next=/register')
    const lastName = page.locator('[name="lastName"]')
    await page.goto('/register')
    await lastName.fill('Bituin')
    await page.getByRole('link', { name: 'Filipino', exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
    await expect(lastName).toHaveValue('Bituin')
    // The page's scripts are at work.
    const listening = page.waitForRequest('**/api/events')
    await goBackToForm(page)
    await listening
    await expect(lastName).toHaveValue('Bituin')
  })
})

/** As from the memory of a browser that keeps whole pages. Here the browser keeps none. */
const comeBack = (page: Page) =>
  page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('Back brings no answers of an enlistment back, but those of a form that was left', async ({
    page,
  }) => {
    const lastName = page.locator('[name="lastName"]')
    await page.goto('/register?component=CWTS')
    await lastName.fill('Dela Cruz')
    await page.goto('/faq')
    await page.goBack()
    await expect(lastName).toHaveValue('Dela Cruz')
    await page.goto('/register')
    await fillEnlistment(page, { lastName: 'Dela Cruz' })
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await shownReference(page)
    await page.goto('/register')
    await lastName.fill('Macaraeg')
    await page.goto('/faq')
    await page.goBack()
    await expect(lastName).toHaveValue('Macaraeg')
    const seen = new Set<string>()
    while (new URL(page.url()).search === '') {
      await page.goBack()
      if (/\/register($|[#?])/.test(page.url())) seen.add(await lastName.inputValue())
    }
    expect([...seen]).toEqual([''])
  })
})

test.describe('when the connection is lost', () => {
  // The browser itself reports requests that fail.
  test.use({
    expectedErrors: [/Failed to load resource|net::ERR|Failed to fetch|Error loading route module/],
  })

  async function expectToStay(page: Page, reference: string) {
    await expect(page.getByText('This page stays open.')).toBeVisible({ timeout: 6_000 })
    await waitForFrames(page)
    expect(await shownReference(page)).toBe(reference)
    await expect(page).toHaveURL(confirmationPath)
  }

  test.describe('without the service worker, which has a copy of the scripts', () => {
    test.use({ serviceWorkers: 'block' })

    test('before the form’s scripts came, no kept page shows its answers, and the next student’s stay', async ({
      page,
    }) => {
      const lastName = page.locator('[name="lastName"]')
      await page.route(/assets\/enlistment-form-/, (route) => route.abort('connectionreset'))
      // Until the page's own scripts are at work.
      async function openForm() {
        const listening = page.waitForRequest('**/api/events')
        await page.goto('/register')
        await listening
      }
      const printing = page.getByRole('button', { name: 'Print or save' })
      const reference = await enlist(page, fillEnlistment)
      await expect(printing).toBeEnabled()
      await openForm()
      await lastName.fill('Macaraeg')
      const loaded = page.waitForEvent('load')
      await comeBack(page)
      await loaded
      await expect(lastName).toHaveValue('')

      await openForm()
      await lastName.fill('Bituin')
      await page.goto(confirmationPath)
      expect(await shownReference(page)).toBe(reference)
      await expect(printing).toBeEnabled()
      const listening = page.waitForRequest('**/api/events')
      await goBackToForm(page)
      await listening
      await expect(lastName).toHaveValue('Bituin')
      await test.step('nor one of before an enlistment, once they are there', async () => {
        await page.unroute(/assets\/enlistment-form-/)
        await page.context().clearCookies()
        await page.evaluate(() => sessionStorage.clear())
        await page.goto('about:blank')
        // The form's scripts are at work.
        const rules = page.waitForResponse(/registration-rules/)
        await page.goto('/register')
        await lastName.fill('Macaraeg')
        await rules
        await comeBack(page)
        await expect(lastName).toHaveValue('Macaraeg')
        await page.evaluate((key) => sessionStorage.setItem(key, ''), 'nstp-enlisted')
        const before = await page.locator('[name="idempotencyKey"]').inputValue()
        const loaded = page.waitForEvent('load')
        await comeBack(page)
        await loaded
        await expect(lastName).toHaveValue('')
        expect(await page.locator('[name="idempotencyKey"]').inputValue()).not.toBe(before)
      })
    })
  })

  test('right after the enlistment, the code stays, also after a reload and by the home page', async ({
    page,
    context,
  }) => {
    const reference = await enlistAndKeep(page)
    await context.setOffline(true)
    await expectToStay(page, reference)
    for (const isOffline of [true, false, true]) {
      await context.setOffline(isOffline)
      await page.reload()
      expect(await shownReference(page)).toBe(reference)
    }
    // From the home page by its link, and by Back.
    for (const goOn of [
      () => page.getByRole('link', { name: 'Open the confirmation' }).click(),
      () => page.goBack(),
    ]) {
      await context.setOffline(false)
      await page.goto('/')
      await expect(notice(page, reference)).toBeVisible()
      await context.setOffline(true)
      await goOn()
      expect(await shownReference(page)).toBe(reference)
    }
  })

  test('while the home page’s code or data is on its way, the code stays', async ({ page }) => {
    await page.route(/assets\/home-/, (route) => route.abort('connectionreset'))
    const reference = await enlist(page)
    await expectToStay(page, reference)
    await page.unroute(/assets\/home-/)

    await test.step('while its data is on its way, and a link there comes back to it', async () => {
      await page.route('**/_root.data*', (route) => route.abort('connectionreset'))
      const reference = await enlist(page)
      await expectToStay(page, reference)
      await page.getByRole('link', { name: 'Go to the home page' }).click()
      await expectToStay(page, reference)
      await page.reload()
      // The page's scripts are at work.
      await expect(page.getByRole('button', { name: 'Print or save' })).toBeEnabled()
      const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('_root.data'))
      await page.getByRole('link', { name: 'Go to the home page' }).click()
      await failed
      await waitForFrames(page)
      expect(await shownReference(page)).toBe(reference)
    })
  })
})
