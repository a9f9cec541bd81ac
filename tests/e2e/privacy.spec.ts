import { readSheet } from 'read-excel-file/node'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

test('a student asks, gets all data, withdraws the consent and is erased', { tag: '@journey' }, async ({
  page,
  expectedErrors,
}) => {
  // The browser itself reports the refusal.
  expectedErrors.push(/409/)
  const lastName = uniqueLastName()
  const reference = await registerStudent(page, { lastName })
  await signIn(page)
  await page.goto('/admin?tab=privacy')
  await page.getByLabel('Request', { exact: true }).selectOption('To erase')
  const add = page.getByRole('button', { name: 'Add request' })
  await add.click()
  await expect(page.getByText('Please fill in the reference.')).toBeVisible()
  await page.getByLabel(/^Reference code/).fill(reference.toLowerCase())
  await add.dblclick()
  const request = page.getByRole('row').filter({ hasText: reference })
  await expect(request).toContainText('To erase')
  await expect(page.getByText('Please fill in the reference.')).toBeHidden()
  await expectAccessible(page)

  await page.goto(`/admin?tab=students&search=${reference}`)
  await page.getByRole('button', { name: /^View/ }).first().click()
  const record = page.getByRole('dialog', { name: 'Student Details' })
  const saving = page.waitForEvent('download')
  await record.getByRole('button', { name: 'Download all data' }).click()
  const rows = await readSheet(await (await saving).path())
  expect(rows.map(([part, , what, value]) => [part, what, value])).toContainEqual([
    'Record',
    'Last Name',
    lastName,
  ])
  await record.getByRole('button', { name: 'Record consent withdrawal' }).click()
  await expect(record.getByText('Excluded from bulk e-mail and exports.', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/admin?tab=students&search=${reference}&missing=permission`)
  await expect(page.getByText('Consent withdrawn', { exact: true }).first()).toBeVisible()

  await page.goto('/admin?tab=privacy')
  // The record itself has to go, and its deletion closes the request.
  await request.getByRole('button', { name: 'Granted' }).click()
  await expect(page.getByText(/Delete the record in Student Management/)).toBeVisible()
  await page.goto(`/admin?tab=students&search=${reference}`)
  await page.getByRole('button', { name: /^View/ }).first().click()
  await record.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Student' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Student deleted successfully')).toBeVisible()
  await page.goto('/admin?tab=privacy')
  await expect(request).toContainText(/Granted, \w+ \d+, \d{4}/)
})

test('the page says what is kept how long, and which code is of no record; a breach has its clock and its notice', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/422/)
  await signIn(page)
  await page.goto('/admin?tab=privacy')
  const code = page.getByLabel(/^Reference code/)
  await code.fill('NSTP-0000-0000')
  await page.getByRole('button', { name: 'Add request' }).click()
  await expect(code).toHaveAccessibleDescription(/No record has this code\./)
  await expect(code).toBeFocused()
  await code.fill('')
  const stored = page.getByRole('row', { name: /^Audit trail/ })
  await expect(stored).toContainText('who saw and changed what')
  await expect(stored).toContainText('The period in System Settings')
  await page.getByText('Record a breach').click()
  await page.getByLabel(/^People concerned/).fill('12')
  await page.getByLabel(/^What happened/).fill('A laptop was stolen.')
  await page.getByLabel(/^Data that may be involved/).fill('Names and birth dates')
  await page.getByLabel(/^What was done/).fill('Passwords were changed.')
  await page.getByRole('button', { name: 'Record breach' }).click()
  const breach = page.getByRole('article').first()
  await expect(breach).toContainText(/7[12] hours left/)
  await expect(breach.getByLabel('Text of the notice')).toHaveValue(/A laptop was stolen\./)
  await breach.getByRole('button', { name: 'Mark as notified' }).first().click()
  await expect(breach.getByText(/National Privacy Commission: notified/)).toBeVisible()
  await expectAccessible(page)
})
