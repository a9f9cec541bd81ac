import type { Page } from '@playwright/test'
import { defaultOptions } from '#shared/papers/papers.ts'
import type { Paper, PaperCheck } from '#shared/papers/papers-response.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signInAs, test } from './journey.ts'

const lastName = uniqueLastName()
const term = '0198f4b2-0000-7000-8000-000000000021'
const section = '0198f4b2-0000-7000-8000-000000000022'

async function storeTerm(dataDir: string) {
  for (const statement of [
    'delete from enrolments',
    'delete from sections',
    'delete from terms',
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values ('${term}', '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now())`,
    `insert into sections (id, term_id, component, level, name, capacity, position)
      values ('${section}', '${term}', 'ROTC', 1, 'Alpha', 60, 0)`,
    `insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
      select gen_random_uuid(), '${term}', id, 'ROTC', 1, '${section}', '2026-08-03', 'new' from students
      where last_name like '${lastName}%'`,
  ]) {
    await queryDatabase(dataDir, statement)
  }
}

const rowOf = (page: Page, end: string) => page.getByRole('row', { name: `${lastName}${end}` })
const scoreOf = (page: Page, part: string, end: string) => page.getByLabel(`${part} of ${lastName}${end}`)

async function checkGrades(page: Page): Promise<PaperCheck> {
  const data = {
    ...{ layout: 'rotc-grades', academicYear: '2026-2027', termId: term, components: ['ROTC'] },
    ...{ title: 'Grades', note: '', dueOn: null, options: defaultOptions },
  }
  const made = await page.request.post('/api/papers', { data })
  expect(made.ok(), await made.text()).toBe(true)
  const { id }: Paper = await made.json()
  return await (await page.request.post(`/api/papers/${id}/check`, { data: {} })).json()
}

test('a coordinator chooses parts, enters what they give, takes it back, and finds the columns of the COG filled', {
  tag: '@journey',
}, async ({ page, product, expectedErrors }) => {
  // The number without a reason.
  expectedErrors.push(/422 \(Unprocessable Entity\)/)
  for (const end of ['A', 'B']) {
    await registerStudent(page, { lastName: `${lastName}${end}`, nstpComponent: 'ROTC' })
  }
  await storeTerm(product.dataDir)
  await signInAs(page, product, 'coordinator', ['ROTC'])
  await page.goto('/admin?tab=terms&pane=marks&component=ROTC&level=1')
  await expectReady(page)

  await page.getByRole('button', { name: 'Marks by parts' }).click()
  const form = page.getByRole('dialog', { name: 'Parts of the mark: ROTC' })
  await form.getByRole('button', { name: 'ROTC (30, 30, 20 + 20)' }).click()
  const weight = form.getByRole('group', { name: 'Final examination' }).getByLabel('Weight (%)')
  await weight.fill('10')
  await form.getByRole('button', { name: 'Save parts' }).click()
  await expect(form.getByText('The weights add up to 90. Please make them 100.')).toBeVisible()
  await weight.fill('20')
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save parts' }).click()
  await expect(page.getByText('Parts saved')).toBeVisible()

  // A block of a spreadsheet; one score can't be read.
  await scoreOf(page, 'Attendance', 'A').evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '90\t90\t80\t75\r\n100\t95\tx\t88.5\r\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })
  const pasting = page.getByRole('dialog', { name: 'Fill in these scores?' })
  await expect(pasting).toContainText('7 scores, 1 can’t be read: x')
  await pasting.getByRole('button', { name: 'Fill in 7 scores' }).click()
  await expect(rowOf(page, 'A')).toContainText('2.00 85.00 %')
  await expect(page.getByText('Save the scores first')).toBeVisible()
  await page.getByRole('button', { name: 'Save 7 scores' }).click()
  await expect(page.getByText('7 scores saved')).toBeVisible()
  await expectAccessible(page)

  // A blank isn't zero: the other student has no mark yet.
  await page.getByRole('button', { name: 'Enter 1 mark', exact: true }).click()
  await expect(page.getByText('1 mark entered')).toBeVisible()
  await expect(rowOf(page, 'A')).toContainText('Passed')
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByRole('button', { name: 'Enter 1 mark', exact: true })).toBeVisible()

  const midterm = scoreOf(page, 'Midterm examination', 'B')
  await midterm.fill('80')
  await midterm.press('ArrowUp')
  await expect(scoreOf(page, 'Midterm examination', 'A')).toBeFocused()
  await page.getByRole('button', { name: 'Save 1 score', exact: true }).click()
  await page.getByRole('button', { name: 'Enter 2 marks' }).click()
  await expect(rowOf(page, 'B')).toContainText('Passed')

  // Another number than the parts give needs a reason.
  const typed = page.getByLabel(`Mark of ${lastName}A`)
  await typed.fill('1.00')
  await page.getByRole('button', { name: 'Save 1 mark', exact: true }).click()
  await expect(page.getByText('Please enter why the mark is another one than the parts give.')).toBeVisible()
  await typed.fill('2.00')

  const { preview, findings } = await checkGrades(page)
  // The last sheet is the ROG, with the per cent.
  expect(preview.slice(1).map((cells) => cells.slice(3))).toEqual([
    ['85.00', '2.00', 'PASSED'],
    ['92.00', '1.50', 'PASSED'],
  ])
  expect(findings.filter(({ code }) => code === 'K21')).toEqual([])
})
