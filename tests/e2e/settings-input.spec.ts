import { officeSettings } from '#tests/setup/office-settings.ts'
import { changeSettings } from './change-settings.ts'
import { expect, expectAccessible, test } from './journey.ts'
import { openSettings, section } from './settings-page.ts'

test('a text that is too long stays as it was pasted; a time that is typed in part never means that there is no limit', async ({
  page,
}) => {
  await openSettings(page)
  const pasted = 'Bachelor of Science in Information Technology, '.repeat(200)
  const courses = await section(page, 'Courses')
  await courses.getByLabel('Course 1').focus()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(pasted)
  await page.keyboard.press('Enter')
  await expect(
    courses.getByText('Please shorten the name of the course to 60 characters or fewer.'),
  ).toBeVisible()
  await expect(courses.getByText('9,400 of 60 characters')).toBeVisible()
  await expect(courses.getByLabel('Course 1')).toBeFocused()
  await expect(courses.getByLabel('Course 1')).toHaveValue(pasted)

  await (await section(page, 'Enlistment')).getByLabel('Is enlistment open?').selectOption({ index: 0 })
  for (const [title, label, sentence] of [
    ['Names', 'School name', 'Please shorten the school name to 120 characters or fewer.'],
    ['Semesters', 'Semester 1', 'Please shorten the name of the semester to 80 characters or fewer.'],
    [
      'Enlistment',
      'Message to students',
      'Please shorten the message to students to 300 characters or fewer.',
    ],
    [
      'Academic years',
      'Academic year 1',
      'Please enter the academic year as two consecutive years, such as 2026-2027.',
    ],
    ['Banner', 'Text under the title', 'Please shorten the text under the title to 300 characters or fewer.'],
  ] as const) {
    const part = await section(page, title)
    const field = part.getByRole('textbox', { name: label })
    await field.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(pasted)
    await part.getByRole('button', { name: 'Save' }).click()
    await expect(part.getByText(sentence)).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(pasted)
  }
  // The bar at the top covers a part of what is scrolled under it, which counts as too small a target.
  await page.evaluate(() => window.scrollTo(0, 0))
  await expectAccessible(page)
  await openSettings(page)
  await test.step('a time typed in part; a number', async () => {
    const window = await section(page, 'Enlistment')
    const save = window.getByRole('button', { name: 'Save' })
    await window.getByLabel('Is enlistment open?').selectOption('Open between dates')
    const opens = window.getByLabel('Opens')
    const closes = window.getByLabel('Closes')
    const needed = /Please enter a date and a time, or leave it empty\./
    await closes.fill('2099-06-30T17:00')
    await opens.focus()
    await page.keyboard.type('06')
    await save.click()
    await expect(opens).toHaveAccessibleDescription(needed)
    await expect(opens).toBeFocused()
    await expectAccessible(page)
    await opens.fill('')
    await save.click()
    await expect(page.getByText('Enlistment updated successfully')).toBeVisible()

    await closes.focus()
    await page.keyboard.press('Delete')
    await save.press('Enter')
    await expect(closes).toHaveAccessibleDescription(needed)
    const { enlistment } = await (await page.request.get('/api/settings')).json()
    expect(enlistment).toMatchObject({ state: 'dates', opensAt: '', closesAt: '2099-06-30T17:00' })

    await test.step('a number', async () => {
      const limits = await section(page, 'E-mail limits')
      const perDay = limits.getByLabel('E-mails per day')
      await perDay.fill('a thousand')
      await limits.getByRole('button', { name: 'Save' }).click()
      await expect(
        limits.getByText('Please enter the e-mails per day as a whole number from 1 to 1,000,000.'),
      ).toBeVisible()
      await expect(perDay).toBeFocused()
      await expect(perDay).toHaveValue('a thousand')
      await perDay.fill('1,000')
      await limits.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('E-mail limits updated successfully')).toBeVisible()
      expect(await (await page.request.get('/api/settings')).json()).toMatchObject({ mailPerDay: 1000 })
      await perDay.fill('2,000')
      await limits.getByRole('button', { name: 'Discard changes' }).click()
      await expect(perDay).toHaveValue('1000')
      await changeSettings(page.request, { mailPerDay: 450 })
      await expect(perDay).toHaveValue('450')
    })
    await changeSettings(page.request, { enlistment: officeSettings.enlistment })
  })
})

test.describe('when the network fails', () => {
  // The browser itself reports the failures.
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/] })

  test('after the save arrived, the screen finds that out, and its own change is no conflict', async ({
    page,
  }) => {
    await openSettings(page)
    const names = await section(page, 'Names')
    const school = names.getByLabel('School name')
    await page.route('**/api/settings', async (route) => {
      if (route.request().method() !== 'PATCH') return await route.continue()
      await route.fetch()
      await route.abort()
    })
    await school.fill('Santa Rosa College')
    await names.getByRole('button', { name: 'Save' }).click()
    await expect(names.getByText('Unsaved changes')).toBeHidden()
    await expect(names.getByRole('alert')).toBeHidden()
    await page.unroute('**/api/settings')

    await school.fill('Santa Rosa Colleges')
    await expect(names.getByText('Unsaved changes')).toBeVisible()
    await expect(names.getByRole('alert')).toBeHidden()
    await names.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Names updated successfully')).toBeVisible()
    await changeSettings(page.request, { schoolName: '' })
  })
})
