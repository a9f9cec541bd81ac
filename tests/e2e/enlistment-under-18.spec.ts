import type { Page } from '@playwright/test'
import { uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, test } from './journey.ts'

/** Two days after a birthday, so that the age is the same in each time zone; on a day that each month has. */
function bornYearsAgo(years: number) {
  const day = new Date(Date.now() - 48 * 60 * 60 * 1000)
  return {
    year: String(day.getFullYear() - years),
    month: String(day.getMonth() + 1),
    day: String(Math.min(28, day.getDate())),
  }
}

const names = ['guardianName', 'guardianRelationship', 'guardianContactNumber'] as const
const control = (page: Page, name: string) => page.locator(`[name="${name}"]`).first()
const starred = (page: Page, name: string) => page.locator(`label[for="${name}"]`, { hasText: '*' })

/** To the next step of the form. */
const goOn = (page: Page) => page.locator('[data-next]:visible').click()

/** All that is starred for everybody, and no more, as far as the step of the birth date. */
async function answer(page: Page) {
  const { year, month, day } = bornYearsAgo(17)
  await control(page, 'lastName').fill(uniqueLastName())
  await control(page, 'firstName').fill('Jun')
  await goOn(page)
  await control(page, 'address').fill('12 Mabini St., Bacoor')
  await control(page, 'birthMonth').selectOption(month)
  await control(page, 'birthDay').fill(day)
  await control(page, 'birthYear').fill(year)
  await control(page, 'placeOfBirth').fill('Bacoor, Cavite')
  await page.locator('[name="sex"][value="Male"]').check()
  await control(page, 'civilStatus').selectOption('Single')
  await control(page, 'contactNumber').fill('0917 123 4567')
  await control(page, 'email').fill('jun@student.example')
}

async function answerTheRest(page: Page) {
  await control(page, 'course').selectOption('SOBM')
  await control(page, 'yearLevel').selectOption('1st Year')
  await page.locator('[name="nstpComponent"][value="CWTS"]').check()
  await goOn(page)
  await control(page, 'emergencyContactName').fill('Lorna Peña')
  await control(page, 'emergencyContactNumber').fill('0918 765 4321')
  await goOn(page)
}

async function answerGuardian(page: Page) {
  await control(page, 'guardianName').fill('Ana Macaraeg')
  await control(page, 'guardianRelationship').fill('Mother')
  await control(page, 'guardianContactNumber').fill('0918 765 4321')
}

// The words for each age and language are in tests/pages/guardian.test.ts; slow-line.spec.ts has one in Filipino.
test('a student of 17 is asked for the guardian with the birth date', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/register')
  await expect(starred(page, 'guardianName')).toHaveCount(0)
  await answer(page)
  await expect(
    page.getByText('You are under 18, so a parent or guardian must agree to your enlistment'),
  ).toBeVisible()
  // A birth date corrected to 18, or to under the age that may enlist, takes the question back.
  for (const corrected of [18, 15]) {
    await control(page, 'birthYear').fill(bornYearsAgo(corrected).year)
    await expect(starred(page, 'guardianName')).toHaveCount(0)
    await expect(control(page, 'guardianName')).toBeHidden()
  }
  await control(page, 'birthYear').fill(bornYearsAgo(17).year)
  for (const name of names) {
    await expect(control(page, name)).toBeVisible()
    await expect(starred(page, name)).toBeVisible()
  }
  await expectAccessible(page)
  await goOn(page)
  await expect(control(page, 'guardianName')).toBeFocused()
  await expect(page.locator('#guardianRelationship-error')).toHaveText(
    'You are under 18: please fill in how your parent or guardian is related to you.',
  )
  await answerGuardian(page)
  await goOn(page)
  await answerTheRest(page)
  await control(page, 'consent').check()
  const submit = page.getByRole('button', { name: 'Submit registration' })
  await submit.click()
  await expect(
    page.getByText('You are under 18: your parent or guardian must tick this box too.').last(),
  ).toBeVisible()
  await page
    .getByRole('checkbox', {
      name: 'I am Ana Macaraeg, the parent or guardian of this student, and I agree too.',
    })
    .check()
  await expectAccessible(page)
  await submit.click()
  await expect(page.getByRole('heading', { name: /^Registration successful!/ })).toBeVisible()
})
