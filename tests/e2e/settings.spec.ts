import { buildImage } from '#tests/factories/images.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { officeSettings } from '#tests/setup/office-settings.ts'
import { changeSettings } from './change-settings.ts'
import { putEnlistment, registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, test } from './journey.ts'
import { openSettings, section } from './settings-page.ts'

test('a removed course is gone from the form, also from an open one, and its records are as they were', async ({
  page,
  context,
  expectedErrors,
}) => {
  // The browser itself reports the refusal.
  expectedErrors.push(/422/)
  const form = await context.newPage()
  const typed = uniqueLastName()
  await form.goto('/register')
  await putEnlistment(form, { lastName: typed, course: 'SOTE', academicYear: '2026-2027' })
  await openSettings(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, course: 'SOTE', academicYear: '2023-2024' })

  const courses = await section(page, 'Courses')
  await courses.getByRole('button', { name: 'Remove SOTE' }).click()
  await courses.getByRole('button', { name: 'Add a course' }).click()
  // The new entry has the focus.
  await expect(courses.locator('input:focus')).toHaveValue('')
  await page.keyboard.type('BS Nursing')
  await courses.getByRole('button', { name: 'Move BS Nursing up' }).click()
  await courses.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Courses updated successfully')).toBeVisible()
  const years = await section(page, 'Academic years')
  await years.getByRole('button', { name: 'Remove 2023-2024' }).click()
  await years.getByRole('button', { name: 'Add 2028-2029' }).click()
  await years.getByLabel('Current academic year').selectOption('2028-2029')
  await years.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Academic years updated successfully')).toBeVisible()

  const offered = ['Choose…', 'SOICT', 'SOBM', 'SOHM', 'BS Nursing', 'SOCJ']
  await test.step('the student reads why, finds the courses of now, and loses nothing else', async () => {
    const course = form.locator('[name="course"]')
    await expect(course).toHaveValue('SOTE')
    await form.getByRole('button', { name: 'Submit Registration' }).click()
    await expect(form.getByText('Please choose one of the listed options for course.').last()).toBeVisible()
    await expect(course.locator('option')).toHaveText(offered)
    await expect(course).toHaveValue('')
    await expect(form.locator('[name="lastName"]')).toHaveValue(typed)
    await course.selectOption('BS Nursing')
    await form.getByRole('button', { name: 'Submit Registration' }).click()
    await expect(form.getByText(/Registration successful!/).first()).toBeVisible()
    await form.close()
  })

  await page.goto('/register')
  await expect(page.locator('[name="course"] option')).toHaveText(offered)
  await expect(page.locator('[name="academicYear"]')).toHaveValue('2028-2029')

  await page.goto(`/admin?tab=students&academicYear=2023-2024&search=${encodeURIComponent(lastName)}`)
  await page.getByRole('button', { name: /^View/ }).first().click()
  const details = page.getByRole('dialog', { name: 'Student Details' })
  await expect(details.getByText('SOTE').first()).toBeVisible()
  await details.getByRole('button', { name: /^Show (ROTC|CWTS) Form/ }).click()
  await expect(details.getByRole('article')).toContainText('SOTE')
  await changeSettings(page.request, {
    courses: ['SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE'],
    academicYears: ['2023-2024', '2024-2025', '2025-2026', '2026-2027', '2027-2028'],
    currentAcademicYear: '',
  })
})

test('enlistment opens and closes by itself, and says when', { tag: '@journey' }, async ({
  page,
  browser,
  product,
}) => {
  const visitors = await browser.newContext({ baseURL: product.url })
  const visitor = await visitors.newPage()
  await openSettings(page)
  const window = await section(page, 'Enlistment')
  const save = window.getByRole('button', { name: 'Save' })
  await window.getByLabel('Is enlistment open?').selectOption('Open between dates')
  await save.click()
  await expect(window.getByText('Please enter when enlistment opens, when it closes, or both.')).toBeVisible()
  await window.getByLabel('Opens').fill('2099-06-01T08:00')
  await window.getByLabel('Closes').fill('2099-05-01T08:00')
  await save.click()
  await expect(window.getByText('Please choose a time after the opening.')).toBeVisible()
  await window.getByLabel('Closes').fill('2099-06-30T17:00')
  await save.click()
  await expect(page.getByText('Enlistment updated successfully')).toBeVisible()

  const opens = 'Enlistment opens on June 1, 2099 at 8:00 AM.'
  await visitor.goto('/')
  // In the banner, and at the foot where one would begin.
  await expect(visitor.getByText(opens)).toHaveCount(2)
  await visitor.goto('/register')
  await expect(visitor.getByRole('heading', { name: 'Registration is closed' })).toBeVisible()
  await expect(visitor.getByText(opens)).toBeVisible()
  await expectAccessible(visitor)

  await window.getByLabel('Opens').fill('')
  await save.click()
  // The form appears on the open page.
  await expect(visitor.locator('[name="lastName"]')).toBeVisible()
  await visitor.goto('/')
  const until = visitor.getByText('Enlist until June 30, 2099 at 5:00 PM.')
  await expect(until).toHaveCount(2)
  await visitor.goto('/announcements')
  await expect(until).toBeVisible()
  await expectAccessible(visitor)
  await changeSettings(page.request, { enlistment: officeSettings.enlistment })
  // Also from the open page.
  await expect(until).toHaveCount(0)
  await visitors.close()
})

test('maintenance mode closes the admin screens without losing input', { tag: '@journey' }, async ({
  page,
  browser,
  product,
}) => {
  test.slow()
  const sentence = 'We are moving offices. Please come back on Monday.'
  const students = await browser.newContext({ baseURL: product.url })
  const form = await students.newPage()
  const lastName = uniqueLastName()
  await form.goto('/register')
  await putEnlistment(form, { lastName })

  await openSettings(page)
  const maintenance = await section(page, 'Enlistment')
  await maintenance.getByLabel('Is enlistment open?').selectOption('Closed (Maintenance Mode)')
  await maintenance.getByLabel('Message to students').fill(sentence)
  await maintenance.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Enlistment', exact: true }).first()).toContainText(sentence)

  await expect(form.getByText('Registration has closed.')).toBeVisible()
  await expectAccessible(form)
  await form.getByRole('button', { name: 'Submit registration' }).click()
  await expect(form.getByText(`Failed to register: ${sentence}`).first()).toBeVisible()
  await expect(form.locator('[name="lastName"]')).toHaveValue(lastName)

  const late = await students.newPage()
  await late.goto('/register')
  await expect(late.getByRole('heading', { name: 'Registration is closed' })).toBeVisible()
  await expect(late.getByText(sentence)).toBeVisible()
  await expectAccessible(late)

  await maintenance.getByLabel('Is enlistment open?').selectOption('Open')
  await maintenance.getByRole('button', { name: 'Save' }).click()
  await expect(late.locator('[name="lastName"]')).toBeVisible()
  await expect(form.getByText('Registration has closed.')).toBeHidden()
  await form.getByRole('button', { name: 'Try again' }).click()
  await expect(form.getByRole('heading', { name: /Registration successful/ })).toBeVisible()
  await students.close()
})

test.describe('another change in between', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/409/] })

  test('a change somewhere else is shown beside what is typed, and the person chooses', async ({ page }) => {
    test.slow()
    await openSettings(page)
    const courses = await section(page, 'Courses')
    await courses.getByLabel('Course 1').fill('My course')
    await changeSettings(page.request, { courses: ['Their course', 'SOBM'], schoolName: 'Elsewhere College' })

    // What isn't typed in follows at once.
    await expect((await section(page, 'Names')).getByLabel('School name')).toHaveValue('Elsewhere College')
    await expect(page.getByRole('link', { name: 'Enlistment not saved' })).toBeVisible()
    await section(page, 'Courses')
    await expect(courses.getByLabel('Course 1')).toHaveValue('My course')
    await courses.getByRole('button', { name: 'Save' }).click()
    const conflict = courses.getByRole('region', { name: 'Conflicting changes' })
    await expect(conflict).toContainText('Their course, SOBM')
    await expect(courses.getByLabel('Course 1')).toHaveValue('My course')
    // The bar at the top covers a part of what is scrolled under it, which counts as too small a target.
    await page.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(page)

    // Leaving asks, as nothing is saved.
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await conflict.getByRole('radio', { name: /My course/ }).check()
    await courses.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Courses updated successfully')).toBeVisible()
    const names = await section(page, 'Names')
    await names.getByLabel('School name').fill('Santa Rosa')
    await expect(names.getByText('Unsaved changes')).toBeVisible()
    await names.getByRole('button', { name: 'Discard changes' }).click()
    await expect(names.getByLabel('School name')).toHaveValue('Elsewhere College')
    await expect(names.getByRole('button', { name: 'Save' })).toBeFocused()
    const { courses: saved } = await (await page.request.get('/api/settings')).json()
    expect(saved).toEqual(['My course', 'SOBM', 'SOHM', 'SOCJ', 'SOTE'])
    await changeSettings(page.request, {
      courses: ['SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE'],
      schoolName: '',
    })
  })
})

test.describe('the logo', () => {
  test.use({ expectedErrors: [/422/] })

  test('is uploaded, shown on open pages and on the sheets, and removed', async ({
    page,
    browser,
    product,
  }) => {
    const visitors = await browser.newContext({ baseURL: product.url })
    const home = await visitors.newPage()
    await home.goto('/')
    await openSettings(page)
    await section(page, 'Names')
    const picker = page.getByLabel('Logo file')
    const type = 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)'
    await picker.setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
    await expect(page.getByText(type)).toBeVisible()
    await picker.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
    await expect(page.getByText(type)).toBeVisible()
    const large = Buffer.alloc(2 * 1024 * 1024 + 1)
    await picker.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: large })
    await expect(page.getByText('Image file is too large. Maximum size is 2MB.')).toBeVisible()

    const buffer = await buildImage('png', { width: 400, height: 400 })
    await picker.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await expect(page.getByText('Logo updated successfully')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Current logo' })).toBeVisible()
    const logo = home.getByRole('banner').locator('img')
    await expect(logo).toBeVisible()
    await expect(logo).toHaveJSProperty('naturalWidth', 400)

    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await page.goto(`/admin?tab=students&search=${encodeURIComponent(lastName)}`)
    await page.getByRole('button', { name: /^View/ }).first().click()
    await page.getByRole('button', { name: /^Show (ROTC|CWTS) Form/ }).click()
    await expect(page.locator('.sheet-logo')).toBeVisible()

    await page.goto('/admin?tab=system-settings#logo')
    await page.getByRole('button', { name: 'Remove the logo file' }).click()
    await expect(page.getByText('Logo removed successfully')).toBeVisible()
    await expect(logo).toBeHidden()
    await visitors.close()
  })
})

test('entries are added and removed by the keyboard, and the period of old records is confirmed and told', async ({
  page,
  product,
}) => {
  await queryDatabase(
    product.dataDir,
    `insert into clean_ups (at) values (now() - interval '60 days')
     on conflict (only_row) do update set at = excluded.at`,
  )
  await openSettings(page)
  const search = page.locator('#settings-search')
  await search.fill('audit months')
  await search.press('Enter')
  await expect(page.getByLabel('Months to keep the audit trail')).toBeFocused()
  await test.step('features and semesters', async () => {
    const features = await section(page, 'Features')
    await features.getByRole('button', { name: 'Add a feature' }).press('Enter')
    const added = features.getByRole('group', { name: 'Feature 5' })
    await expect(added.getByLabel('Title')).toBeFocused()
    await features.getByRole('button', { name: 'Remove Feature 5' }).press('Enter')
    await expect(features.getByRole('button', { name: 'Remove Feature 4' })).toBeFocused()
    const semesters = await section(page, 'Semesters')
    await semesters.getByRole('button', { name: 'Add a semester' }).press('Enter')
    await expect(semesters.getByRole('textbox', { name: 'Semester 3' })).toBeFocused()
    await page.keyboard.type('Intersession')
    await semesters.getByRole('button', { name: 'Remove Intersession' }).press('Enter')
    await expect(semesters.getByRole('button', { name: /^Remove/ }).nth(1)).toBeFocused()
  })
  const retention = await section(page, 'Retention')
  await test.step('a date far from the last clean-up is confirmed first', async () => {
    await expect(
      retention.getByText('Nothing is deleted automatically until you confirm the date.'),
    ).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, 0))
    await expectAccessible(page)
    await retention.getByRole('button', { name: 'Confirm date' }).click()
    await expect(page.getByText('The date was confirmed.')).toBeVisible()
    await expect(retention.getByRole('button', { name: 'Confirm date' })).toBeHidden()
  })
  await expect(retention.getByText(/No records were archived before .* \(10 years ago\)/)).toBeVisible()
  await retention.getByLabel('Years to keep records').fill('0')
  await retention.getByRole('button', { name: 'Save' }).click()
  await expect(
    retention.getByText('Please enter the years to keep records as a whole number from 1 to 100.'),
  ).toBeVisible()
  await retention.getByLabel('Years to keep records').fill('7')
  await retention.getByRole('button', { name: 'Save' }).click()
  await expect(retention.getByText(/\(7 years ago\)/)).toBeVisible()
  await page.goto('/privacy')
  await expect(page.getByText('keeps it for 7 years after that')).toBeVisible()
  await changeSettings(page.request, { recordRetentionYears: 10 })
})
