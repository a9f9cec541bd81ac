import type { Page } from '@playwright/test'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'

/** Opens the list narrowed down to one last name; `more` are further parameters of the address. */
async function openList(page: Page, lastName: string, more: Record<string, string> = {}) {
  await page.goto(`/admin?${new URLSearchParams({ tab: 'students', search: lastName, ...more })}`)
  // A whole document and its scripts: on a busy machine they take longer than what follows.
  await expect(page.getByRole('button', { name: /^View/ }).first()).toBeVisible({ timeout: 30_000 })
}

async function openArchive(page: Page, lastName: string) {
  await page.goto(`/admin/archived?${new URLSearchParams({ search: lastName })}`)
  await expect(page.getByRole('heading', { name: 'Archived Students', level: 1 })).toBeVisible()
}

function button(page: Page, name: string) {
  return page.getByRole('button', { name, exact: true })
}

/** The rows of a list, told by a button that each has. */
function rows(page: Page, action: RegExp) {
  return page.getByRole('button', { name: action })
}

test.beforeEach(async ({ page }) => {
  await signIn(page)
})

test('an edit is checked with the sentences of the registration, saved, and shows in the list', async ({
  page,
}) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana', middleName: '' })
  await openList(page, lastName)
  await rows(page, /^Edit/).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Student' })
  await expect(dialog.getByRole('textbox')).toHaveCount(8)
  await expect(dialog.getByRole('combobox')).toHaveCount(3)
  await expectAccessible(page)

  await dialog.getByLabel('First Name').fill(' ')
  await dialog.getByLabel('Email').fill('ana@')
  await dialog.locator('[name=contactNumber]').fill('call me')
  await dialog.getByLabel('Emergency Contact Number').fill('none')
  await button(page, 'Save Changes').click()
  for (const sentence of [
    'Please fill in the first name field.',
    'Please enter a valid email address.',
    'Please enter a valid contact number.',
    'Please enter a valid emergency contact number.',
  ]) {
    await expect(dialog.getByText(sentence).last()).toBeVisible()
  }
  await expect(dialog.getByLabel('First Name')).toBeFocused()
  await expectAccessible(page)

  await dialog.getByLabel('First Name').fill('Anabel')
  await dialog.getByLabel('Email').fill('anabel@example.ph')
  await dialog.locator('[name=contactNumber]').fill('0917 000 1111')
  await dialog.getByLabel('Emergency Contact Number').fill('0918 000 2222')
  await dialog.getByLabel('Course').selectOption('SOTE')
  await dialog.getByLabel('Sex').selectOption('Female')
  await button(page, 'Save Changes').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(`${lastName}, Anabel`).first()).toBeVisible()
  await expect(rows(page, /^Edit/)).toBeFocused()
  await expect(page).not.toHaveURL(/edit=/)
})

test('closing with changes asks first; Back, a reload and a sent link lead where they should', async ({
  page,
}) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName })
  await openList(page, lastName)
  await rows(page, /^Edit/).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Student' })
  await dialog.getByLabel('Address').fill('Somewhere else')

  const prompt = page.getByRole('dialog', { name: 'Discard your changes?' })
  await page.keyboard.press('Escape')
  await expect(prompt).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Keep editing').click()
  await expect(dialog.getByLabel('Address')).toHaveValue('Somewhere else')
  await page.goBack()
  await expect(prompt).toBeVisible()
  await button(page, 'Discard changes').click()
  await expect(dialog).toBeHidden()

  await rows(page, /^Edit/).click()
  await expect(dialog.getByLabel('Address')).not.toHaveValue('Somewhere else')
  await page.reload()
  await expect(dialog.getByLabel('Last Name')).toHaveValue(lastName)
  await button(page, 'Cancel').click()
  await expect(dialog).toBeHidden()
  await expect(rows(page, /^Edit/)).toBeFocused()
})

test.describe('with another change in between', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/409/] })

  test('a stale edit shows the other change and lets the person choose', async ({
    page,
    browser,
    product,
  }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName, course: 'SOICT', address: 'First address' })
    const otherContext = await browser.newContext({ baseURL: product.url })
    const other = await otherContext.newPage()
    await signIn(other)
    for (const person of [page, other]) {
      await openList(person, lastName)
      await rows(person, /^Edit/).click()
      await expect(person.getByLabel('Address')).toHaveValue('First address')
    }

    await other.getByLabel('Address').fill('Their address')
    await other.getByLabel('Course').last().selectOption('SOHM')
    await button(other, 'Save Changes').click()
    await expect(other.getByRole('dialog')).toBeHidden()
    await otherContext.close()

    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('Address').fill('My address')
    await dialog.getByLabel('First Name').fill('Mine')
    await button(page, 'Save Changes').click()
    const change = dialog.getByRole('region', { name: 'Another change of this record' })
    await expect(change).toBeFocused()
    await expectAccessible(page)
    const address = change.getByRole('group', { name: /^Address/ })
    await expect(address).toContainText('was: First address')
    await expect(address.getByRole('radio', { name: /Their address/ })).not.toBeChecked()
    await expect(address.getByRole('radio', { name: /My address/ })).not.toBeChecked()
    // Only the other side changed the course: that is taken over.
    await expect(
      change.getByRole('group', { name: /^Course/ }).getByRole('radio', { name: /SOHM/ }),
    ).toBeChecked()

    await button(page, 'Save Changes').click()
    await expect(change.getByText('Please choose which one to keep.')).toBeVisible()
    await address.getByRole('radio', { name: /Their address/ }).check()
    await address.getByRole('radio', { name: /My address/ }).check()
    await button(page, 'Save Changes').click()
    await expect(dialog).toBeHidden()

    await rows(page, /^View/).click()
    const details = page.getByRole('dialog', { name: 'Student Details' })
    for (const text of ['My address', 'SOHM', 'Mine'])
      await expect(details.getByText(text).first()).toBeVisible()
  })
})

test.describe('with a session that ends in the middle of an edit', () => {
  test.use({ expectedErrors: [/401/] })

  test('nothing typed is lost', async ({ page }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await openList(page, lastName)
    await rows(page, /^Edit/).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('Address').fill('Typed before the end')
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await button(page, 'Save Changes').click()
    await expect(dialog.getByText('Your session has ended.')).toBeVisible()
    await expect(
      dialog.getByText('Failed to update student: Authentication required. Please login as admin.'),
    ).toBeVisible()
    await expectAccessible(page)
    await page.context().addCookies(cookies)
    await button(page, 'Save Changes').click()
    await expect(dialog).toBeHidden()
    await rows(page, /^View/).click()
    await expect(page.getByText('Typed before the end')).toBeVisible()
  })
})

test.describe('with a connection that is lost', () => {
  test.use({ expectedErrors: [/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to load resource/] })

  test('an edit stays and is sent again; the banner over the list says what went wrong', async ({ page }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await openList(page, lastName)
    await rows(page, /^Edit/).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('Address').fill('Typed without a connection')
    await page.route('**/api/students/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await button(page, 'Save Changes').click()
    await expect(dialog.getByText(/^Failed to update student: We could not reach the server/)).toBeVisible()
    await expect(dialog.getByLabel('Address')).toHaveValue('Typed without a connection')
    await page.unroute('**/api/students/*')
    await button(page, 'Save Changes').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/^Failed to update student/)).toBeHidden()
  })

  test('a failed archiving says so at the top of the page', async ({ page }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await openList(page, lastName)
    await page.route('**/api/students/**', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await rows(page, /^Archive/).click()
    await expect(page.getByText(/^Failed to archive student: We could not/)).toBeVisible()
    await page.getByRole('checkbox', { name: `Select ${lastName}` }).check()
    await button(page, 'Archive Selected (1)').click()
    await button(page, 'Archive').click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText(/^Failed to archive selected students: We could not/)).toBeVisible()
    await expectAccessible(page)
  })
})

test('select all archives every page, and Undo puts exactly these back', async ({ page }) => {
  test.slow()
  const lastName = uniqueLastName()
  const earlier = `${lastName} Earlier`
  await registerStudent(page, { lastName: earlier })
  await openList(page, lastName)
  await rows(page, /^Archive/).click()
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
  await expect(dialog.getByText('Are you sure you want to archive 60 student(s)?')).toBeVisible()
  await expect(dialog.getByText('This will move them to the archived students section.')).toBeVisible()
  await expectAccessible(page)
  await button(page, 'Archive').click()
  await page.waitForURL(/\/admin\/archived$/)
  await expect(page.getByText('60 students archived successfully')).toBeVisible()

  await button(page, 'Undo').click()
  await expect(page.getByText('60 students unarchived successfully')).toBeVisible()
  await openArchive(page, lastName)
  await expect(page.getByText('1 student', { exact: true })).toBeVisible()
  await expect(page.getByText(earlier, { exact: false }).first()).toBeVisible()
  await openList(page, lastName)
  await expect(page.getByText('61 students', { exact: true })).toBeVisible()
})

test('one student is archived, unarchived and deleted', async ({ page }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana' })
  await registerStudent(page, { lastName, firstName: 'Berta' })
  await openList(page, lastName, { sort: 'name' })
  await page.getByRole('button', { name: `Archive ${lastName}, Berta` }).click()
  await page.waitForURL(/\/admin\/archived$/)
  await expect(page.getByText('Student archived successfully')).toBeVisible()

  await openList(page, lastName, { archive: 'all', sort: 'name' })
  await expect(rows(page, /^View/)).toHaveCount(2)
  await page.getByRole('button', { name: `Unarchive ${lastName}, Berta` }).click()
  await expect(page.getByText('Student unarchived successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: `Archive ${lastName}, Berta` })).toBeVisible()

  await page.getByRole('button', { name: `Delete ${lastName}, Ana` }).click()
  const dialog = page.getByRole('dialog')
  await expect(
    dialog.getByText(
      `Are you sure you want to delete Ana ${lastName}'s record? This action cannot be undone.`,
    ),
  ).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: `Delete ${lastName}, Ana` })).toBeFocused()
  await page.keyboard.press('Enter')
  await button(page, 'Delete').click()
  await expect(page.getByText('Student deleted successfully')).toBeVisible()
  await expect(rows(page, /^View/)).toHaveCount(1)
  // The row in its place has the focus now.
  await expect(page.getByRole('button', { name: `Delete ${lastName}, Berta` })).toBeFocused()
})

test('the archive: texts, search, form, unarchive, permanent delete', async ({ page }) => {
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
  await page.waitForURL(/\/admin\/archived$/)

  await page.getByPlaceholder('Search by name or course').fill(lastName)
  await page.waitForURL(/search=/)
  await expect(rows(page, /^Unarchive/)).toHaveCount(2)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'ROTC', exact: true }).click()
  await expect(rows(page, /^Unarchive/)).toHaveCount(1)
  await page.reload()
  await expect(rows(page, /^Unarchive/)).toHaveCount(1)

  await rows(page, /^Print Form/).click()
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
  await expect(rows(page, /^Print Form/)).toBeFocused()

  await rows(page, /^Unarchive/).click()
  await expect(page.getByText('Student unarchived successfully')).toBeVisible()
  await expect(page.getByText('No matching students found.')).toBeVisible()
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await rows(page, /^Delete/).click()
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
})

test('the archive is for the administrator only', async ({ page }) => {
  await page.context().clearCookies()
  await page.goto('/admin/archived')
  await expect(page).toHaveURL(/\/login/)
})

test('the sheets of a selection are one print job, in the order of the list', async ({ page }) => {
  const lastName = uniqueLastName()
  for (const [firstName, nstpComponent] of [
    ['Carla', 'CWTS'],
    ['Ana', 'ROTC'],
    ['Berta', 'CWTS'],
  ] as const) {
    await registerStudent(page, { lastName, firstName, nstpComponent })
  }
  // Headless Chromium "prints" at once and the window would close before it is read.
  await page.context().addInitScript(() => {
    window.print = () => undefined
  })
  await openList(page, lastName, { sort: 'name' })
  await page.getByRole('checkbox', { name: `Select ${lastName}, Carla` }).check()
  await page.getByRole('checkbox', { name: `Select ${lastName}, Ana` }).check()
  await page.getByRole('checkbox', { name: `Select ${lastName}, Berta` }).check()
  const opened = page.waitForEvent('popup')
  await button(page, 'Print Sheets (3)').click()
  const popup = await opened
  await expect(popup.locator('[data-sheet]')).toHaveCount(3)
  const texts = await popup.locator('[data-sheet]').allTextContents()
  expect(texts.map((text) => /Ana|Berta|Carla/.exec(text)?.[0])).toEqual(['Ana', 'Berta', 'Carla'])
  expect(await popup.title()).toBe('ROTC and CWTS Forms')
  await popup.close()
})

test('the list of the archive prints with its own columns', async ({ page }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName })
  await openList(page, lastName)
  await rows(page, /^Archive/).click()
  await page.waitForURL(/\/admin\/archived$/)
  await page.addInitScript(() => {
    window.print = () => undefined
  })
  await openArchive(page, lastName)
  await expect(rows(page, /^Unarchive/)).toHaveCount(1)
  await button(page, 'Print List').click()
  const heads = page.locator('.print-list thead th')
  await expect(heads).toHaveText([
    'No.',
    'Name',
    'Course',
    'NSTP Component',
    'Academic Year',
    'Archived Date',
  ])
})
