import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminEmail, adminPassword } from '#tests/setup/administrator.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import {
  chooseAction,
  dismissNotice,
  expect,
  expectAccessible,
  expectReady,
  signIn,
  test,
} from './journey.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

const lastName = uniqueLastName()
const term = "'0198f4b2-0000-7000-8000-000000000011'"
const section = "'0198f4b2-0000-7000-8000-000000000013'"

/** A term of the past, so that its days can be closed. */
async function storeTerm(dataDir: string) {
  for (const statement of [
    'delete from attendance_calls',
    'delete from attendance',
    'delete from training_days',
    'delete from enrolments',
    'delete from sections',
    'delete from terms',
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2025-2026', 1, '2025-08-04', '2025-08-17', 'open', now())`,
    `insert into sections (id, term_id, component, level, name, capacity, position)
      values (${section}, ${term}, 'CWTS', 1, 'Section 1', 60, 0)`,
    `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
      select gen_random_uuid(), ${term}, id, 'CWTS', 1, ${section}, '2025-08-04', 'new' from students
      where last_name like '${lastName}%'`,
  ]) {
    await queryDatabase(dataDir, statement)
  }
}

const cellOf = (page: Page, end: string, day: string) =>
  page.getByRole('button', { name: new RegExp(`^${lastName}${end}.*${day}`) })

const pane = '/admin?tab=terms&pane=attendance&component=CWTS&level=1'

test('days are added by weekdays, called at the desk, closed, and who is near is listed', {
  tag: '@journey',
}, async ({ page, product }) => {
  for (const end of ['A', 'B', 'C']) {
    await registerStudent(page, { lastName: `${lastName}${end}`, nstpComponent: 'CWTS' })
  }
  await storeTerm(product.dataDir)
  await signIn(page)
  await page.goto(pane)
  await expectReady(page)
  await page.getByRole('button', { name: 'Add training days' }).click()
  const adding = page.getByRole('dialog', { name: 'Training days of CWTS' })
  await adding.getByRole('button', { name: 'Saturday' }).click()
  await adding.getByRole('button', { name: 'Add training days' }).click()
  await expect(adding.getByRole('group', { name: 'Weekdays' })).toContainText(
    'Please choose at least one day.',
  )
  await expect(adding.getByRole('button', { name: 'Saturday' })).toBeFocused()
  await adding.getByRole('button', { name: 'Saturday' }).click()
  await expect(adding.getByText('2 days in the term')).toBeVisible()
  await adding.getByRole('button', { name: 'Sunday' }).click()
  await adding.getByRole('button', { name: 'Sun, Aug 17' }).click()
  await expect(adding.getByText('3 days in the term')).toBeVisible()
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Add training days' }).click()
  await dismissNotice(page, '3 training days added')

  // The grid begins at the last day until today.
  await cellOf(page, 'A', 'Aug 9').click()
  await page.keyboard.press('p')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('l')
  await page.keyboard.press('1')
  await page.keyboard.press('5')
  await expect(cellOf(page, 'B', 'Aug 9')).toHaveText('L15')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('e')
  const excusing = page.getByRole('dialog', { name: 'Why is the absence excused?' })
  await excusing.getByLabel('Ground').selectOption('Family')
  await excusing.getByRole('button', { name: 'Excuse' }).click()
  await expect(cellOf(page, 'C', 'Aug 9')).toHaveText('E')
  // A whole day at once, then one of it.
  await page.getByRole('button', { name: /Aug 10, 2025, planned/ }).click()
  await page.keyboard.press('p')
  await cellOf(page, 'C', 'Aug 10').click()
  await page.keyboard.press('a')
  await expect(cellOf(page, 'C', 'Aug 10')).toHaveText('A')
  await expectAccessible(page)
  await expect
    .poll(() =>
      queryDatabase(product.dataDir, 'select state, minutes, ground from attendance order by 1, 2, 3'),
    )
    .toEqual([
      { state: 'absent', minutes: null, ground: '' },
      { state: 'excused', minutes: null, ground: 'family' },
      { state: 'late', minutes: 15, ground: '' },
      { state: 'present', minutes: null, ground: '' },
      { state: 'present', minutes: null, ground: '' },
      { state: 'present', minutes: null, ground: '' },
    ])

  await page.getByRole('button', { name: 'Limits' }).click()
  const limits = page.getByRole('dialog', { name: 'Limits of CWTS' })
  await limits.getByRole('button', { name: '2 absences or 8 hours' }).click()
  await expectAccessible(page)
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await dismissNotice(page, 'Limits saved')
  await page.getByRole('button', { name: 'Near' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${lastName}C.*Near`) })).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveCount(1)

  await page.getByRole('button', { name: 'Days', exact: true }).click()
  // The same form again adds no day twice.
  await page.getByRole('button', { name: 'Add training days' }).click()
  await expect(adding.getByText('0 days in the term')).toBeVisible()
  await adding.getByRole('button', { name: 'Cancel' }).click()

  // Nobody called the last day.
  await chooseAction(page, 'Sat, Aug 16, 2025', 'Close…')
  const closing = page.getByRole('dialog', { name: 'Close Sat, Aug 16, 2025' })
  await closing.getByLabel('Section 1 (3 students)').selectOption('All absent')
  await expectAccessible(page)
  await closing.getByRole('button', { name: 'Close with 3 students absent' }).click()
  await expect(page.getByText('Training day closed: 3 students absent')).toBeVisible()
  await expect(page.getByRole('row', { name: /Aug 16, 2025/ })).toContainText('3 absent')
  await page.getByRole('button', { name: 'Roll', exact: true }).click()
  await page.getByRole('button', { name: 'Over' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`${lastName}C.*Over`) })).toBeVisible()

  // Its students are told by a bulk e-mail.
  await page.getByRole('button', { name: 'Days', exact: true }).click()
  await chooseAction(page, 'Sun, Aug 10, 2025', 'Cancel the day…')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the day' }).click()
  await page.getByRole('button', { name: 'E-mail the students' }).click()
  await expect(page.getByText('3 selected students')).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue('No training on Sunday, Aug 10, 2025')
  await page.goto(`${pane}&view=days`)
  await expectReady(page)
  await chooseAction(page, 'Sun, Aug 10, 2025', 'Restore the day')
  await expect(page.getByRole('row', { name: /Aug 10, 2025/ })).toContainText('Planned')
})

test('a block of a spreadsheet is pasted into the roll', { tag: '@journey' }, async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await queryDatabase(product.dataDir, 'delete from attendance')
  await signIn(page)
  await page.goto(pane)
  await expectReady(page)
  // In the last row the second cell can't be read, and the third belongs to no day.
  await page.evaluate(() => navigator.clipboard.writeText('P\r\na\tX\tP\r\n'))
  await cellOf(page, 'B', 'Aug 10').click()
  await page.keyboard.press('Control+v')
  await dismissNotice(page, '2 cells pasted, 2 left out: P, L, A and E go to days and students of the list')
  await expect(cellOf(page, 'B', 'Aug 10')).toHaveText('P')
  await expect(cellOf(page, 'C', 'Aug 10')).toHaveText('A')
  await expect
    .poll(() => queryDatabase(product.dataDir, 'select state from attendance order by 1'))
    .toEqual([{ state: 'absent' }, { state: 'present' }])
})

test('a roll is called on a phone', { tag: '@journey' }, async ({ page, product }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await queryDatabase(product.dataDir, 'delete from attendance')
  await signIn(page)
  await page.goto(pane)
  await expectReady(page)
  await page.getByRole('combobox', { name: 'Day' }).selectOption('Sat, Aug 9, 2025')
  const rowOf = (end: string) => page.getByRole('button', { name: new RegExp(`^${lastName}${end}`) })
  await rowOf('A').click()
  await rowOf('B').click()
  await rowOf('B').click()
  await expect(rowOf('B')).toContainText('late')
  // A tap too many leads on to present.
  await rowOf('B').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Present' }).click()
  await expect(rowOf('B')).toContainText('present')
  await rowOf('B').click()
  await expect(rowOf('B')).toContainText('absent')
  await rowOf('B').click()
  await expect(rowOf('B')).toContainText('late')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'All present' }).click()
  await expect(page.getByText('1 present · 1 late · 1 absent · 0 excused')).toBeVisible()
  await expect
    .poll(() => queryDatabase(product.dataDir, 'select state from attendance order by 1'))
    .toEqual([{ state: 'absent' }, { state: 'late' }, { state: 'present' }])

  await page.getByRole('button', { name: 'Near', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Near' })).toHaveText([
    new RegExp(`^${lastName}A.*Section 1 · 1 absence of 1 day`),
  ])
  await expectAccessible(page)
})

test('a facilitator is added with a section, calls its roll on a phone, and opens nothing else', {
  tag: '@journey',
}, async ({ page, product, expectedErrors }) => {
  // The browser itself reports the refused day.
  expectedErrors.push(/422/)
  const email = `${uniqueLastName().toLowerCase()}@school.example`
  for (const statement of [
    `update terms set ends_on = '2099-12-31'`,
    'delete from attendance',
    `insert into attendance (day_id, student_id, state, ground, source, at)
      select training_days.id, students.id, 'excused', 'family', 'desk', now() from training_days, students
      where held_on = '2025-08-10' and last_name = '${lastName}C'`,
  ])
    await queryDatabase(product.dataDir, statement)
  await signIn(page)
  await page.goto('/admin?tab=people&person=new')
  const adding = page.getByRole('dialog', { name: 'Add a person' })
  await adding.getByRole('textbox', { name: 'Name' }).fill('Lt. Cruz')
  await adding.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await adding.getByRole('radio', { name: /^Facilitator/ }).check()
  await adding.getByLabel('Section 1 (CWTS, NSTP 1)').check()
  await adding.getByLabel(/^Sees phone numbers/).check()
  await adding.getByLabel('Last day').fill('2100-01-01')
  await adding.getByRole('button', { name: 'Add person' }).click()
  await expect(adding.getByText(/Please choose Dec 31, 2099 or an earlier day/)).toBeVisible()
  await adding.getByLabel('Last day').fill('2099-12-31')
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Add person' }).click()
  await adding.getByRole('button', { name: 'I’ve saved it' }).click()
  await adding.getByRole('button', { name: 'Hide permanently' }).click()
  await expect(page.getByRole('row', { name: /Lt\. Cruz/ })).toContainText('Section 1 (CWTS, NSTP 1)')
  await queryDatabase(
    product.dataDir,
    `update admins set has_first_password = false,
      password_hash = (select password_hash from admins where email = '${adminEmail}') where email = '${email}'`,
  )

  await page.context().clearCookies()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/login?next=%2Fadmin%3Ftab%3Dstudents')
  await page.locator('[name="email"]').fill(email)
  await page.locator('[name="password"]').fill(adminPassword)
  await page.getByRole('button', { name: /^(log|sign) ?in$/i }).click()
  await page.waitForURL(/\/roll$/)
  await expectReady(page)
  await expect(page.getByRole('combobox', { name: 'Section' })).toHaveText(/Section 1 \(CWTS/)
  const rowOf = (end: string) => page.getByRole('button', { name: new RegExp(`^${lastName}${end}`) })
  // An earlier day is called by choice alone.
  await expect(page.getByText('No training day today.')).toBeVisible()
  await expectAccessible(page)
  const day = page.getByRole('combobox', { name: 'Day' })
  await expect(day.getByRole('option')).toHaveText([
    'Choose a day',
    /^Sat, Aug 9, 2025/,
    /^Sun, Aug 10, 2025/,
  ])
  await day.selectOption({ index: 2 })
  await expect(page.getByText('An earlier day: Sun, Aug 10.')).toBeVisible()
  await expect(rowOf('C')).toBeDisabled()
  await rowOf('A').click()
  await page.getByRole('button', { name: 'All present' }).click()
  await expect(page.getByText('1 present · 0 late · 1 absent · 1 excused')).toBeVisible()
  await expectAccessible(page)
  await expect
    .poll(() => queryDatabase(product.dataDir, 'select state, source from attendance order by 1'))
    .toEqual([
      { state: 'absent', source: 'roll' },
      { state: 'excused', source: 'desk' },
      { state: 'present', source: 'roll' },
    ])
  await page.getByRole('button', { name: new RegExp(`^Phone numbers of ${lastName}A`) }).click()
  const phones = page.getByRole('dialog', { name: new RegExp(`^${lastName}A`) })
  await phones.getByRole('button', { name: 'Show phone numbers' }).click()
  await expect(phones.getByRole('link')).toHaveCount(2)
  await expectAccessible(page)

  await page.goto('/admin?tab=students')
  await expect(page.getByText("Your account can't open this screen.")).toBeVisible()
  await page.goto('/admin')
  await page.waitForURL(/\/roll$/)
})
