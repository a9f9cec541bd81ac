import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

test('enlistments show among the recent activity as they come, and many open their list', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/admin')
  const activity = page.getByRole('region', { name: 'Recent Activity' })
  await expect(activity.getByText('Signed in').first()).toBeVisible()
  const lastName = uniqueLastName()
  for (const firstName of ['Ana', 'Berta', 'Clara', 'Dina']) {
    await registerStudent(page, { lastName, firstName })
  }
  // Without a reload. The product may have earlier students.
  const many = activity.getByRole('link', { name: /^[\d,]+ students enlisted$/ })
  await expect(many).toBeVisible()
  await expect(activity.getByText('In the last 7 days', { exact: true })).toBeVisible()
  const { enlistments } = await (await page.request.get('/api/dashboard')).json()
  await expect(many).toHaveText(`${enlistments.count} students enlisted`)
  await expectAccessible(page)

  await many.click()
  await page.waitForURL(/\/admin\?tab=students&period=last-7-days$/)
  const list = await (await page.request.get('/api/students?period=last-7-days')).json()
  await expect(page.getByText(`${list.total.toLocaleString('en')} students · registered`)).toBeVisible()
  expect(list.total).toBe(enlistments.count)
  await expect(page.getByRole('button', { name: `View ${lastName}, Dina` })).toBeVisible()
})

test('getting started is found by Ctrl K, ticks what is done, and can be hidden', async ({ page }) => {
  await signIn(page)
  await page.goto('/admin')
  await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
  const list = page.getByRole('region', { name: 'Getting started' })
  // There are students: the portal isn't new.
  await expect(list).toHaveCount(0)
  const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
  await search.fill('getting')
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText('Getting started')
  await search.press('Enter')
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  await page.reload()
  await expect(list.getByRole('link', { name: 'First backup (to do)' })).toBeVisible()
  await expectAccessible(page)
  await changeSettings(page.request, { schoolName: 'Cavite State University' })
  await expect(list.getByRole('link', { name: 'School name (done)' })).toBeVisible()
  await expect(list).toContainText('/register')
  await list.getByRole('button', { name: 'Hide getting started' }).click()
  await expect(list).toHaveCount(0)
  await search.fill('getting')
  await expect(page.getByRole('listbox', { name: 'Search results' })).toContainText('Getting started')
  await search.press('Enter')
  await list.getByRole('link', { name: 'Courses' }).click()
  await expect(page.getByRole('region', { name: 'Courses' })).toBeFocused()
  await changeSettings(page.request, { schoolName: '' })
})
