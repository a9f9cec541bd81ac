import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'
import { actionButton, button, choose, openList, rows } from './student-list.ts'

test.beforeEach(async ({ page }) => {
  await signIn(page)
})

test('an edit is checked with the sentences of the registration, saved, and shows in the list; closing with changes asks first', {
  tag: '@journey',
}, async ({ page }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana', middleName: '' })
  await openList(page, lastName)
  await choose(page, 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Student' })
  await expect(dialog.getByRole('textbox')).toHaveCount(9)
  await expect(dialog.getByRole('combobox')).toHaveCount(4)
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
  await expect(actionButton(page, 'Edit')).toBeFocused()
  await expect(page).not.toHaveURL(/edit=/)
  await test.step('closing with changes asks first; Back, a reload and a sent link lead where they should', async () => {
    await choose(page, 'Edit')
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

    await choose(page, 'Edit')
    await expect(dialog.getByLabel('Address')).not.toHaveValue('Somewhere else')
    await page.reload()
    await expect(dialog.getByLabel('Last Name')).toHaveValue(lastName)
    await button(page, 'Cancel').click()
    await expect(dialog).toBeHidden()
    await expect(actionButton(page, 'Edit')).toBeFocused()
  })
})

test('a birth date and a serial number are corrected, and the trail shows both values', {
  tag: '@journey',
}, async ({ page }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, dateOfBirth: '2007-05-14', guardianName: 'Lorna' })
  await openList(page, lastName)
  await choose(page, 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Student' })
  await dialog.getByText('Address and personal data').click()
  await dialog.getByText('Educational information').click()
  const birthDate = dialog.getByLabel('Date of Birth')
  await expect(birthDate).toHaveValue('2007-05-14')
  await expectAccessible(page)

  // A closed section opens where something in it is to mend.
  await birthDate.fill('2020-05-14')
  await dialog.getByText('Address and personal data').click()
  await expect(birthDate).toBeHidden()
  await button(page, 'Save Changes').click()
  await expect(dialog.getByText('You must be at least 16 years old to register.').last()).toBeVisible()
  await expect(birthDate).toBeFocused()
  await expectAccessible(page)

  await birthDate.fill('2006-05-14')
  await expect(dialog.getByText('You must be at least 16 years old to register.')).toHaveCount(0)
  await dialog.getByLabel('Serial Number').fill('C-03-113719-26')
  await dialog.getByLabel('Year Level').selectOption('2nd Year')
  await dialog.getByText('Parent / guardian').click()
  await dialog.getByLabel("Guardian's Name").fill('Lorna Peña Reyes')
  await button(page, 'Save Changes').click()
  await expect(dialog).toBeHidden()

  await rows(page, /^View/).click()
  const details = page.getByRole('dialog', { name: 'Student Details' })
  for (const text of ['May 14, 2006', 'C-03-113719-26', '2nd Year', 'Lorna Peña Reyes']) {
    await expect(details.getByText(text, { exact: true }).first()).toBeVisible()
  }

  await page.goto('/admin?tab=audit&action=student-edited')
  await page
    .getByRole('button', { name: /^Details: Edited a student/ })
    .first()
    .click()
  await button(page, 'Show old and new values').click()
  await expect(page.getByRole('row', { name: 'Date of Birth May 14, 2007 May 14, 2006' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Serial Number — C-03-113719-26' })).toBeVisible()
  await expect(page.getByRole('row', { name: 'Year Level 1st Year 2nd Year' })).toBeVisible()
})

test('a date of birth that does not exist is called wrong, and a course that is no longer on offer is chosen', async ({
  page,
}) => {
  const { courses } = await (await page.request.get('/api/settings')).json()
  await changeSettings(page.request, { courses: [...courses, 'SOLD'] })
  // Other records hold it.
  await registerStudent(page, { lastName: uniqueLastName(), course: 'SOLD' })
  await changeSettings(page.request, { courses })
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName })
  await openList(page, lastName)
  await choose(page, 'Edit')
  const dialog = page.getByRole('dialog', { name: 'Edit Student' })
  await dialog.getByText('Address and personal data').click()
  const birthDate = dialog.getByLabel('Date of Birth')
  await birthDate.focus()
  await birthDate.pressSequentially('02302007')
  await page.setViewportSize({ width: 390, height: 700 })
  const save = button(page, 'Save Changes')
  await save.click()
  const problem = dialog.getByText('Please enter a valid date of birth.').last()
  await expect(problem).toBeVisible()
  // Not behind the foot of the modal.
  const bottom = async () => {
    const box = await problem.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  expect(await bottom()).toBeLessThan((await save.boundingBox())?.y ?? 0)
  await birthDate.fill('2007-02-28')
  await page.setViewportSize({ width: 1280, height: 800 })
  await dialog.getByLabel('Course').selectOption('SOLD')
  await dialog.getByLabel('NSTP Component').selectOption('LTS')
  await button(page, 'Save Changes').click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('cell', { name: 'SOLD' })).toBeVisible()
})

test.describe('with another change in between', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/409/] })

  test('a stale edit shows the other change and lets the person choose', { tag: '@journey' }, async ({
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
      await choose(person, 'Edit')
      await expect(person.getByLabel('Address')).toHaveValue('First address')
    }

    await other.getByLabel('Address').fill('Their address')
    await other.getByLabel('Course').last().selectOption('SOHM')
    await other.getByText('Address and personal data').click()
    await other.getByLabel('Date of Birth').fill('2006-01-31')
    await button(other, 'Save Changes').click()
    await expect(other.getByRole('dialog')).toBeHidden()
    await otherContext.close()

    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('Address').fill('My address')
    await dialog.getByLabel('First Name').fill('Mine')
    await button(page, 'Save Changes').click()
    const change = dialog.getByRole('region', { name: 'Conflicting changes' })
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

    const birthDate = change.getByRole('group', { name: /^Date of Birth/ })
    await expect(birthDate).toContainText('was: May 14, 2007')
    await expect(birthDate.getByRole('radio', { name: /Jan 31, 2006/ })).toBeChecked()

    await button(page, 'Save Changes').click()
    await expect(change.getByText('Please choose a value.')).toBeVisible()
    await address.getByRole('radio', { name: /Their address/ }).check()
    await address.getByRole('radio', { name: /My address/ }).check()
    await button(page, 'Save Changes').click()
    await expect(dialog).toBeHidden()

    await rows(page, /^View/).click()
    const details = page.getByRole('dialog', { name: 'Student Details' })
    for (const text of ['My address', 'SOHM', 'Mine', 'Jan 31, 2006'])
      await expect(details.getByText(text).first()).toBeVisible()
  })
})

test.describe('with a connection that is lost, or a session that ends', () => {
  test.use({ expectedErrors: [/ERR_FAILED|401/] })

  test('an edit stays and is sent again, and a failed archiving says so at the top of the page', {
    tag: '@phone',
  }, async ({ page }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await openList(page, lastName)
    await choose(page, 'Edit')
    const dialog = page.getByRole('dialog', { name: 'Edit Student' })
    await dialog.getByLabel('Address').fill('Typed without a connection')
    await page.route('**/api/students/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await button(page, 'Save Changes').press('Enter')
    await expect(dialog.getByRole('alert')).toContainText(
      'Failed to update student: We could not reach the server.',
    )
    await expect(page.getByText(/^Failed to update student/)).toHaveCount(1)
    // The address is the last field, and the sentence stands above the first.
    await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 })
    await expect(button(page, 'Save Changes')).toBeFocused()
    await expect(dialog.getByLabel('Address')).toHaveValue('Typed without a connection')
    await page.unroute('**/api/students/*')
    await button(page, 'Save Changes').click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/^Failed to update student/)).toBeHidden()

    await test.step('a session that ends in the middle of an edit takes nothing away', async () => {
      await choose(page, 'Edit')
      await dialog.getByLabel('Address').fill('Typed before the end')
      const cookies = await page.context().cookies()
      await page.context().clearCookies()
      await button(page, 'Save Changes').press('Enter')
      await expect(page.getByRole('log')).toContainText('Your session has ended. Sign in in another tab')
      await expect(
        dialog.getByText('Failed to update student: Authentication required. Please login as admin.'),
      ).toBeVisible()
      await expectAccessible(page)
      await page.context().addCookies(cookies)
      await button(page, 'Save Changes').press('Enter')
      await expect(dialog).toBeHidden()
      await rows(page, /^View/).click()
      const details = page.getByRole('dialog', { name: 'Student Details' })
      await expect(details.getByText('Typed before the end').first()).toBeVisible()
      await page.goBack()
      await expect(details).toBeHidden()
    })

    await page.route('**/api/students/**', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await choose(page, 'Archive')
    await expect(page.getByText(/^Failed to archive student: We could not/)).toBeVisible()
    await page.getByRole('checkbox', { name: `Select ${lastName}` }).check()
    await button(page, 'Archive Selected (1)').click()
    await button(page, 'Archive').click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText(/^Failed to archive selected students: We could not/)).toBeVisible()
    await expectAccessible(page)
  })
})
