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

const english = {
  locale: 'en-PH',
  why: 'You are under 18, so a parent or guardian must agree to your enlistment',
  missing: 'You are under 18: please fill in how your parent or guardian is related to you.',
  agrees: 'I am Ana Macaraeg, the parent or guardian of this student, and I agree too.',
  submit: 'Submit registration',
  done: /^Registration successful!/,
}

/** The words for each age and language are in tests/pages/guardian.test.ts; slow-line.spec.ts has one in Filipino. */
const cases = [
  { ...english, age: 17, tag: '@phone' },
  { ...english, age: 16, tag: '@desktop' },
]

const names = ['guardianName', 'guardianRelationship', 'guardianContactNumber'] as const
const control = (page: Page, name: string) => page.locator(`[name="${name}"]`).first()
const starred = (page: Page, name: string) => page.locator(`label[for="${name}"]`, { hasText: '*' })

/** All that is starred for everybody, and no more. Where the form is in steps, as far as the birth date. */
async function answer(page: Page, age: number, isInSteps: boolean) {
  const { year, month, day } = bornYearsAgo(age)
  await control(page, 'lastName').fill(uniqueLastName())
  await control(page, 'firstName').fill('Jun')
  if (isInSteps) await page.locator('[data-next]:visible').click()
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

async function answerTheRest(page: Page, isInSteps: boolean) {
  const goOn = () => (isInSteps ? page.locator('[data-next]:visible').click() : undefined)
  await control(page, 'course').selectOption('SOBM')
  await control(page, 'yearLevel').selectOption('1st Year')
  await page.locator('[name="nstpComponent"][value="CWTS"]').check()
  await goOn()
  await control(page, 'emergencyContactName').fill('Lorna Peña')
  await control(page, 'emergencyContactNumber').fill('0918 765 4321')
  await goOn()
}

async function answerGuardian(page: Page) {
  await control(page, 'guardianName').fill('Ana Macaraeg')
  await control(page, 'guardianRelationship').fill('Mother')
  await control(page, 'guardianContactNumber').fill('0918 765 4321')
}

for (const { locale, age, tag, why, missing, agrees, submit, done } of cases) {
  test.describe(`a student of ${age}, ${locale}`, () => {
    test.use({ locale })

    test('is asked for the guardian with the birth date', { tag }, async ({ page, isMobile }) => {
      await page.goto('/register')
      await expect(starred(page, 'guardianName')).toHaveCount(0)
      await answer(page, age, isMobile)
      await expect(page.getByText(why)).toBeVisible()
      // A birth date corrected to 18, or to under the age that may enlist, takes the question back.
      for (const corrected of [18, 15]) {
        await control(page, 'birthYear').fill(bornYearsAgo(corrected).year)
        await expect(starred(page, 'guardianName')).toHaveCount(0)
        if (isMobile) await expect(control(page, 'guardianName')).toBeHidden()
      }
      await control(page, 'birthYear').fill(bornYearsAgo(age).year)
      for (const name of names) {
        await expect(control(page, name)).toBeVisible()
        await expect(starred(page, name)).toBeVisible()
      }
      await expectAccessible(page)
      if (isMobile) {
        await page.locator('[data-next]:visible').click()
        await expect(control(page, 'guardianName')).toBeFocused()
        await expect(page.locator('#guardianRelationship-error')).toHaveText(missing)
      }
      await answerGuardian(page)
      if (isMobile) await page.locator('[data-next]:visible').click()
      await answerTheRest(page, isMobile)
      await control(page, 'consent').check()
      await page.getByRole('button', { name: submit }).click()
      await expect(
        page.getByText('You are under 18: your parent or guardian must tick this box too.').last(),
      ).toBeVisible()
      await page.getByRole('checkbox', { name: agrees }).check()
      await expectAccessible(page)
      await page.getByRole('button', { name: submit }).click()
      await expect(page.getByRole('heading', { name: done })).toBeVisible()
    })
  })
}
