import type { BrowserContext, Page } from '@playwright/test'
import { officeSettings } from '#tests/setup/office-settings.ts'
import { changeSettings } from './change-settings.ts'
import { openMenu, putEnlistment, typeBirthDate, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'
const waiting =
  'No connection. Your enlistment is not sent yet. It is saved on this device for up to 24 hours; we’ll send it as soon as you’re online with this page open.'
const submit = 'Submit registration'

// The browser itself reports requests that fail or are refused.
test.use({
  expectedErrors: [/Failed to load resource|net::ERR|Failed to fetch|when fetching the script/],
})

/** Until the form's copy is there. */
async function visitForm(page: Page) {
  await page.goto('/register')
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
}

/** The form from the copy of an earlier visit. */
async function openOffline(page: Page, context: BrowserContext) {
  await visitForm(page)
  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('NSTP Competent Enlistment Form')
}

async function countRecords(page: Page, lastName: string): Promise<number> {
  const answer = await page.request.get(`/api/students?search=${encodeURIComponent(lastName)}`)
  const { total }: { total: number } = await answer.json()
  return total
}

function cachedAddresses(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
    const requests = await Promise.all(caches.map((cache) => cache.keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
}

test('after a first visit the form opens without a network, and sends by itself when it is back', {
  tag: '@journey',
}, async ({ page, context }) => {
  const lastName = uniqueLastName()
  await openOffline(page, context)
  await putEnlistment(page, { lastName })
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByText(waiting)).toBeFocused()
  await expect(page.locator('[name="lastName"]')).toHaveValue(lastName)
  await page.getByRole('button', { name: 'Try now' }).click()
  await expect(page.getByRole('button', { name: 'Try now' })).toBeEnabled()
  await expect(page.getByText(waiting)).toHaveCount(1)
  await expectAccessible(page)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  await signIn(page)
  expect(await countRecords(page, lastName)).toBe(1)
})

test('the home page names an enlistment that was left before it was sent; one that closed meanwhile is said', async ({
  page,
  context,
  browser,
  product,
}) => {
  await openOffline(page, context)
  // Somebody with a number types it again: it is never stored.
  await putEnlistment(page, { lastName: uniqueLastName(), socialSecurityNumber: '' })
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByText(waiting)).toBeVisible()
  await page.close()
  await context.setOffline(false)
  const later = await context.newPage()
  await later.goto('/')
  await expect(later.getByText('Your enlistment is not sent yet.')).toBeVisible()
  await later.getByRole('link', { name: 'Open and send it' }).click()
  // Whoever holds the phone by now: the code comes after the birth date.
  await later.getByRole('button', { name: 'Show its reference code' }).click()
  await typeBirthDate(later)
  await expect(later.getByRole('heading', { name: success })).toBeVisible()
  await later.goto('/')
  await expect(later.getByText(/^You enlisted today/)).toBeVisible()
  await expect(later.getByText('Your enlistment is not sent yet.')).toHaveCount(0)
  await test.step('enlistment that closed meanwhile is said with its sentence', async () => {
    const page = later
    const office = await browser.newContext({ baseURL: product.url })
    const desk = await office.newPage()
    await signIn(desk)
    const lastName = uniqueLastName()
    await openOffline(page, context)
    await putEnlistment(page, { lastName })
    await page.getByRole('button', { name: submit }).click()
    await expect(page.getByText(waiting)).toBeVisible()
    await changeSettings(desk.request, {
      enlistment: { ...officeSettings.enlistment, state: 'dates', closesAt: '2026-06-30T17:00' },
    })
    try {
      await context.setOffline(false)
      await expect(
        page.getByText(/^Failed to register: Enlistment closed on June 30, 2026/).first(),
      ).toBeVisible()
      await expect(page.locator('[name="lastName"]')).toHaveValue(lastName)
      expect(await countRecords(desk, lastName)).toBe(0)
    } finally {
      await changeSettings(desk.request, { enlistment: officeSettings.enlistment })
    }
  })
})

test('without a connection no link takes the form and its answers away', async ({ page, context }) => {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.accept()
  })
  const elsewhere = 'That page needs a connection. Nothing here is lost; try again when you’re back online.'
  const lastName = page.locator('[name="lastName"]')
  const listening = page.waitForRequest('**/api/events')
  await visitForm(page)
  await listening
  await lastName.fill('Macaraeg')
  await context.setOffline(true)
  const links = await page.evaluate(() =>
    [...document.querySelectorAll('a')]
      .filter(({ origin, pathname }) => origin === location.origin && pathname !== location.pathname)
      .map((link) => {
        link.click()
        return link.pathname
      }),
  )
  for (const path of ['/', '/language/fil', '/login', '/privacy', '/terms']) expect(links).toContain(path)
  await expect(page.getByText(elsewhere).first()).toBeVisible()
  await expectAccessible(page)
  await expect(page.locator('html[data-leaving]')).toHaveCount(0)
  expect(context.pages()).toHaveLength(1)
  expect(asked).toEqual([])

  // The browser takes the dead connection for a live one.
  await context.setOffline(false)
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('.data'))
  await context.route('**/announcements.data*', (route) => route.abort('connectionreset'))
  await openMenu(page)
  await page.getByRole('link', { name: 'Announcements', exact: true }).click()
  await failed
  await expect(page).toHaveURL('/register')
  await expect(lastName).toHaveValue('Macaraeg')
  await expect(page.locator('html[data-leaving]')).toHaveCount(0)
  expect(asked).toEqual(['Leave this page? Your enlistment is not submitted yet.'])
  await expect(page.getByText(elsewhere).last()).toBeVisible()
  await openMenu(page)
  await page.getByRole('link', { name: 'Announcements', exact: true }).click()
  await expect.poll(() => asked.length).toBe(2)
})

test('the form opens offline in the language that was chosen, each one of its own; a switch waits for its page', async ({
  page,
  context,
}) => {
  await page.goto('/language/fil?next=/register')
  await openOffline(page, context)
  await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
  const keyOf = () => page.locator('[name="idempotencyKey"]').inputValue()
  const first = await keyOf()
  await page.goto('/register?component=CWTS')
  expect(await keyOf()).not.toBe(first)

  await context.setOffline(false)
  await visitForm(page)
  // However slow the line: longer than another page's copy waits.
  await context.route('**/register', (route) => setTimeout(() => void route.continue(), 4_000))
  await page.getByRole('link', { name: 'English', exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-PH')
})

test('nothing of the office, of the API or of a person is ever cached, and a worker that is gone from the server removes itself', async ({
  page,
  context,
}) => {
  const lastName = uniqueLastName()
  await visitForm(page)
  await putEnlistment(page, { lastName })
  await page.getByRole('button', { name: submit }).click()
  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  await signIn(page)
  await page.goto('/admin')
  await visitForm(page)
  await page.reload()
  await page.goto('/admin')
  const addresses = await cachedAddresses(page)
  expect(addresses.length).toBeGreaterThan(5)
  expect(addresses.filter((path) => path !== '/register' && !path.startsWith('/assets/'))).toEqual([])
  const copy = await page.evaluate(async () => (await window.caches.match('/register'))?.text())
  expect(copy).toContain('idempotencyKey')
  expect(copy).not.toMatch(/You enlisted today|NSTP-[0-9A-Z]{4}-|Log out|Sign out/i)
  expect(copy).not.toContain(lastName)
  await context.setOffline(true)
  await expect(page.goto('/admin')).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)
  await expect(page.goto('/login')).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)
  await test.step('a worker that is gone from the server removes itself and its copies', async () => {
    await context.setOffline(false)
    await visitForm(page)
    expect(await cachedAddresses(page)).toContain('/register')
    await context.route('**/sw.js*', (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await expect.poll(() => cachedAddresses(page)).toEqual([])
  })
})
