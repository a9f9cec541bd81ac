import type { Page } from '@playwright/test'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

async function openList(page: Page, lastName: string) {
  await page.goto(`/admin?tab=students&search=${encodeURIComponent(lastName)}`)
  await expect(page.locator('#content').getByText(/^[\d,]+ students?$/)).toBeVisible()
  await expectReady(page)
}

const marks = (page: Page) => page.getByRole('button', { name: /^Possible duplicate of/ })
const comparison = (page: Page) => page.getByRole('dialog', { name: 'Possible Duplicates' })

/** Each test's records resemble each other and nobody else's. */
function twice(lastName: string) {
  const email = `${lastName.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}@school.example`
  return {
    first: { lastName, email, studentId: '', contactNumber: '0917 000 0001' },
    second: { lastName, email, studentId: `ID-${Date.now()}`, contactNumber: '0917 000 0002' },
  }
}

test('marked in the list → compared → merged field by field, undone, and merged again', {
  tag: '@journey',
}, async ({ page }) => {
  const lastName = uniqueLastName()
  const { first, second } = twice(lastName)
  await registerStudent(page, first)
  await registerStudent(page, second)
  await signIn(page)
  await openList(page, lastName)
  await expect(marks(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Possible duplicates', exact: true }).click()
  await page.waitForURL(/duplicates=only/)
  await expect(page.getByText('2 students', { exact: true })).toBeVisible()

  await marks(page).first().click()
  const dialog = comparison(page)
  await expect(dialog.getByText('Same email', { exact: true })).toBeVisible()
  await expect(dialog.getByRole('heading', { name: '2 differences' })).toBeVisible()
  await expectAccessible(page)

  // The earlier record stays; what it doesn't say comes from the other.
  const contact = dialog.getByRole('group', { name: 'Contact Number' })
  await expect(contact.getByRole('radio', { checked: true })).toHaveAccessibleName('0917 000 0001')
  const studentId = dialog.getByRole('group', { name: 'Student ID' })
  await expect(studentId.getByRole('radio', { checked: true })).toHaveAccessibleName(second.studentId)
  const merge = async () => {
    await contact.getByText('0917 000 0002').click()
    await dialog.getByRole('button', { name: 'Merge records' }).click()
    await expect(page.getByText('Records merged successfully').last()).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('No matching students found.')).toBeVisible()
  }
  await merge()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Both records are as before the merge')).toBeVisible()
  await expect(marks(page)).toHaveCount(2)
  await marks(page).first().click()
  await merge()
  await openList(page, lastName)
  await expect(page.getByText('1 student', { exact: true })).toBeVisible()
  await expect(marks(page)).toHaveCount(0)
  await page.getByRole('button', { name: /^View/ }).click()
  const details = page.getByRole('dialog', { name: 'Student Details' })
  await expect(details.getByText('0917 000 0002')).toBeVisible()
  await expect(details.getByText(second.studentId)).toBeVisible()
})

test('duplicates are looked at by keyboard, marked as different students from the details, and no longer listed; what another user changed meanwhile is shown', async ({
  page,
  product,
  browser,
  expectErrors,
}) => {
  const lastName = uniqueLastName()
  const { first, second } = twice(lastName)
  await registerStudent(page, first)
  await registerStudent(page, second)
  await signIn(page)
  await openList(page, lastName)
  await test.step('opened and closed, and the focus is back on the mark', async () => {
    await marks(page).first().focus()
    await page.keyboard.press('Enter')
    await expect(comparison(page).getByRole('heading', { name: '2 differences' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(comparison(page)).toBeHidden()
    await expect(marks(page).first()).toBeFocused()
  })
  await page.getByRole('button', { name: /^View/ }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare records' }).click()
  await comparison(page).getByRole('button', { name: 'Not duplicates' }).click()
  await expect(page.getByText('Marked as not duplicates')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(marks(page)).toHaveCount(0)
  await expect(page.getByText('2 students', { exact: true })).toBeVisible()
  await page.goBack()
  await expect(comparison(page)).toBeHidden()
  await test.step('a record that another user changed meanwhile is shown as it is now', async () => {
    const lastName = uniqueLastName()
    const { first, second } = twice(lastName)
    await registerStudent(page, first)
    await registerStudent(page, second)
    await openList(page, lastName)
    await marks(page).first().click()
    const dialog = comparison(page)
    await expect(dialog.getByRole('heading', { name: '2 differences' })).toBeVisible()

    const colleague = await browser.newContext({ baseURL: product.url })
    await signIn(await colleague.newPage())
    const found = await colleague.request.get(`/api/students?search=${encodeURIComponent(lastName)}`)
    const { id } = (await found.json()).items[0]
    const edited = await colleague.request.patch(`/api/students/${id}`, {
      headers: { 'If-Match': '"1"' },
      data: { address: 'A new address' },
    })
    expect(edited.status()).toBe(200)
    await colleague.close()

    await expectErrors(/409/, async () => {
      await dialog.getByRole('button', { name: 'Merge records' }).click()
      await expect(dialog.getByRole('alert')).toContainText(
        'Failed to merge the records: Someone else changed this in the meantime.',
      )
    })
    await expect(dialog.getByRole('heading', { name: '3 differences' })).toBeVisible()
    await expect(dialog.getByRole('group', { name: 'Address', exact: true })).toContainText('A new address')
    await dialog.getByRole('button', { name: 'Merge records' }).click()
    await expect(page.getByText('Records merged successfully')).toBeVisible()
  })
})
