import type { Locator, Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { adminPassword } from '#tests/setup/administrator.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

async function openTerms(page: Page, query = '') {
  await signIn(page)
  await page.goto(`/admin?tab=terms${query}`)
  await expectReady(page)
}

/** Records like the one that is there, numbered. */
async function storeMore(dataDir: string, lastName: string, count: number) {
  const columns = `status, consent_version, consented_at, first_name, address, date_of_birth, place_of_birth,
    civil_status, contact_number, email, citizenship, course, year_level, academic_year, emergency_contact_name,
    emergency_contact_number, nstp_component`
  await queryDatabase(
    dataDir,
    `insert into students (id, reference, last_name, sex, ${columns})
     select gen_random_uuid(), 'R' || n, last_name || ' ' || n, case n % 2 when 0 then 'Male' else 'Female' end, ${columns}
     from students, generate_series(1, ${count}) n where last_name = '${lastName}'`,
  )
}

/** Once around a screen with a long list. */
const mostTabs = 300

/** By Tab alone. */
async function tabTo(page: Page, control: Locator) {
  await expect(control).toBeVisible()
  const isFocused = () => control.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < mostTabs && !(await isFocused()); presses++)
    await page.keyboard.press('Tab')
  await expect(control).toBeFocused()
}

async function press(page: Page, control: Locator) {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
}

test('from no term to the class lists of 2,000 students by keyboard, looked up on a phone, and back', {
  tag: '@journey',
}, async ({ page, product }) => {
  test.slow()
  await queryDatabase(
    product.dataDir,
    'delete from enrolments; delete from sections; delete from terms; delete from students',
  )
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await storeMore(product.dataDir, lastName, 1_999)
  const { keyboard } = page
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  await openTerms(page)

  await expect(page.getByText('No term yet.')).toBeVisible()
  await expectAccessible(page)
  await press(page, button('Open a term'))
  const dialog = page.getByRole('dialog', { name: 'Open a term' })
  await tabTo(page, dialog.getByLabel('First day'))
  await keyboard.type('08032026')
  await tabTo(page, dialog.getByLabel('Last day'))
  await keyboard.type('08012026')
  await keyboard.press('Enter')
  await expect(dialog.getByText('Please choose a last day after the first one.')).toBeVisible()
  await expect(dialog.getByLabel('Last day')).toBeFocused()
  // The last typed part of the date, the year, is still the one in focus.
  await keyboard.press('ArrowLeft')
  await keyboard.press('ArrowLeft')
  await keyboard.type('12192026')
  await expectAccessible(page)
  await keyboard.press('Enter')
  // The form that closes says it too, in a longer sentence.
  await expect(page.getByText(/First semester .* is open$/)).toBeVisible()
  await expect(dialog).toHaveCount(0)

  await press(page, button('CWTS'))
  await expect(page.getByText('CWTS has no sections of NSTP 1 yet.')).toBeVisible()
  await expect(page.getByText('2,000 students wait for one.')).toBeVisible()
  await press(page, button('Add sections'))
  const panel = page.getByRole('dialog', { name: 'Add sections of CWTS, NSTP 1' })
  await press(page, panel.getByRole('button', { name: 'Battalions and platoons' }))
  await expect(panel.getByText('32 sections with 1,184 places')).toBeVisible()
  await press(page, panel.getByRole('button', { name: 'Sections of 60' }))
  await expect(panel.getByText('34 sections with 2,040 places')).toBeVisible()
  await expectAccessible(page)
  await press(page, panel.getByRole('button', { name: 'Add sections' }))
  await expect(page.getByText('34 sections added')).toBeVisible()
  await expect(panel).toHaveCount(0)

  await page.goto('/admin')
  await expectReady(page)
  const thisTerm = page.getByRole('region', { name: 'This term' })
  await press(page, thisTerm.getByRole('link', { name: 'CWTS, NSTP 1: 2,000 students without a section' }))
  await press(page, button('Place students… (2,000)'))
  const placing = page.getByRole('dialog', { name: 'Place students of CWTS, NSTP 1' })
  await expect(placing.getByText('2,000 students without a section: 2,000 placed, 0 not')).toBeVisible()
  await expectAccessible(page)
  await press(page, placing.getByRole('button', { name: 'Place 2,000 students' }))
  await expect(page.getByText('2,000 students placed')).toBeVisible()
  const steps = page.getByRole('list', { name: 'Steps of the term' })
  await expect(steps).toContainText('2,000 of 2,000')
  await expect(page.getByRole('row', { name: /^Section 1 / })).toContainText('59 of 60')

  await page.evaluate(() => {
    window.print = () => undefined
  })
  await press(page, button('Print class lists'))
  const lists = page.getByRole('dialog', { name: 'Class list of CWTS, NSTP 1' })
  await expectAccessible(page)
  await lists.getByRole('checkbox', { name: 'With 15 columns for attendance' }).press('Space')
  await press(page, lists.getByRole('button', { name: 'Print', exact: true }))
  const papers = page.locator('.class-lists > section')
  await expect(papers).toHaveCount(34)
  await page.emulateMedia({ media: 'print' })
  await expect(papers.first().getByText('Section 1', { exact: true })).toBeVisible()
  await expect(papers.first()).toContainText(`${lastName}, `)
  expect(await papers.locator('tbody tr').count()).toBe(2_000)
  // Nothing is cut at the right edge of A4.
  const widest = await papers.first().evaluate((paper) => {
    Object.assign(document.body.style, { width: '184mm' })
    return (paper.querySelector('table')?.scrollWidth ?? 0) - paper.clientWidth
  })
  expect(widest).toBeLessThanOrEqual(0)
  // 59 or 60 students of a section are on two sheets.
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type \/Page\b/g)
  expect(sheets).toHaveLength(68)
  await page.emulateMedia({ media: 'screen' })
  await expect(lists).toHaveCount(0)

  const own = page.viewportSize()
  await page.setViewportSize({ width: 1366, height: 768 })
  for (const pane of ['students', 'marks']) {
    await page.goto(`/admin?tab=terms&pane=${pane}&component=CWTS&level=1`)
    await expectReady(page)
    const rows = page.locator('tbody tr')
    await expect(rows.first()).toBeVisible()
    const inSight = await rows.evaluateAll(
      (all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length,
    )
    expect(inSight, `rows of ${pane} on the first screen`).toBeGreaterThanOrEqual(12)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/admin?tab=terms&pane=students&component=CWTS&level=1&search=${lastName} 1999`)
  await expectReady(page)
  const found = page.getByRole('row', { name: new RegExp(`${lastName} 1999, `) })
  await expect(found).toContainText('Section ')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  await found.getByRole('link').first().click()
  await expect(page.getByRole('dialog', { name: 'Student Details' })).toContainText('First semester')
  await expectAccessible(page)
  if (own) await page.setViewportSize(own)

  await page.goto('/admin?tab=terms&component=CWTS&level=1')
  await expectReady(page)
  await press(page, button('Recent changes'))
  await expect(page.getByText('2,000 students enrolled in CWTS, NSTP 1')).toBeVisible()
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Undo' }))
  await expect(page.getByText('2,000 students taken back')).toBeVisible()
  await keyboard.press('Escape')
  await expect(steps).toContainText('0 of 2,000')
  await queryDatabase(product.dataDir, 'delete from students')
})

test.describe('after many records in an hour', { tag: '@journey' }, () => {
  // The browser itself reports the refusals.
  test.use({ expectedErrors: [/403/] })

  test('a class list asks for the password and is shown, and so does a record with all its panels at once', async ({
    page,
    product,
  }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
    await queryDatabase(
      product.dataDir,
      `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
       select gen_random_uuid(), term_id, students.id, 'CWTS', 1, sections.id, now(), 'new'
       from students, sections where last_name = '${lastName}' and sections.name = 'Section 1'`,
    )
    await openTerms(page, '&component=CWTS&level=1')
    const exhaust = () =>
      queryDatabase(
        product.dataDir,
        "update sessions set proven_at = now() - interval '1 hour', records_read = 300, records_since = now()",
      )
    const proof = page.getByRole('dialog', { name: 'Enter your password' })
    const prove = async () => {
      await proof.getByLabel('Your password').fill(adminPassword)
      await proof.getByRole('button', { name: 'Continue' }).click()
      await expect(proof).toHaveCount(0)
    }
    await exhaust()
    await page.getByRole('button', { name: 'Actions for Section 1', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Class list' }).click()
    await expectAccessible(page)
    await prove()
    const student = page.getByRole('link', { name: new RegExp(`${lastName}, `) })
    await expect(student).toBeVisible()

    await exhaust()
    await student.click()
    await prove()
    const record = page.getByRole('dialog', { name: 'Student Details' })
    await expect(record).toContainText('First semester')
    await expect(record.getByText('Please enter your password again to do this.')).toHaveCount(0)
    await queryDatabase(product.dataDir, 'delete from students')
  })
})

test.describe('a taken name', () => {
  // The browser itself reports the refusal.
  test.use({ expectedErrors: [/422/] })

  test('is refused; a section is edited and deleted, a term closed and opened again', {
    tag: '@journey',
  }, async ({ page }) => {
    await openTerms(page, '&component=CWTS&level=1')
    await page.getByRole('button', { name: 'Actions for Section 1', exact: true }).click()
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

    await page.getByRole('button', { name: 'Actions for Section 2', exact: true }).click()
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

test('who has an earlier record is compared before placing', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await queryDatabase(
    product.dataDir,
    `update students set academic_year = '2025-2026' where last_name = '${lastName}'`,
  )
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await signIn(page)
  await page.goto('/admin?tab=terms&component=CWTS&level=1&open=place')
  const placing = page.getByRole('dialog', { name: /^Place students/ })
  await placing.getByText('1 student may have an earlier record').click()
  await expectAccessible(page)
  await placing.getByRole('link', { name: /^Compare/ }).click()
  const pair = page.getByRole('dialog', { name: 'Possible Duplicates' })
  await expect(pair.getByText('2025-2026')).toBeVisible()
  await expect(pair.getByText('2026-2027')).toBeVisible()
})
