import { readFile } from 'node:fs/promises'
import readWorkbook from 'read-excel-file/node'
import { defaultOptions, type NewPaper } from '#shared/papers/papers.ts'
import { toCsv, toWorkbook } from '#tests/factories/spreadsheet.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { freezePaper, sendPaper, storeGraduates } from './graduates.ts'
import { expect, expectReady, signIn, test } from './journey.ts'

const paper: NewPaper = {
  layout: 'ched-workbook',
  academicYear: '2026-2027',
  termId: null,
  components: ['CWTS'],
  options: defaultOptions,
  title: '',
  dueOn: null,
  note: '',
}
const file = (name: string, content: Buffer | string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

test('the office’s own workbook is uploaded with its own headings, and a paper comes as its rows', {
  tag: '@journey',
}, async ({ page, product }) => {
  const lastName = uniqueLastName()
  for (const firstName of ['Ana', 'Berta'])
    await registerStudent(page, { lastName, firstName, nstpComponent: 'CWTS', studentId: `27-${firstName}` })
  await storeGraduates(product.dataDir, lastName)
  await queryDatabase(product.dataDir, 'delete from enrolments where level = 2')
  await signIn(page)
  const heads = ['Remarks', 'Final grade', 'Name', 'Student No.', 'Section', 'Component']
  const old = await toWorkbook([Object.fromEntries(heads.map((head) => [head, 'of last year']))])

  await page.goto('/admin?tab=papers')
  await expectReady(page)
  await page.getByRole('button', { name: 'Layouts' }).click()
  const layout = page.getByRole('listitem').filter({ hasText: 'Grades for the registrar' })
  await layout.locator('input[type="file"]').setInputFiles(file('Registrar 2026.xlsx', old))
  await layout.getByLabel('Mark', { exact: true }).selectOption('B: Final grade')
  await layout.getByRole('button', { name: 'Use these columns' }).click()
  await expect(layout.getByText('Removed: 1 old row')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Make a paper' }).click()
  const making = page.getByRole('dialog', { name: 'Make a paper' })
  await making.getByLabel('Paper', { exact: true }).selectOption('Grades for the registrar')
  await making.getByLabel('Term').selectOption('Second semester 2026-2027')
  await making.getByRole('button', { name: 'Make paper' }).click()
  await page.getByRole('button', { name: 'Freeze' }).click()
  const question = page.getByRole('dialog', { name: 'Freeze this paper?' })
  await question.getByRole('button', { name: 'Freeze' }).click()
  await expect(page.getByText('The workbook is your own: Registrar 2026.xlsx.')).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download workbook' }).click()
  const [sheet] = await readWorkbook(await readFile(await (await saved).path()))
  expect(sheet?.data.map((row) => row.map((cell) => cell ?? ''))).toEqual([
    heads,
    ['PASSED', '1.25', `${lastName}, ANA P.`.toUpperCase(), '27-Ana', '', 'CWTS'],
    ['PASSED', '1.25', `${lastName}, BERTA P.`.toUpperCase(), '27-Berta', '', 'CWTS'],
  ])
})

test('of the serial numbers that came back one doesn’t match its student, is settled, and all hold theirs', {
  tag: '@journey',
}, async ({ page, product }) => {
  const lastName = uniqueLastName()
  const people = ['Ana', 'Berta', 'Carla'].map((firstName, index) => ({
    lastName: `${lastName}${'ABC'[index]}`,
    firstName,
    middleName: '',
    dateOfBirth: `2007-01-1${index}`,
    serial: `C-03-10000${index + 1}-27`,
  }))
  for (const { serial, ...own } of people)
    await registerStudent(page, { ...own, nstpComponent: 'CWTS', studentId: serial.slice(5) })
  await storeGraduates(product.dataDir, lastName)
  await signIn(page)
  const { office } = await (await page.request.get('/api/settings')).json()
  await changeSettings(page.request, {
    office: { ...office, heiName: 'Baliuag College', heiType: 'PRIVATE', region: '03-Central Luzon' },
  })
  const sent = await sendPaper(page.request, await freezePaper(page.request, paper))
  const rows = people.map(({ serial, ...own }, index) => ({
    'NSTP SERIAL NUMBER': serial,
    // As the agency's clerk typed one of them.
    'LAST NAME': index === 1 ? `${own.lastName}h` : own.lastName,
    'FIRST NAME': own.firstName,
    BIRTHDATE: own.dateOfBirth,
  }))

  await page.goto(`/admin?tab=papers&paper=${sent.id}`)
  await expectReady(page)
  await page.locator('input[type="file"]').setInputFiles(file('Came back.csv', toCsv(rows)))
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('2 serial numbers are entered. Nothing else changes.')).toBeVisible()
  const doubted = page.getByRole('listitem').filter({ hasText: `${lastName}Bh, Berta` })
  await expect(doubted).toContainText('The name is similar.')
  await doubted.getByRole('button', { name: /^Same person/ }).click()
  await expect(page.getByText('3 serial numbers are entered. Nothing else changes.')).toBeVisible()
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('3 serial numbers were entered.')).toBeVisible()

  await page.getByRole('link', { name: 'Back to the paper' }).click()
  await page.getByRole('button', { name: 'Graduates', exact: true }).click()
  await expect(page.getByRole('row', { name: `${lastName}B` })).toContainText('C-03-100002-27')
  const held = await queryDatabase(
    product.dataDir,
    `select last_name, serial_number from students where last_name like '${lastName}%' order by 1`,
  )
  expect(held).toEqual(people.map((own) => ({ last_name: own.lastName, serial_number: own.serial })))
})
