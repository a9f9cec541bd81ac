import type { Page } from '@playwright/test'
import { putEnlistment, showStep } from './enlistment-form.ts'
import { expect, expectAccessible, holdRequests, test, waitForFrames } from './journey.ts'

const success = 'Registration successful! Thank you for registering for the NSTP program.'

// The form is one page here; its steps on a phone are in enlistment-steps.spec.ts.
test.use({ viewport: { width: 800, height: 1024 } })

/** Opens the form with its scripts at work. */
async function openForm(page: Page): Promise<void> {
  const rules = page.waitForResponse(/registration-rules/)
  await page.goto('/register')
  await page.locator('[name="middleName"]').focus()
  await rules
}

test('on small phones the form is as wide as the screen in each step, its choices can be read whole, and it begins well above the lower edge', async ({
  page,
}) => {
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 568 })
    await openForm(page)
    const field = await page.locator('[name="lastName"]').boundingBox()
    expect((field?.y ?? 568) + (field?.height ?? 0)).toBeLessThan(430)
    const head = await page.getByRole('banner').first().boundingBox()
    expect(head?.height).toBeLessThan(80)
    await expect(page.getByRole('link', { name: 'REGISTER', exact: true })).toHaveCount(0)
    await expect(page.getByRole('contentinfo')).toBeHidden()
    for (const step of ['name', 'personal', 'education', 'emergency', 'review', 'more']) {
      await page.evaluate((step) => window.location.assign(`#step-${step}`), step)
      expect(await page.evaluate(widest), `${step} at ${width} px`).toBeLessThanOrEqual(width)
    }
    for (const [name, choice] of [
      ['birthMonth', 'September'],
      ['yearLevel', '2nd Year'],
      ['academicYear', '2024-2025'],
    ] as const) {
      const select = page.locator(`[name="${name}"]`)
      await showStep(select)
      await select.selectOption(choice)
      expect(await select.evaluateAll(cutChoices), `${name} at ${width} px`).toEqual([])
    }
    // Else the form would keep its answers and its step.
    await page.evaluate(() => document.querySelector<HTMLFormElement>('.form-steps form')?.reset())
    await page.goto('about:blank')
  }
})

test('a field is checked when it is left, never for having been passed, and its sentence follows', async ({
  page,
}) => {
  await openForm(page)
  const control = (name: string) => page.locator(`[name="${name}"]`)
  const errors = page.locator('[id$="-error"]')
  const number = control('contactNumber')
  const ofNumber = page.locator('#contactNumber-error')
  const ofDate = page.locator('#dateOfBirth-error')
  await control('lastName').focus()
  for (let presses = 0; presses < 30; presses++) await page.keyboard.press('Tab')
  await expect(errors).toHaveCount(0)

  await test.step('a number', async () => {
    await number.fill('call me')
    await expect(errors).toHaveCount(0)
    await number.press('Tab')
    await expect(ofNumber).toHaveText('Please enter a valid contact number.')
    await expect(number).toHaveAttribute('aria-invalid', 'true')
    await expectAccessible(page)
    await number.fill('0917 123 4567')
    await expect(errors).toHaveCount(0)
    // What was typed and taken away again is missing.
    await number.fill('')
    await number.press('Tab')
    await expect(ofNumber).toHaveText('Please fill in the contact number field.')
  })

  await test.step('a date: half of one is not wrong while its next part is about to be filled in', async () => {
    await control('birthDay').fill('30')
    await control('birthDay').press('Tab')
    await expect(control('birthYear')).toBeFocused()
    await expect(ofDate).toHaveCount(0)
    await control('birthYear').press('Tab')
    await expect(ofDate).toHaveText('Please enter a valid date of birth.')
  })

  await test.step('the sentence that comes with a press takes nothing away from under it', async () => {
    await number.fill('call me')
    await expect(ofNumber).toHaveCount(0)
    const next = page.locator('[name="nstpComponent"][value="CWTS"]')
    await next.scrollIntoViewIfNeeded()
    const place = await next.boundingBox()
    if (!place) throw new Error('the choice is not on the screen')
    await page.mouse.move(place.x + 4, place.y + 4)
    await page.mouse.down()
    await waitForFrames(page)
    await expect(ofNumber).toHaveCount(0)
    await page.mouse.up()
    await expect(next).toBeChecked()
    await expect(ofNumber).toHaveText('Please enter a valid contact number.')
  })
  await test.step('a mistyped mail service is asked about, one press corrects it, and it stops no enlistment', async () => {
    const email = page.locator('[name="email"]')
    await email.fill('Juan.DelaCruz@gmial.com')
    await email.press('Tab')
    const question = page.getByRole('button', { name: 'Did you mean gmail.com?' })
    await expect(question).toBeVisible()
    await expectAccessible(page)
    await question.click()
    await expect(email).toHaveValue('Juan.DelaCruz@gmail.com')
    await expect(question).toHaveCount(0)

    await email.fill('juan@iclod.com')
    await email.press('Tab')
    await page.getByRole('button', { name: 'Did you mean icloud.com?' }).press('Enter')
    await expect(email).toHaveValue('juan@icloud.com')
    await expect(email).toBeFocused()

    await email.fill('juan@yahoo.com.ph')
    await email.press('Tab')
    await expect(page.locator('[name="citizenship"]')).toBeFocused()
    await expect(page.getByText('Did you mean')).toHaveCount(0)

    // Neither the question nor a guardian without a telephone stops an enlistment.
    await putEnlistment(page, { email: 'juan@yaho.com', guardianContactNumber: 'N/A' })
    await email.focus()
    await email.press('Tab')
    await expect(page.getByRole('button', { name: 'Did you mean yahoo.com?' })).toBeVisible()
    await page.getByRole('button', { name: 'Submit registration' }).click()
    await expect(page.getByRole('heading', { name: success })).toBeVisible()
  })
})

test('answers given before the form’s scripts came are checked when they do', async ({ page }) => {
  const arrive = await holdRequests(page, /assets\/enlistment-form-/)
  await page.goto('/register')
  await page.locator('[name="contactNumber"]').fill('call me')
  await page.locator('[name="email"]').fill('juan@gmial.com')
  await page.locator('[name="citizenship"]').fill('F')
  arrive()
  await expect(page.locator('#contactNumber-error')).toHaveText('Please enter a valid contact number.')
  await expect(page.getByRole('button', { name: 'Did you mean gmail.com?' })).toBeVisible()
  await expect(page.locator('[id$="-error"]')).toHaveCount(1)
})

test.describe('in a translated page', () => {
  // React reports that the served HTML was changed.
  test.use({ expectedErrors: [/Minified React error #418/] })

  test('what was typed before the form’s scripts came stays where a translator has changed the form', async ({
    page,
  }) => {
    const arrive = await holdRequests(page, /assets\/enlistment-form-/)
    await page.goto('/register')
    await page.evaluate(() => {
      for (const label of document.querySelectorAll('form label')) {
        const translation = document.createElement('font')
        translation.append(...label.childNodes)
        label.append(translation)
      }
    })
    await page.locator('[name="lastName"]').fill('Macaraeg')
    await page.locator('[name="course"]').selectOption('SOICT')
    await page.locator('[name="sex"][value="Female"]').check()
    const rules = page.waitForResponse(/registration-rules/)
    arrive()
    await rules
    await expect(page.locator('form label font')).toHaveCount(0)
    await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')
    await expect(page.locator('[name="course"]')).toHaveValue('SOICT')
    await expect(page.locator('[name="sex"][value="Female"]')).toBeChecked()
  })
})

/** How far to the right anything of the form reaches. Runs in the page. */
function widest(): number {
  const parts = [
    ...document.querySelectorAll('form, form :is(section, input, select, textarea, label, button)'),
  ]
  const reach = parts.map((part) => part.getBoundingClientRect().right + window.scrollX)
  return Math.ceil(Math.max(document.documentElement.scrollWidth, ...reach))
}

/** The names of the selects whose chosen text is wider than the room for it. Runs in the page. */
function cutChoices(selects: Element[]): string[] {
  const pen = document.createElement('canvas').getContext('2d')
  return selects
    .filter((select) => select instanceof HTMLSelectElement)
    .filter((select) => {
      const style = getComputedStyle(select)
      if (!pen) throw new Error('the browser measures no text')
      pen.font = style.font
      const room =
        select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
      return pen.measureText(select.selectedOptions[0]?.text ?? '').width > room
    })
    .map(({ name }) => name)
}
