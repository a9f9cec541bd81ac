import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'
import { button, openList } from './student-list.ts'

test('fake registrations are found by time and network, removed, and restored', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  const lastName = uniqueLastName()
  for (const firstName of ['Ana', 'Ben', 'Carla']) await registerStudent(page, { lastName, firstName })
  await openList(page, lastName)
  await page.getByRole('button', { name: /^(More filters|Filters)/ }).click()
  await page.getByLabel('Time Period').selectOption({ label: 'Custom range…' })
  // Another set of students clears the selection.
  const listed = page.waitForResponse(/api\/students\?.*network=127/)
  await page.getByLabel('Network').selectOption('127.0.0.0/24')
  await listed
  const until = page.getByLabel('Until')
  const end = await until.inputValue()
  await until.fill('2020-01-01T00:00')
  await expect(page.getByText('Please choose a later time.')).toBeVisible()
  // No action on a list that these times don't mean.
  await expect(page.getByRole('checkbox', { name: /select all/i })).toHaveCount(0)
  await until.fill('')
  await expect(page.getByText('Please choose a date and a time.')).toBeVisible()
  await until.fill(end)
  await expect(page.getByText('Please choose a later time.')).toBeHidden()
  await expect(page.getByText(/^3 students/)).toBeVisible()
  await expectAccessible(page)

  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await expect(page.getByText('3 selected')).toBeVisible()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Mark as fake…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Fake' })
  await expect(dialog.getByText(/^3 registrations/)).toBeVisible()
  await expect(dialog.getByText(`${lastName}, Carla`)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Mark 3 registrations as fake' }).click()
  await expect(page.getByText('3 registrations marked as fake.')).toBeVisible()
  await expect(page.getByText('No matching students found.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Students', level: 1 })).toBeFocused()

  // The notice is still there when the list is opened again.
  await page.reload()
  const notice = page.getByText(/^3 registrations marked as fake on .+ To be deleted on/)
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  await notice.locator('..').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('3 registrations restored.')).toBeVisible()
  await expect(page.getByText(/^3 students/)).toBeVisible()
  await expect(notice).toBeHidden()
})
