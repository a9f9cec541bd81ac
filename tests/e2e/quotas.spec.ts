import { changeSettings } from './change-settings.ts'
import { putEnlistment, registerStudent, showStep } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'
import { openSettings, section } from './settings-page.ts'

const full = 'ROTC is full for 2026-2027. Please choose the other component, or ask the NSTP office.'

test.use({ expectedErrors: [/status of 422/] })

test('a full component is refused with all answers kept, and not offered until its limit is lifted', {
  tag: '@journey',
}, async ({ page }) => {
  await page.goto('/register')
  await putEnlistment(page, { nstpComponent: 'ROTC', academicYear: '2026-2027', lastName: 'Macaraeg' })
  await signIn(page)
  await registerStudent(page, { nstpComponent: 'ROTC', academicYear: '2026-2027' })
  await changeSettings(page.request, { quotas: { ROTC: 1, CWTS: null, LTS: null } })
  const offered = async () => (await (await page.request.get('/api/registrations/offer')).json()).full.length
  await expect.poll(offered).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page.getByRole('radiogroup').getByText(full)).toBeVisible()
  const rotc = page.getByRole('radio', { name: 'ROTC' })
  await expect(rotc).toBeChecked()
  await expect(page.locator('[name="lastName"]')).toHaveValue('Macaraeg')
  await expect(page.getByText('Full for 2026-2027.', { exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('radio', { name: 'CWTS' }).check()
  await expect(rotc).toBeDisabled()
  await page.locator('[name="academicYear"]').selectOption('2027-2028')
  await expect(rotc).toBeEnabled()
  await page.locator('[name="academicYear"]').selectOption('2026-2027')
  await showStep(page.getByRole('button', { name: 'Submit registration' }))
  await page.getByRole('button', { name: 'Submit registration' }).click()
  await expect(page.getByRole('heading', { name: /^Registration successful!/ })).toBeVisible()

  await page.goto('/admin')
  await expect(page.getByRole('main').getByText(/^\d+ (of|enlisted,) 1 slot in 2026-2027/)).toBeVisible()
  // An open screen would notice that the new sign-in ends its session, and leave by itself.
  await page.goto('about:blank')
  await openSettings(page)
  const enlistment = await section(page, 'Enlistment')
  await enlistment.getByLabel('Slots in ROTC').fill('none')
  await enlistment.getByRole('button', { name: 'Save' }).click()
  await expect(
    enlistment.getByText('Please enter the slots as a whole number from 1 to 1,000,000.'),
  ).toBeVisible()
  await enlistment.getByLabel('Slots in ROTC').fill('')
  await enlistment.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Enlistment updated successfully')).toBeVisible()
  await page.goto('/register')
  await expect(page.getByText('Full for 2026-2027.', { exact: true })).toBeHidden()
})
