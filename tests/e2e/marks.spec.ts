import type { Page } from '@playwright/test'
import { toCsv } from '#tests/factories/spreadsheet.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { storeGraduates } from './graduates.ts'
import { dismissNotice, expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

const lastName = uniqueLastName()
const section = "'0198f4b2-0000-7000-8000-000000000003'"
const terms = ["'0198f4b2-0000-7000-8000-000000000001'", "'0198f4b2-0000-7000-8000-000000000002'"]

async function storeTerms(dataDir: string) {
  const of = (id: string, semester: number, state: string) =>
    `(${id}, '2026-2027', ${semester}, '2026-0${semester}-01', '2026-0${semester}-28', '${state}', now())`
  const [first = '', second = ''] = terms
  for (const statement of [
    'delete from enrolments',
    'delete from sections',
    'delete from terms',
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values ${of(first, 1, 'open')}, ${of(second, 2, 'planned')}`,
    `insert into sections (id, term_id, component, level, name, capacity, position)
      values (${section}, ${first}, 'CWTS', 1, 'Section 1', 60, 0)`,
    `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
      select gen_random_uuid(), ${first}, id, 'CWTS', 1, ${section}, '2026-08-03', 'new' from students
      where last_name like '${lastName}%'`,
  ]) {
    await queryDatabase(dataDir, statement)
  }
}

async function openTerm(page: Page, query: string) {
  await page.goto(`/admin?tab=terms&component=CWTS&level=1${query}`)
  await expectReady(page)
}

const markOf = (page: Page, name: string) => page.getByLabel(`Mark of ${name}`)

test('marks are typed, pasted, saved and taken back', { tag: '@journey' }, async ({ page, product }) => {
  for (const end of ['A', 'B', 'C']) {
    await registerStudent(page, { lastName: `${lastName}${end}`, nstpComponent: 'CWTS' })
  }
  await storeTerms(product.dataDir)
  await signIn(page)
  await openTerm(page, '')
  await page.getByRole('button', { name: 'Marks 0' }).click()
  const [first, second, third] = ['A', 'B', 'C'].map((end) => markOf(page, `${lastName}${end}`))
  if (!first || !second || !third) throw new Error('three were enlisted')
  // Another list, by somebody else's change, would lose what is typed.
  await expect(page).toHaveURL(/[?&]term=.+&marks=/)

  await first.fill('1.25')
  await expect(page.getByRole('row', { name: `${lastName}A` })).toContainText('Passed')
  await first.press('Enter')
  await expect(second).toBeFocused()
  await second.fill('7')
  await expect(page.getByRole('row', { name: `${lastName}B` })).toContainText(
    'Please enter a mark from 1.00 to 5.00',
  )
  await expectAccessible(page)

  await second.press('ArrowUp')
  await expect(first).toBeFocused()
  await first.evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '2.00\r\nINC\r\nA+\r\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  const pasting = page.getByRole('dialog', { name: 'Fill in these marks?' })
  await expect(pasting).toContainText('2 marks, 1 can’t be read: A+')
  await expectAccessible(page)
  await pasting.getByRole('button', { name: 'Fill in 2 marks' }).click()
  await expect(second).toHaveValue('INC')

  // Leaving asks.
  await page.getByRole('button', { name: /^Sections / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('button', { name: 'Save 2 marks' }).click()
  await dismissNotice(page, '2 marks saved')
  await expect(page.getByRole('list', { name: 'Steps of the term' })).toContainText('Marks 2')

  // Somebody else's mark, while this one is on its way.
  await third.fill('3.00')
  await page.route('**/marks', async (route) => {
    if (route.request().method() !== 'PUT') return await route.fallback()
    await queryDatabase(
      product.dataDir,
      `update enrolments set mark = '5.00', outcome = 'failed', version = version + 1
        where student_id in (select id from students where last_name = '${lastName}C')`,
    )
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save 1 mark' }).click()
  const row = page.getByRole('row', { name: `${lastName}C` })
  await expect(row).toContainText('Somebody else entered 5.00.')
  await page.unroute('**/marks')
  await row.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save 1 mark' }).click()
  await expect(page.getByText('1 mark saved')).toBeVisible()
  await expect(row).toContainText('Passed')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(third).toHaveValue('5.00')

  await page.getByRole('button', { name: /^Actions for First semester/ }).click()
  await page.getByRole('menuitem', { name: 'Close' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close term' }).click()
  await third.fill('2.75')
  await page.getByLabel('Reason').fill('Special examination')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save 1 mark' }).click()
  await expect(row).toContainText('Passed')
})

test('students continue in the section of the same name', { tag: '@journey' }, async ({ page }) => {
  await signIn(page)
  await openTerm(page, `&term=${terms[1]?.replaceAll("'", '')}`)
  const second = page.getByRole('button', { name: 'NSTP 2' })
  await expect(second).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', { name: 'Continue students…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Continue students of earlier terms' })
  await expect(dialog).toContainText('2 to NSTP 2, 0 the same level again, 1 left out')
  await dialog.getByLabel('NSTP 1 incomplete').selectOption('To NSTP 2')
  await expect(dialog).toContainText('3 to NSTP 2')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Continue 3 students' }).click()
  await expect(page.getByText('3 students continued')).toBeVisible()
  await expect(second).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('row', { name: /^Section 1/ })).toContainText('3 of 60')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('3 students taken back')).toBeVisible()
  await expect(page.getByRole('row', { name: /^Section 1/ })).toContainText('0 of 60')
})

test('a mark taken back takes back what the student reached by it', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  const student = `${uniqueLastName()}D`
  await registerStudent(page, { lastName: student, nstpComponent: 'CWTS' })
  await storeGraduates(product.dataDir, student)
  await queryDatabase(
    product.dataDir,
    `update students set serial_number = 'C-03-100001-27' where last_name = '${student}';
    update enrolments set mark = '', outcome = 'none' where level = 2;
    update terms set state = 'open'`,
  )
  await signIn(page)
  const certificates = '/admin?tab=papers&pane=certificates&year=2026-2027'
  await page.goto(certificates)
  await expect(page.getByText('Nobody waits for a certificate of 2026-2027.')).toBeVisible()

  await page.goto('/admin?tab=terms&pane=marks&component=CWTS&level=2')
  await expectReady(page)
  await markOf(page, student).fill('1.50')
  await page.getByRole('button', { name: 'Save 1 mark' }).click()
  await expect(page.getByText('1 mark saved')).toBeVisible()
  await page.goto(certificates)
  await expect(page.getByText('1 graduate without a certificate')).toBeVisible()
  await expect(page.getByRole('row', { name: student })).toBeVisible()

  await page.goto('/admin?tab=terms&pane=students&component=CWTS&level=2')
  await expectReady(page)
  await page.getByRole('link', { name: new RegExp(student) }).click()
  const record = page.getByRole('dialog', { name: 'Student Details' })
  await expect(record.getByText('Both levels are passed or credited.')).toBeVisible()
  await page.goBack()
  await page.getByRole('button', { name: 'Recent changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('1 student taken back')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: new RegExp(student) }).click()
  await expect(record.getByText('Next level: NSTP 2.')).toBeVisible()
  await record.getByText('History', { exact: true }).first().click()
  await expect(record.getByText(/^Mark none to 1\.50/)).toBeVisible()
  await expect(record.getByText(/^Changed back/)).toBeVisible()
  await page.goto(certificates)
  await expect(page.getByText('Nobody waits for a certificate of 2026-2027.')).toBeVisible()
  const marks = await queryDatabase(product.dataDir, 'select level, mark, outcome from enrolments order by 1')
  expect(marks).toEqual([
    { level: 1, mark: '1.25', outcome: 'passed' },
    { level: 2, mark: '', outcome: 'none' },
  ])
})

test('a mark of a file that can’t be entered is typed anew in its row', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  const student = `${lastName}F`
  await registerStudent(page, { lastName: student, firstName: 'Ana Maria', nstpComponent: 'CWTS' })
  await storeTerms(product.dataDir)
  await queryDatabase(
    product.dataDir,
    `update students set student_id = '2026-00777' where last_name = '${student}'`,
  )
  await signIn(page)
  await openTerm(page, '&pane=lists&list=marks')
  await page.getByLabel('File with marks').setInputFiles({
    name: 'Marks.csv',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(toCsv([{ 'Student ID': '2026-00777', Name: `${student}, Ana Maria`, Mark: '9.75' }])),
  })
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText(/^1 row without an answer will be left out\./)).toBeVisible()
  const form = page.getByRole('form', { name: 'Correct row 2' })
  await form.getByLabel('Mark').fill('1.75')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('1 mark is entered. Nothing else changes.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('1 mark was entered.')).toBeVisible()
})
