import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

async function openTerms(page: Page, query = '') {
  await signIn(page)
  await page.goto(`/admin?tab=terms${query}`)
  await expectReady(page)
}

test('from no term to students in sections, and back', { tag: '@both' }, async ({ page, product }) => {
  await queryDatabase(
    product.dataDir,
    'delete from enrolments; delete from sections; delete from terms; delete from students',
  )
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await openTerms(page)

  await expect(page.getByText('No term yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open a term' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First day').fill('2026-08-03')
  await dialog.getByLabel('Last day').fill('2026-08-01')
  await dialog.getByRole('button', { name: 'Open term' }).click()
  await expect(dialog.getByText('Please choose a last day after the first one.')).toBeVisible()
  await dialog.getByLabel('Last day').fill('2026-12-19')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Open term' }).click()
  // The form that closes says it too, in a longer sentence.
  await expect(page.getByText(/First semester .* is open$/)).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: 'CWTS' }).click()
  await expect(page.getByText('CWTS has no sections of NSTP 1 yet.')).toBeVisible()
  await expect(page.getByText('1 student waits for one.')).toBeVisible()
  await page.getByRole('button', { name: 'Add sections' }).click()
  const panel = page.getByRole('dialog', { name: 'Add sections of CWTS, NSTP 1' })
  await panel.getByRole('button', { name: 'Battalions and platoons' }).click()
  await expect(panel.getByText('32 sections with 1,184 places')).toBeVisible()
  await panel.getByRole('button', { name: 'Sections of 60' }).click()
  await panel.getByLabel('Sections a unit').fill('2')
  await expect(panel.getByText('2 sections with 120 places')).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Add sections' }).click()
  await expect(page.getByText('2 sections added')).toBeVisible()
  await expect(page.getByRole('row', { name: /^Section 1/ })).toBeVisible()

  await page.goto('/admin')
  const thisTerm = page.getByRole('region', { name: 'This term' })
  await thisTerm.getByRole('link', { name: 'CWTS, NSTP 1: 1 student without a section' }).click()
  await page.getByRole('button', { name: /^Place students… \(1\)$/ }).click()
  const placing = page.getByRole('dialog', { name: 'Place students of CWTS, NSTP 1' })
  await expect(placing.getByText('1 student without a section: 1 placed, 0 not')).toBeVisible()
  await expectAccessible(page)
  await placing.getByRole('button', { name: 'Place 1 student' }).click()
  await expect(page.getByText('1 student placed')).toBeVisible()
  const steps = page.getByRole('list', { name: 'Steps of the term' })
  await expect(steps).toContainText('1 of 1')
  await expect(page.getByRole('row', { name: /^Section 1/ })).toContainText('1 of 60')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 student taken back')).toBeVisible()
  await expect(steps).toContainText('0 of 1')
  await expectAccessible(page)

  await page.getByRole('button', { name: /^Place students…/ }).click()
  await placing.getByRole('button', { name: 'Place 1 student' }).click()
  await expect(steps).toContainText('1 of 1')
  await page.evaluate(() => {
    window.print = () => undefined
  })
  await page.getByRole('button', { name: 'Print class lists' }).click()
  const lists = page.getByRole('dialog', { name: 'Class list of CWTS, NSTP 1' })
  await expectAccessible(page)
  await lists.getByRole('button', { name: 'Print', exact: true }).click()
  const papers = page.locator('.class-lists')
  await expect(papers).toHaveCount(1)
  await page.emulateMedia({ media: 'print' })
  await expect(papers.getByText('Section 1', { exact: true })).toBeVisible()
  await expect(papers).toContainText(`${lastName}, `)
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => void window.dispatchEvent(new Event('afterprint')))
  await expect(lists).toHaveCount(0)
})

test.describe('a taken name', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/422/] })

  test('is refused; a section is edited and deleted, a term closed and opened again', async ({ page }) => {
    await openTerms(page, '&component=CWTS&level=1')
    await page.getByRole('button', { name: 'Actions for Section 1' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const panel = page.getByRole('dialog', { name: 'Edit section' })
    await panel.getByLabel('Section', { exact: false }).first().fill('Section 2')
    await panel.getByRole('button', { name: 'Save changes' }).click()
    await expect(panel.getByText('Section 2 is already one of the sections.')).toBeVisible()
    await panel.getByLabel('Section', { exact: false }).first().fill('Barangay health')
    await panel.getByLabel('Adviser').fill('Ms. Reyes')
    await panel.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Changes saved')).toBeVisible()
    await expect(page.getByRole('row', { name: /^Barangay health/ })).toContainText('Ms. Reyes')

    await page.getByRole('button', { name: 'Actions for Section 2' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Section 2 deleted')).toBeVisible()

    await page.getByRole('button', { name: /^Actions for First semester/ }).click()
    await page.getByRole('menuitem', { name: 'Close' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close term' }).click()
    await expect(page.getByText(/This term is closed/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add sections' })).toHaveCount(0)
    await page.getByRole('button', { name: /^Actions for First semester/ }).click()
    await page.getByRole('menuitem', { name: 'Open again' }).click()
    await expect(page.getByRole('button', { name: 'Add sections' })).toBeVisible()
  })
})

test('who has an earlier record is compared before placing', async ({ page, product }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await queryDatabase(
    product.dataDir,
    `update students set academic_year = '2025-2026' where last_name = '${lastName}'`,
  )
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await openTerms(page, '&component=CWTS&level=1&open=place')
  const placing = page.getByRole('dialog', { name: /^Place students/ })
  await placing.getByText('1 student may have an earlier record').click()
  await expectAccessible(page)
  await placing.getByRole('link', { name: /^Compare/ }).click()
  const pair = page.getByRole('dialog', { name: 'Possible Duplicates' })
  await expect(pair.getByText('2025-2026')).toBeVisible()
  await expect(pair.getByText('2026-2027')).toBeVisible()
})
