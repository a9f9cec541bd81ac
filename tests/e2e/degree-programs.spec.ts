import { changeSettings } from './change-settings.ts'
import { putEnlistment, showStep } from './enlistment-form.ts'
import { expect, test } from './journey.ts'
import { openSettings, section } from './settings-page.ts'

const it = 'BS Information Technology'
const law = 'BS Legal Management'

test.afterEach(async ({ page }) => {
  await changeSettings(page.request, { programs: [] })
})

test('the office lists degree programs, and the form asks for those of the chosen course', {
  tag: ['@both', '@journey'],
}, async ({ page }) => {
  await openSettings(page)
  const programs = await section(page, 'Degree programs')
  for (const [index, [course, name]] of [
    ['SOICT', it],
    ['SOBM', law],
  ].entries()) {
    await programs.getByRole('button', { name: 'Add a degree program' }).click()
    const entry = programs.getByRole('group', { name: `Degree program ${index + 1}` })
    await entry.getByLabel('Course').selectOption(course ?? '')
    await entry.getByLabel('Name').fill(name ?? '')
  }
  await programs.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Degree programs updated successfully')).toBeVisible()

  await page.goto('/register')
  const program = page.getByLabel('Degree Program')
  await showStep(page.locator('[name="course"]'))
  await expect(program).toBeHidden()
  await page.locator('[name="course"]').selectOption('SOICT')
  await program.selectOption(it)
  await page.locator('[name="course"]').selectOption('SOCJ')
  await expect(program).toBeHidden()
  await page.locator('[name="course"]').selectOption('SOBM')
  await expect(program).toHaveValue('')
  await program.selectOption(law)

  await page.reload()
  await showStep(page.locator('[name="course"]'))
  await expect(program).toHaveValue(law)
  await putEnlistment(page, { course: '' })
  await page.getByRole('button', { name: 'Submit Registration' }).click()
  await expect(page.getByText(/Registration successful!/).first()).toBeVisible()
})
