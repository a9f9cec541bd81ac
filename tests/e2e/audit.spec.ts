import type { Page } from '@playwright/test'
import { buildRegistration } from '#tests/factories/registration.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

test('the coordinator sees who did what, narrows it down, and finds the same after a reload', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  await page.goto('/admin?tab=students')
  const download = page.waitForEvent('download')
  await enlistSomebody(page)
  await page.getByRole('button', { name: 'Export to Excel' }).click()
  await download

  await page.goto('/admin?tab=audit')
  await expect(page.getByRole('heading', { name: 'Audit Trail' })).toBeVisible()
  const entries = page.getByRole('table', { name: 'Audit trail, newest first' })
  await expect(entries.getByText('Exported students').first()).toBeVisible()
  await expect(entries.getByText('Signed in', { exact: true }).first()).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Action').selectOption('Exported students')
  await expect(page).toHaveURL(/action=students-exported/)
  await expect(entries.getByText('Signed in', { exact: true })).toHaveCount(0)
  await page.reload()
  await expect(page.getByLabel('Action')).toHaveValue('students-exported')
  await expect(entries.getByText('Exported students').first()).toBeVisible()

  const details = entries.getByRole('button', { name: /^Details: Exported students/ }).first()
  await details.click()
  const dialog = page.getByRole('dialog', { name: 'Exported students' })
  await expect(dialog.getByText('127.0.0.1')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(details).toBeFocused()

  await page.getByLabel('Search', { exact: true }).fill('nothing has this')
  await expect(page.getByText('No entries match these filters.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(entries.getByText('Signed in', { exact: true }).first()).toBeVisible()
  await test.step('a date is typed digit by digit, and Clear filters empties it', async () => {
    const until = page.getByLabel('To', { exact: true })
    await until.focus()
    // As by hand: after each digit the page has time to follow.
    await page.keyboard.type('11202020', { delay: 150 })
    await expect(until).toHaveValue('2020-11-20')
    await expect(page).toHaveURL(/to=2020-11-20/)
    await expect(page.getByText('No entries match these filters.')).toBeVisible()
    await page.reload()
    await expect(until).toHaveValue('2020-11-20')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(until).toHaveValue('')
  })
})

/** A list of nobody can't be exported. */
async function enlistSomebody(page: Page): Promise<void> {
  const response = await page.request.post('/api/registrations', { data: buildRegistration() })
  expect(response.status()).toBe(201)
  await expect(page.getByRole('button', { name: 'Export to Excel' })).not.toHaveAttribute(
    'aria-disabled',
    'true',
  )
}
