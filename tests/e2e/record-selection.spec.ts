import type { Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, holdRequests, longWait, signIn, test } from './journey.ts'
import { actionButton, button, choose, openList, rows } from './student-list.ts'

async function openArchive(page: Page, lastName: string) {
  await page.goto(`/admin/archived?${new URLSearchParams({ search: lastName })}`)
  await expect(page.getByRole('heading', { name: 'Archived Students', level: 1 })).toBeVisible()
  await expectReady(page)
}

const archivedRow = /^(Actions for|Unarchive)/

test.beforeEach(async ({ page }) => {
  await signIn(page)
})

test('select all archives every page, and Undo puts exactly these back', { tag: '@journey' }, async ({
  page,
}) => {
  test.slow()
  const lastName = uniqueLastName()
  const earlier = `${lastName} Earlier`
  await registerStudent(page, { lastName: earlier })
  await openList(page, lastName)
  await choose(page, 'Archive')
  await expect(page.getByText('Student archived successfully')).toBeVisible()
  await Promise.all(
    Array.from({ length: 60 }, (_, index) => registerStudent(page, { lastName, firstName: `Ana ${index}` })),
  )

  await openList(page, lastName)
  await expect(page.getByText('60 students', { exact: true })).toBeVisible()
  const all = page.getByRole('checkbox', { name: /select all/i }).first()
  await page
    .getByRole('checkbox', { name: `Select ${lastName}` })
    .first()
    .check()
  expect(await all.evaluate((box: HTMLInputElement) => box.indeterminate)).toBe(true)
  await all.click()
  await expect(page.getByText('60 selected')).toBeVisible()
  // Who registers now doesn't join the selection.
  await registerStudent(page, { lastName, firstName: 'Late' })
  await expect(page.getByText('1 new registration')).toBeVisible()
  await expect(page.getByText('60 selected')).toBeVisible()

  await button(page, 'Archive Selected (60)').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(`60 students of all academic years · Search “${lastName}”`)).toBeVisible()
  await expect(dialog.getByText('Are you sure you want to archive 60 student(s)?')).toBeVisible()
  await expect(dialog.getByText('This will move them to the archived students section.')).toBeVisible()
  await expectAccessible(page)
  const listed = page.url()
  await button(page, 'Archive').click()
  await expect(page.getByText('60 students archived successfully')).toBeVisible()
  await expect(page.getByRole('link', { name: 'View archived' })).toHaveAttribute('href', '/admin/archived')
  await expect(page.getByText('1 student', { exact: true })).toBeVisible()

  // The list and its filter are as before.
  await button(page, 'Undo').click()
  await expect(page.getByText('60 students unarchived successfully')).toBeVisible()
  await expect(page.getByText('61 students', { exact: true })).toBeVisible()
  expect(page.url()).toBe(listed)
  await openArchive(page, lastName)
  await expect(page.getByText('1 student', { exact: true })).toBeVisible()
  await expect(page.getByText(earlier, { exact: false }).first()).toBeVisible()
  await openList(page, lastName)
  await expect(page.getByText('61 students', { exact: true })).toBeVisible()
})

test('one student is archived, unarchived and deleted', { tag: ['@both', '@journey'] }, async ({ page }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana' })
  await registerStudent(page, { lastName, firstName: 'Berta' })
  await openList(page, lastName, { sort: 'name' })
  await choose(page, 'Archive', `${lastName}, Berta`)
  await expect(page.getByText('Student archived successfully')).toBeVisible()

  await openList(page, lastName, { archive: 'all', sort: 'name' })
  await expect(rows(page, /^View/)).toHaveCount(2)
  await choose(page, 'Unarchive', `${lastName}, Berta`)
  await expect(page.getByText('Student unarchived successfully')).toBeVisible()
  await expect(actionButton(page, 'Archive', `${lastName}, Berta`)).toBeVisible()

  await choose(page, 'Delete', `${lastName}, Ana`)
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByText(
      `Are you sure you want to delete Ana ${lastName}'s record? This action cannot be undone.`,
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(actionButton(page, 'Delete', `${lastName}, Ana`)).toBeFocused()
  await choose(page, 'Delete', `${lastName}, Ana`)
  await button(page, 'Delete').click()
  await expect(page.getByText('Student deleted successfully')).toBeVisible()
  await expect(rows(page, /^View/)).toHaveCount(1)
  // The row in its place has the focus now.
  await expect(actionButton(page, 'Delete', `${lastName}, Berta`)).toBeFocused()
})

test('the archive: texts, search, form, unarchive, permanent delete, printed list', async ({ page }) => {
  const lastName = uniqueLastName()
  for (const [firstName, nstpComponent] of [
    ['Ana', 'ROTC'],
    ['Berta', 'CWTS'],
  ] as const) {
    await registerStudent(page, { lastName, firstName, middleName: '', nstpComponent })
  }
  await openList(page, lastName)
  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await button(page, 'Archive Selected (2)').click()
  await button(page, 'Archive').click()
  await page.getByRole('link', { name: 'View archived' }).click()
  await page.waitForURL(/\/admin\/archived$/)
  // The list of students has a search field of the same name.
  await expect(page.getByRole('heading', { name: 'Archived Students' })).toBeVisible()

  await page.getByPlaceholder('Search by name or course').fill(lastName)
  await page.waitForURL(/search=/)
  await expect(rows(page, archivedRow)).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'ROTC', exact: true }).click()
  await expect(rows(page, archivedRow)).toHaveCount(1)
  await page.reload()
  await expect(rows(page, archivedRow)).toHaveCount(1)

  await choose(page, 'Print Form')
  const form = page.getByRole('dialog', { name: `Student Form - Ana ${lastName}` })
  await expect(form.getByText('Reservist Information Data Sheet')).toBeVisible()
  await expect(form.getByRole('button', { name: 'Print ROTC Form' })).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(form).toBeHidden()
  await page.goForward()
  await expect(form).toBeVisible()
  await form.getByRole('button', { name: 'Close' }).last().click()
  await expect(form).toBeHidden()
  await expect(actionButton(page, 'Print Form')).toBeFocused()

  await choose(page, 'Unarchive')
  await expect(page.getByText('Student unarchived successfully')).toBeVisible()
  await expect(page.getByText('No matching students found.')).toBeVisible()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await choose(page, 'Delete')
  await expect(
    page.getByText(
      `Are you sure you want to permanently delete Berta ${lastName}'s record? This action cannot be undone.`,
    ),
  ).toBeVisible()
  await button(page, 'Delete').click()
  await expect(page.getByText('Student deleted successfully')).toBeVisible()
  await expect(page.getByText('No matching students found.')).toBeVisible()

  await page.getByRole('link', { name: 'Back to Students' }).click()
  await page.waitForURL(/\/admin\?tab=students$/)
  await test.step('a selection of one is archived as 1 student, and the list of the archive prints with its own columns', async () => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await page.setViewportSize({ width: 1366, height: 768 })
    // The whole list, which is longer than the screen.
    await page.goto('/admin?tab=students')
    await expect(rows(page, /^View/).first()).toBeVisible({ timeout: longWait })
    await expectReady(page)
    const scrolled = () => page.evaluate(() => window.scrollY)
    const before = await scrolled()
    await page.getByRole('checkbox', { name: `Select ${lastName}` }).press('Space')
    const archive = button(page, 'Archive Selected (1)')
    await expect(archive).toBeInViewport({ ratio: 1 })
    expect(await scrolled()).toBe(before)
    await archive.click()
    await button(page, 'Archive').click()
    await expect(page.getByText('1 student archived successfully')).toBeVisible()

    await page.addInitScript(() => {
      window.print = () => undefined
    })
    await openArchive(page, lastName)
    await expect(rows(page, archivedRow)).toHaveCount(1)
    await button(page, 'Print List').click()
    await expect(page.locator('.print-list thead th')).toHaveText([
      'No.',
      'Name',
      'Student ID',
      'Course',
      'NSTP Component',
      'Academic Year',
      'Archived Date',
    ])
  })
})

test.describe('the students of a selection', () => {
  // The browser itself reports the refusal after many sheets in an hour.
  test.use({ expectedErrors: [/403/] })

  test('are exported alone, and printed in one job in the order of the list, also after a password, and those of a component from the search', {
    tag: '@desktop',
  }, async ({ page, product }) => {
    const lastName = uniqueLastName()
    for (const [firstName, nstpComponent] of [
      ['Carla', 'CWTS'],
      ['Ana', 'ROTC'],
      ['Berta', 'CWTS'],
      ['Dina', 'CWTS'],
    ] as const) {
      await registerStudent(page, { lastName, firstName, nstpComponent })
    }
    // Headless Chromium "prints" at once and the window would close before it is read.
    await page.context().addInitScript(() => {
      window.print = () => undefined
    })
    await openList(page, lastName, { sort: 'name' })
    for (const firstName of ['Carla', 'Ana', 'Berta']) {
      await page.getByRole('checkbox', { name: `Select ${lastName}, ${firstName}` }).check()
    }
    await expectAccessible(page)
    await test.step('exported', async () => {
      const download = page.waitForEvent('download')
      await button(page, 'More actions').click()
      await page.getByRole('menuitem', { name: 'Export' }).click()
      const [head = [], ...records] = await readSheet(await (await download).path())
      await expect(page.getByText('Export complete!')).toBeVisible()
      expect(records.map((row) => row[head.indexOf('First Name')])).toEqual(['Ana', 'Berta', 'Carla'])
    })
    const expectPrinted = async (pressed: () => Promise<void>) => {
      const opened = page.waitForEvent('popup')
      await pressed()
      const popup = await opened
      await expect(popup.locator('[data-sheet]')).toHaveCount(3)
      const texts = await popup.locator('[data-sheet]').allTextContents()
      expect(texts.map((text) => /Ana|Berta|Carla/.exec(text)?.[0])).toEqual(['Ana', 'Berta', 'Carla'])
      expect(await popup.title()).toBe('ROTC and CWTS Forms')
      await popup.close()
    }
    await test.step('printed', () => expectPrinted(() => button(page, 'Print Sheets (3)').click()))
    await test.step('after many sheets in an hour the password is asked again', async () => {
      await queryDatabase(
        product.dataDir,
        "update sessions set proven_at = now() - interval '1 hour', records_read = 300, records_since = now()",
      )
      await button(page, 'Print Sheets (3)').click()
      const dialog = page.getByRole('dialog', { name: 'Enter your password' })
      await expect(dialog).toBeVisible()
      await expectAccessible(page)
      await dialog.getByLabel('Your password').fill(adminPassword)
      await expectPrinted(() => dialog.getByRole('button', { name: 'Continue' }).click())
    })
    await test.step('the sheets of a component are printed from the search', async () => {
      for (const nstpComponent of ['ROTC', 'CWTS'] as const)
        await registerStudent(page, { lastName: uniqueLastName(), nstpComponent })
      await page.goto('/admin?tab=students')
      await expect(rows(page, /^View/).first()).toBeVisible({ timeout: longWait })
      await expectReady(page)
      await page.getByRole('combobox', { name: 'Search students, screens and settings' }).fill('print rotc')
      await expect(page.getByRole('option', { name: 'Print sheets of ROTC' })).toBeVisible()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Print Sheets' })
      await expect(dialog).toContainText(/This prints the data sheets of all \d+ students? in the list\./)
      await expectAccessible(page)
      const opened = page.waitForEvent('popup')
      await dialog.getByRole('button', { name: /^Print Sheets/ }).click()
      const popup = await opened
      await expect(popup.locator('[data-sheet="rotc"]').first()).toBeAttached()
      await expect(popup.locator('[data-sheet="cwts"]')).toHaveCount(0)
      await popup.close()
      await dialog.getByRole('button', { name: 'Close' }).last().click()
      await expect(dialog).toBeHidden()
      await expect(page).toHaveURL(/component=ROTC&sort=name$/)
    })
  })
})

test('a selection is changed after a preview, and Undo spares what was edited since', {
  tag: '@journey',
}, async ({ page }) => {
  const lastName = uniqueLastName()
  for (const [firstName, nstpComponent] of [
    ['Ana', 'ROTC'],
    ['Berta', 'ROTC'],
    ['Carla', 'CWTS'],
  ] as const) {
    await registerStudent(page, { lastName, firstName, nstpComponent })
  }
  await openList(page, lastName, { sort: 'name' })
  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await expect(page.getByText('3 selected')).toBeVisible()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Change \d+ Students?$/ })
  await expect(button(page, 'Change')).toBeDisabled()
  await dialog.getByLabel('New Value').selectOption('LTS')
  await expect(dialog.getByText('3 of 3 change: ROTC 2 → LTS, CWTS 1 → LTS')).toBeVisible()
  await dialog.getByLabel('New Value').selectOption('CWTS')
  await expect(dialog.getByText('2 of 3 change: ROTC 2 → CWTS')).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Change 2 Students').click()
  await expect(page.getByText('2 students changed successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  const row = (firstName: string) => page.getByRole('row', { name: `${lastName}, ${firstName}` })
  await expect(row('Ana').getByText('CWTS')).toBeVisible()
  await expect(button(page, 'More actions')).toBeFocused()

  const list = await page.request.get(`/api/students?${new URLSearchParams({ search: `${lastName} Berta` })}`)
  const { items } = await list.json()
  const edited = await page.request.patch(`/api/students/${items[0].id}`, {
    data: { hobbies: 'Chess' },
    headers: { 'If-Match': '"2"' },
  })
  expect(edited.ok()).toBe(true)
  await button(page, 'Undo').click()
  await expect(
    page.getByText('1 student changed back. 1 was changed since and was not changed back.'),
  ).toBeVisible()
  await expect(row('Ana').getByText('ROTC')).toBeVisible()
  await expect(row('Berta').getByText('CWTS')).toBeVisible()
})

test('a selection is still there after a look at its e-mail, and gone after its archiving and while other students are read', async ({
  page,
}) => {
  const lastName = uniqueLastName()
  for (const firstName of ['Ana', 'Berta', 'Carla']) await registerStudent(page, { lastName, firstName })
  await openList(page, lastName, { sort: 'name' })
  const box = (firstName: string) => page.getByRole('checkbox', { name: `Select ${lastName}, ${firstName}` })
  await box('Ana').check()
  await box('Carla').check()
  await button(page, 'E-mail').click()
  await expect(page.getByText('2 selected students')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible()
  await expect(box('Ana')).toBeChecked()
  await expect(box('Berta')).not.toBeChecked()
  await expect(box('Carla')).toBeChecked()

  const search = page.getByRole('searchbox')
  await search.fill(`${lastName} Ana`)
  await expect(rows(page, /^View/)).toHaveCount(1)
  await expect(box('Ana')).not.toBeChecked()
  await search.fill(lastName)
  await expect(rows(page, /^View/)).toHaveCount(3)
  await expect(box('Carla')).toBeChecked()

  await button(page, 'Archive Selected (2)').click()
  await button(page, 'Archive').click()
  await button(page, 'Undo').click()
  await expect(page.getByText('2 students unarchived successfully')).toBeVisible()
  await expect(box('Ana')).toBeVisible()
  await expect(box('Ana')).not.toBeChecked()
  await test.step('nothing is selected while the list of other filters is being read', async () => {
    const all = page.getByRole('checkbox', { name: /select all/i }).first()
    await all.click()
    await expect(page.getByText('3 selected')).toBeVisible()
    const answer = await holdRequests(page, /\/api\/students\?.*academicYear=/)
    await page.getByLabel('Academic Year').selectOption('2026-2027')
    await expect(all).toBeDisabled()
    await expect(all).not.toBeChecked()
    await expect(page.getByText('3 selected')).toBeHidden()
    await expect(page.getByRole('checkbox', { name: `Select ${lastName}` }).first()).toBeDisabled()
    answer()
    await all.click()
    await expect(page.getByText('3 selected')).toBeVisible()
  })
})
