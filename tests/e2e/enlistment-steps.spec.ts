import type { Page, Route } from '@playwright/test'
import { defaultSiteTexts } from '#shared/settings/site-texts.ts'
import { changeSettings } from './change-settings.ts'
import { openMenu, putEnlistment } from './enlistment-form.ts'
import { expect, expectAccessible, holdRequests, signIn, test } from './journey.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'

const next = (page: Page) => page.getByRole('link', { name: 'Next', exact: true })
const step = (page: Page) => page.getByRole('heading', { name: /^Step \d of 5/ })

async function answerName(page: Page) {
  await page.getByLabel('Last Name').fill('Macaraeg')
  await page.getByLabel('First Name').fill('Jun')
}

async function answerPersonalData(page: Page) {
  await page.locator('[name="address"]').fill('12 Mabini St., Bacoor')
  await page.getByLabel('Month').selectOption('March')
  await page.getByLabel('Day').fill('9')
  await page.locator('[name="birthYear"]').fill('2007')
  await page.getByLabel('Place of Birth').fill('Bacoor, Cavite')
  await page.getByRole('radio', { name: 'Male', exact: true }).check()
  await page.getByLabel('Civil Status').selectOption('Single')
  await page.locator('[name="contactNumber"]').fill('0917 123 4567')
  await page.locator('[name="email"]').fill('jun@student.example')
}

async function answerStudies(page: Page) {
  await page.locator('[name="course"]').selectOption('SOBM')
  await page.getByLabel('Year Level').selectOption('1st Year')
  await page.getByRole('radio', { name: 'CWTS' }).check()
}

async function answerEmergency(page: Page) {
  await page.locator('[name="emergencyContactName"]').fill('Ana Macaraeg')
  await page.locator('[name="emergencyContactNumber"]').fill('0918 765 4321')
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('four screens of required answers, a summary, and the form is sent', {
    tag: ['@phone', '@journey'],
  }, async ({ page }) => {
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await page.goto('/register')
    await expect(step(page)).toHaveText('Step 1 of 5: Your name')
    await expect(page.getByRole('button', { name: 'Submit registration' })).toBeHidden()
    for (const [title, answer] of [
      ['Step 1 of 5: Your name', answerName],
      ['Step 2 of 5: Personal data', answerPersonalData],
      ['Step 3 of 5: Course and component', answerStudies],
      ['Step 4 of 5: Emergency contact', answerEmergency],
    ] as const) {
      await expect(step(page)).toHaveText(title)
      await answer(page)
      await expectAccessible(page)
      await next(page).click()
      // However far down its link was, a step begins at its top.
      await expect(page.locator('section:visible').first()).toBeInViewport()
    }
    await expect(step(page)).toHaveText('Step 5 of 5: Check and submit')
    const summary = page.getByRole('region', { name: 'Your answers' })
    await expect(summary).toContainText('March 9, 2007')
    await expect(summary).toContainText('Filipino')
    await expectAccessible(page)

    await summary.getByRole('link', { name: 'Change: Course and component' }).click()
    await page.getByRole('radio', { name: 'ROTC' }).check()
    await page.goBack()
    await expect(summary).toContainText('ROTC')

    await summary.getByRole('link', { name: 'Add more for your data sheet' }).click()
    await expect(page.getByLabel('Last Name')).toBeHidden()
    await page.getByRole('button', { name: 'Same as emergency contact' }).click()
    await expect(page.locator('[name="guardianName"]')).toHaveValue('Ana Macaraeg')
    await page.getByLabel('Religion').fill('Aglipayan')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Done' }).click()
    await expect(summary).toContainText('Aglipayan')
    expect(warnings).toEqual([])

    await page.getByRole('checkbox', { name: /I have read this notice/ }).check()
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(page.getByRole('heading', { name: success })).toBeVisible()
  })

  test.describe('of 360 pixels', () => {
    test.use({ viewport: { width: 360, height: 740 } })

    test('required answers take five screens at most, and one to check them', {
      tag: '@phone',
    }, async ({ page, browser, product }) => {
      const office = await browser.newPage({ baseURL: product.url })
      await signIn(office)
      const { dataProtection } = defaultSiteTexts
      await changeSettings(office.request, {
        schoolName: 'Mabini State College',
        dataProtection: { ...dataProtection, email: 'dpo@school.example' },
      })
      const heights: number[] = []
      const tap = (selector: string) => page.locator(selector).tap()
      const choose = (name: string, value: string) => page.locator(`[name="${name}"]`).selectOption(value)
      const type = async (name: string, text: string) => {
        await expect(page.locator(`[name="${name}"]`)).toBeFocused()
        await page.keyboard.type(text)
      }
      /** The keyboard's own "next". */
      const enter = () => page.keyboard.press('Enter')
      const measure = async (title: string) => {
        await expect(step(page)).toHaveText(title)
        const bottom = await page
          .locator('.form-steps')
          .evaluate((form) => form.getBoundingClientRect().bottom + window.scrollY)
        heights.push(bottom / 740)
      }
      const rules = page.waitForResponse(/registration-rules/)
      await page.goto('/register')
      await tap('[name="lastName"]')
      await rules
      await expect(page.getByText('0/16 required')).toBeVisible()
      await measure('Step 1 of 5: Your name')
      await type('lastName', 'Dela Cruz')
      await enter()
      await type('firstName', 'Juan Miguel')
      await enter()
      await enter()
      await measure('Step 2 of 5: Personal data')
      await type('address', '12 Mabini St., Brgy. San Isidro')
      await choose('birthMonth', '5')
      await tap('[name="birthDay"]')
      await type('birthDay', '14')
      await enter()
      await type('birthYear', '2007')
      await enter()
      await type('placeOfBirth', 'Dasmariñas, Cavite')
      await tap('[name="sex"][value="Male"]')
      await choose('civilStatus', 'Single')
      await tap('[name="contactNumber"]')
      await type('contactNumber', '09171234567')
      await enter()
      await type('email', 'juan.delacruz@gmail.com')
      await tap('[data-next]:visible')
      await measure('Step 3 of 5: Course and component')
      await choose('course', 'SOBM')
      await choose('yearLevel', '1st Year')
      await tap('[name="nstpComponent"][value="CWTS"]')
      await tap('[data-next]:visible')
      await measure('Step 4 of 5: Emergency contact')
      await type('emergencyContactName', 'Maria Dela Cruz')
      await enter()
      await type('emergencyContactNumber', '09187654321')
      await enter()
      await measure('Step 5 of 5: Check and submit')
      await expect(page.getByText('16/16 required')).toBeVisible()
      await tap('[name="consent"]')
      await tap('button[type="submit"]')
      await expect(page.getByRole('heading', { name: success })).toBeVisible()
      const screens = heights.reduce((sum, height) => sum + height, 0)
      expect(screens).toBeLessThanOrEqual(5)
      // What was answered, the consent and the button.
      expect(heights.at(-1)).toBeLessThanOrEqual(1)
      await changeSettings(office.request, { schoolName: '', dataProtection })
      await office.close()
    })
  })

  test('a step is left when its answers are right; Back between steps never asks, out of the form it does, and so does a link', {
    tag: '@journey',
  }, async ({ page }) => {
    const asked: string[] = []
    let mayLeave = false
    page.on('dialog', (dialog) => {
      asked.push(dialog.message())
      void (mayLeave ? dialog.accept() : dialog.dismiss())
    })
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    const back = () => page.evaluate(() => window.history.back())
    // The page's own scripts are at work: a link loads no other document.
    const listening = page.waitForRequest('**/api/events')
    await page.goto('/faq')
    await listening
    const rules = page.waitForResponse(/registration-rules/)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Register', exact: true }).click()
    await page.getByLabel('First Name').fill('Jun')
    await rules
    await next(page).click()
    await expect(page.getByText('Please fill in the last name field.')).toBeVisible()
    await expect(page.getByLabel('Last Name')).toBeFocused()
    await answerName(page)
    await next(page).click()
    await expect(step(page)).toHaveText('Step 2 of 5: Personal data')
    await expect(page.locator('[name="address"]')).toBeFocused()
    await page.goBack()
    await expect(step(page)).toHaveText('Step 1 of 5: Your name')
    await expect(page.getByLabel('Last Name')).toHaveValue('Macaraeg')
    expect(asked).toEqual([])

    await back()
    await expect.poll(() => asked.length).toBe(1)
    await expect(page).toHaveURL(/\/register/)
    await expect(page.getByLabel('Last Name')).toHaveValue('Macaraeg')
    await next(page).click()
    await expect(step(page)).toHaveText('Step 2 of 5: Personal data')
    await openMenu(page)
    await page.getByRole('link', { name: 'Contact', exact: true }).click()
    await expect.poll(() => asked.length).toBe(2)
    await expect(step(page)).toHaveText('Step 2 of 5: Personal data')
    await page.goBack()
    mayLeave = true
    await back()
    await expect(page).toHaveURL('/faq')
    expect(asked).toEqual(Array(3).fill('Leave this page? Your enlistment is not submitted yet.'))
    expect(warnings).toEqual([])
  })

  test('before its scripts the form has its steps, and another language keeps the step and what was typed', async ({
    page,
  }) => {
    await page.route('**/assets/*.js', () => undefined)
    // On a slow line the links are there before the rest.
    const half = async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace(/<main.*/s, '') })
    }
    await page.route('/register', half, { times: 1 })
    // The page isn't loaded without them.
    await page.goto('/register#step-education', { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'Filipino', exact: true }).click()
    await expect(page).toHaveURL('/register#step-education')
    await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
    await page.getByRole('link', { name: 'English', exact: true }).click()
    await expect(step(page)).toHaveText('Step 3 of 5: Course and component')
    await page.unroute('**/assets/*.js')
    await page.goto('about:blank')
    await test.step('the steps are there before the form’s scripts, and another language keeps what was typed', async () => {
      const deliver = await holdRequests(page, /enlistment-form/)
      const listening = page.waitForRequest('**/api/events')
      await page.goto('/register')
      await listening
      await page.locator('[name="lastName"]').fill('Macaraeg')
      await next(page).click()
      await expect(step(page)).toHaveText('Step 2 of 5: Personal data')
      await page.getByRole('link', { name: 'Filipino', exact: true }).click()
      deliver()
      await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
      await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')
    })
  })

  test('the first press is checked; another language and a turned phone keep the answers and their place', async ({
    page,
  }) => {
    // The page's own scripts are at work.
    const listening = page.waitForRequest('**/api/events')
    await page.goto('/register')
    await listening
    await next(page).click()
    await expect(page.getByText('Please fill in the last name field.')).toBeVisible()
    await expect(step(page)).toHaveText('Step 1 of 5: Your name')
    await answerName(page)
    await next(page).click()
    await page.locator('[name="address"]').fill('12 Mabini St., Bacoor')
    await page.getByRole('link', { name: 'Filipino', exact: true }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'fil')
    const address = page.locator('[name="address"]')
    await expect(address).toHaveValue('12 Mabini St., Bacoor')
    await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')

    await address.focus()
    await page.setViewportSize({ width: 844, height: 390 })
    await expect(address).toBeFocused()
    await expect(address).toBeInViewport()
    const person = page.locator('[name="emergencyContactName"]')
    await person.focus()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(person).toBeInViewport()
    await expect(address).toBeHidden()
  })

  test('a refusal leads to the step of its first problem', { tag: '@journey' }, async ({ page }) => {
    await page.goto('/register')
    await putEnlistment(page, { placeOfBirth: '' })
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(step(page)).toHaveText('Step 2 of 5: Personal data')
    await expect(page.getByLabel('Place of Birth')).toBeFocused()
    await expect(page.getByLabel('Place of Birth')).toBeInViewport()
    await page.getByText('One answer needs your attention').click()
    await page.getByRole('link', { name: 'Please fill in the place of birth field.' }).click()
    await expect(page.getByLabel('Place of Birth')).toBeInViewport()
  })

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false })

    test('the form is one page', async ({ page }) => {
      await page.goto('/register')
      for (const name of ['lastName', 'address', 'religion', 'emergencyContactName', 'consent']) {
        await expect(page.locator(`[name="${name}"]`)).toBeVisible()
      }
      await expect(next(page)).toBeHidden()
      // What tests/pages reads from the classes `noscript:block` and `noscript:hidden`.
      await expect(page.getByText('Under 18? Then section 4')).toBeVisible()
      await expect(page.locator('[aria-describedby="keep-answers-notice"]')).toBeHidden()
    })
  })
})

test.describe('a narrow window of a computer', () => {
  test.use({ hasTouch: false, isMobile: false, viewport: { width: 360, height: 740 } })

  test('moves on with Enter, and a correction leaves the hint at its label', { tag: '@journey' }, async ({
    page,
  }) => {
    const rules = page.waitForResponse(/registration-rules/)
    await page.goto('/register')
    const hint = page.locator('#address-hint')
    const address = page.locator('[name="address"]')
    await page.locator('[name="lastName"]').fill('Macaraeg')
    await rules
    await page.keyboard.press('Enter')
    await page.keyboard.type('Ana')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(address).toBeFocused()
    await expect(address).toHaveAttribute('aria-invalid', 'false')
    await page.locator('[data-next]:visible').click()
    await expect(page.locator('#address-error')).toBeVisible()
    const [above, control] = [await hint.boundingBox(), await address.boundingBox()]
    expect(above?.y).toBeLessThan(control?.y ?? 0)
  })
})
