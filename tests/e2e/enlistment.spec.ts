import type { BrowserContext, Page } from '@playwright/test'
import {
  expectReceiptUncovered,
  fillEnlistment,
  putEnlistment,
  showStep,
  uniqueLastName,
} from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test, waitForFrames } from './journey.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'
const withoutMail = 'Registration complete. We could not send an email confirmation at this time.'

/** The number of records with a last name, as the coordinator's search finds them. */
async function countRecords(context: BrowserContext, lastName: string) {
  const page = await context.newPage()
  await signIn(page)
  const answer = await page.request.get(`/api/students?search=${encodeURIComponent(lastName)}`)
  await page.close()
  const { total } = await answer.json()
  return total
}

test('a student enlists, presses twice, gets a confirmation with a reference code, and leaves nothing to the next one', {
  tag: '@journey',
}, async ({ page, context }) => {
  const lastName = uniqueLastName()
  await page.goto('/register')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('NSTP Competent Enlistment Form')
  await expect(page.getByText('Republic Act 9163').first()).toBeVisible()
  await fillEnlistment(page, { lastName })
  await page.getByRole('button', { name: 'Submit registration' }).dblclick()

  await expect(page.getByRole('heading', { name: success })).toBeVisible()
  await expect(page.getByText(/^NSTP-[0-9A-Z]{4}-[0-9A-Z]{4}$/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText(success)).toBeVisible()
  await expectReceiptUncovered(page)
  // There is no e-mail account.
  await expect(page.getByText(withoutMail)).toHaveCount(0)
  await page.waitForURL((url) => url.pathname === '/', { timeout: 6_000 })
  expect(await countRecords(context, lastName)).toBe(1)

  // Of the same tab.
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain(lastName)
  await page.goto('/register')
  await page.locator('[name="lastName"]').click()
  await expect(page.getByText('Your answers are back. If they are not yours, start over.')).toBeHidden()
  await expect(page.locator('[name="lastName"]')).toHaveValue('')
})

test('all mistakes are shown at their fields, and the first one has the focus', {
  tag: '@journey',
}, async ({ page }) => {
  await page.goto('/register')
  await putEnlistment(page, {
    firstName: '',
    email: 'juan@',
    contactNumber: 'n/a',
    emergencyContactNumber: 'my mother',
    dateOfBirth: '2015-01-31',
    religion: 'a'.repeat(101),
  })
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page.locator('[name="firstName"]')).toBeFocused()
  await page.getByText('6 answers need your attention').click()
  for (const message of [
    'Please fill in the first name field.',
    'Please enter a valid email address.',
    'Please enter a valid contact number.',
    'Please enter a valid emergency contact number.',
    'You must be at least 16 years old to register.',
    'Please shorten the religion to 100 characters or fewer.',
  ]) {
    await expect(page.getByText(message).filter({ visible: true }).first()).toBeVisible()
  }
  await expect(page.locator('[name="birthMonth"]')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('[name="lastName"]')).toHaveValue('Dela Cruz')
  // What is too long is not cut.
  await expect(page.locator('[name="religion"]')).toHaveValue('a'.repeat(101))
  await expectAccessible(page)
})

test.describe('on a bad connection', () => {
  // The browser itself reports requests that fail.
  test.use({
    // The service worker would answer the scripts from its copy, also those that are lost here.
    serviceWorkers: 'block',
    expectedErrors: [
      /Failed to load resource|net::ERR|Failed to fetch manifest patches|when fetching the script/,
    ],
  })

  test('a connection lost before the form’s scripts came, or right after, takes nothing away, and registers once it is back', async ({
    page,
    context,
  }) => {
    const lastName = uniqueLastName()
    await openAlive(page)
    await context.setOffline(true)
    await fillEnlistment(page, { lastName })
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'No connection.' })).toHaveCount(1)
    await expect(page.locator('[name="lastName"]')).toHaveValue(lastName)
    await context.setOffline(false)
    await expect(page.getByRole('heading', { name: success })).toBeVisible()
    expect(await countRecords(context, lastName)).toBe(1)
    await test.step('lost right after they came', async () => {
      // Browsers don't fetch a module twice: what the form can't do without must have come with it.
      await page.route(/assets\/(registration-rules|send-registration)-/, (route) => route.abort())
      await openAlive(page)
      await putEnlistment(page, { lastName: 'Macaraeg' })
      // The first that returns is too weak to read the page anew.
      await page.route(/\.data/, (route) => route.abort('connectionreset'))
      await context.setOffline(true)
      const lost = page.waitForEvent('requestfailed', (request) => request.url().includes('.data'))
      await context.setOffline(false)
      await lost
      await waitForFrames(page)
      await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')
      await page.unroute(/\.data/)
      await page.getByRole('button', { name: 'Submit registration' }).click()
      await expect(page.getByRole('heading', { name: success })).toBeVisible()
    })
  })

  test('a form that the server asks to wait sends again by itself, and an answer that got lost makes no second record', {
    tag: '@journey',
  }, async ({ page, context }) => {
    const lastName = uniqueLastName()
    await page.goto('/register')
    await putEnlistment(page, { lastName })
    // The server stores the record; only its answer never arrives.
    await page.route(
      '**/api/registrations',
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    const busy = { title: 'Too many requests', status: 429, detail: 'Too many.', code: 'too_many_requests' }
    await page.route(
      '**/api/registrations',
      (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: busy }),
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(page.getByText('Many students are enlisting right now.')).toBeFocused()
    await expect(page.getByText('No connection. Your enlistment is not sent yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Try now' }).click()
    await expect(page.getByRole('heading', { name: success })).toBeVisible()
    expect(await countRecords(context, lastName)).toBe(1)
  })
})

/** Opens the form and waits for the page's own scripts, which listen for changes; the form's come at the first touch. */
async function openAlive(page: Page): Promise<void> {
  const listening = page.waitForRequest('**/api/events')
  await page.goto('/register')
  await listening
}

test('the link of a program preselects its component, unless a stored draft has another; a municipality is suggested', {
  tag: '@journey',
}, async ({ page }) => {
  await page.goto('/programs')
  await page.getByRole('link', { name: 'Enlist in ROTC' }).click()
  const rotc = page.locator('[name="nstpComponent"][value="ROTC"]')
  const cwts = page.locator('[name="nstpComponent"][value="CWTS"]')
  await expect(rotc).toBeChecked()
  await showStep(cwts)
  await cwts.check()
  await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage))).toContain('CWTS')
  await page.goto('/register?component=ROTC')
  await expect(cwts).toBeChecked()
  await test.step('a municipality is suggested with its ZIP code and province', async () => {
    const municipality = page.locator('[name="municipalCity"]')
    await showStep(municipality)
    await municipality.pressSequentially('dasmar', { delay: 30 })
    const suggestion = page.locator('datalist option[value*="Dasmari"]').first()
    await expect(suggestion).toHaveAttribute('label', /^[\w ]*Dasmarinas[\w ]* 4114$/)
    // The browser's own list can't be reached by a test: choosing from it puts the value in.
    await municipality.fill((await suggestion.getAttribute('value')) ?? '')
    await expect(page.locator('[name="zipCode"]')).toHaveValue('4114')
    await expect(page.locator('[name="province"]')).toHaveValue('Cavite')
    await page.locator('[name="municipalCity"]').pressSequentially(' City')
    await expect(page.locator('[name="zipCode"]')).toHaveValue('')
    await expect(page.locator('[name="province"]')).toHaveValue('')
  })
})
