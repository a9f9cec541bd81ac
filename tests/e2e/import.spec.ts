import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import readWorkbook from 'read-excel-file/node'
import { buildExportedRecord, keyById } from '#tests/factories/old-system-export.ts'
import { buildSheetRow, toCsv } from '#tests/factories/spreadsheet.ts'
import { changeSettings } from './change-settings.ts'
import { expect, expectAccessible, holdRequests, signIn, test } from './journey.ts'

/** Students of one test, so that the tests of a product don't meet. */
function buildFile(family: string): string {
  return toCsv([
    buildSheetRow({ lastName: `${family}A`, email: `${family}a@x.example`, studentId: `${family}1` }),
    buildSheetRow({ lastName: `${family}B`, email: 'not an address', studentId: `${family}2` }),
    buildSheetRow({
      lastName: `${family}C`,
      email: `${family}c@x.example`,
      studentId: `${family}3`,
      sex: '?',
    }),
    buildSheetRow({ lastName: `${family}D`, email: `${family}a@x.example`, studentId: `${family}4` }),
  ])
}

async function upload(page: Page, content: string | Buffer, name: string): Promise<void> {
  await page.goto('/admin?tab=import')
  // The scripts of the screen have come, which a person has to wait for too.
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
  await page.getByLabel('File to import').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  })
}

async function check(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Match columns' })).toBeVisible()
  await page.getByRole('checkbox', { name: /signed a paper consent/ }).check()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByRole('button', { name: /^Import \d+ students?$/ })).toBeVisible()
}

test(
  'a file with errors is imported: one row mended, one skipped, the rest taken home, all undone; a wrong file is refused',
  { tag: '@journey' },
  async ({ page, expectedErrors }, { project }) => {
    // The browser itself reports the refused file.
    expectedErrors.push(/422/)
    // Every step, and what axe says of it: the choices of 40 columns alone are 2,000 elements.
    test.slow()
    const family = `Imp${project.name}`
    await signIn(page)
    await upload(page, buildFile(family), `${family}.csv`)
    await expect(page.getByRole('heading', { name: 'Match columns' })).toBeVisible()
    await expectAccessible(page)

    // Without the students' consent nothing is checked.
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await expect(page.getByText('Please confirm that these students signed')).toBeVisible()
    await check(page)
    await expect(page.getByText('1 student will be imported.')).toBeVisible()

    // The state is the server's: reloading shows the same.
    await page.reload()
    const broken = page.getByRole('form', { name: 'Correct row 3' })
    await expect(broken.getByText('Please enter a valid email address.')).toBeVisible()
    await broken.getByLabel('Email').fill(`${family}b@x.example`)
    await broken.getByLabel('Email').press('Enter')
    await expect(page.getByText('2 students will be imported.')).toBeVisible()
    await expect(broken).toBeHidden()
    await expect(page.getByRole('heading', { name: 'Rows' })).toBeFocused()

    await page.getByRole('button', { name: 'Skip row 4' }).click()
    await expect(page.getByText('No problems.').or(page.getByText('The same email as row 2.'))).toBeVisible()
    await page.getByRole('button', { name: /Possible duplicates/ }).click()
    await expect(page.getByText('The same email as row 2.')).toBeVisible()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Import 2 students' }).click()
    await expect(page.getByRole('heading', { name: '2 students imported.' })).toBeVisible()
    await expectAccessible(page)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download rows not imported' }).click()
    const [sheet] = await readWorkbook(readFileSync(await (await downloading).path()))
    const [headers = [], ...rows] = sheet?.data ?? []
    expect(rows.map((row) => [row[headers.indexOf('Last Name')], row[headers.indexOf('Problem')]])).toEqual([
      [`${family}C`, 'Skipped. Sex: Please choose one of the listed options for sex.'],
      [`${family}D`, 'The same email as row 2.'],
    ])

    await page.goto(`/admin?tab=students&search=${family}`)
    await expect(page.getByText('2 students').first()).toBeVisible()
    await page.goBack()

    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove 2 records' }).click()
    await expect(page.getByRole('heading', { name: /^Import undone/ })).toBeVisible()
    await page.goto(`/admin?tab=students&search=${family}`)
    // Until the page is complete, what arrived of it is in it twice.
    await expect(page.getByRole('main').getByText('No matching students found.')).toBeVisible()
    await test.step('a file that cannot be imported is refused with what to do, and the next one is taken', async () => {
      await upload(page, Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old.xls')
      await expect(page.getByRole('alert')).toContainText('This is an older Excel file (.xls).')
      await page.getByLabel('File to import').setInputFiles({
        name: `${project.name} next.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from('Surname,Whatever\nCruz,x\n'),
      })
      await expect(page.getByText('Still missing:')).toBeVisible()
      await page.getByRole('link', { name: 'All imports' }).click()
      await page.getByRole('button', { name: `Delete rows: ${project.name} next.csv` }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
      await expect(page.getByRole('link', { name: `${project.name} next.csv` })).toBeHidden()
      await expectAccessible(page)
    })
  },
)

test('a session that ends over the columns takes nothing away; a course that is not listed is mended in all its rows', async ({
  page,
  expectedErrors,
}, { project }) => {
  test.slow()
  expectedErrors.push(/401/)
  const family = `Val${project.name}`
  const rowsOf = (course: string, from: number) =>
    [0, 1, 2].map((index) =>
      buildSheetRow({
        lastName: `${family}${from + index}`,
        email: `${family}${from + index}@x.example`,
        studentId: `${family}${from + index}`,
        course,
      }),
    )
  await signIn(page)
  await upload(page, toCsv([...rowsOf('BSIT', 0), ...rowsOf(`BSN ${family}`, 3)]), `${family}.csv`)
  await test.step('the session ends', async () => {
    const sex = page.getByLabel('Field of Sex')
    const former = await sex.inputValue()
    await sex.selectOption('Religion')
    await page.getByRole('checkbox', { name: /signed a paper consent/ }).check()
    const cookies = await page.context().cookies()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await expect(page.getByRole('log')).toContainText('Your session has ended. Sign in in another tab')
    await expect(sex).toHaveValue('religion')
    await page.context().addCookies(cookies)
    await sex.selectOption(former)
  })
  await check(page)
  const course = page.getByRole('form', { name: 'Correct row 2' }).getByLabel('Course')
  await expect(course).toHaveValue('')
  await expect(page.getByText('In the file: BSIT').first()).toBeVisible()
  await expectAccessible(page)

  await page.getByLabel('Use instead of “BSIT”').selectOption('SOICT')
  await page
    .getByRole('listitem')
    .filter({ hasText: '“BSIT” in 3 rows' })
    .getByRole('button', { name: 'Use in 3 rows' })
    .click()
  await expect(page.getByText('3 students will be imported.')).toBeVisible()
  await page.getByRole('button', { name: `Add “BSN ${family}” to the courses` }).click()
  await expect(page.getByText('6 students will be imported.')).toBeVisible()
  await changeSettings(page.request, { courses: ['SOICT', 'SOBM', 'SOHM', 'SOCJ', 'SOTE'] })
})

test(
  'records are updated from a file: old and new are shown first, and an undo puts the old back',
  { tag: '@journey' },
  async ({ page }, { project }) => {
    test.slow()
    const family = `Upd${project.name}`
    await signIn(page)
    await upload(
      page,
      JSON.stringify(
        keyById([
          buildExportedRecord({
            lastName: `${family}A`,
            email: `${family}a@x.example`,
            studentId: `${family}-1`,
          }),
          buildExportedRecord({
            lastName: `${family}B`,
            email: `${family}b@x.example`,
            studentId: `${family}-2`,
          }),
        ]),
      ),
      `${family}.json`,
    )
    await check(page)
    await page.getByRole('button', { name: 'Import 2 students' }).click()
    await expect(page.getByRole('heading', { name: '2 students imported.' })).toBeVisible()

    const rows = [
      {
        'Student ID': `${family}-1`,
        Address: '14 Mabini Street',
        'Serial Number': project.name === 'phone' ? 'C-03-130001-26' : 'C-03-130002-26',
      },
      { 'Student ID': `${family}-2`, Address: '', 'Serial Number': '' },
      { 'Student ID': `${family}-9`, Address: 'Nowhere', 'Serial Number': '' },
    ]
    await upload(page, toCsv(rows), `${family}.csv`)
    await page.getByRole('button', { name: 'Update by student ID' }).click()
    await expect(page.getByText('Empty cells are ignored')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await expect(page.getByText('1 record will be updated.')).toBeVisible()
    await expect(page.getByText('No record has this student ID.')).toBeVisible()
    await page.getByRole('button', { name: /Ready$/ }).click()
    const row = page.getByRole('list', { name: 'Rows' }).getByRole('listitem')
    await expect(row).toContainText(`${family}A, Juan Miguel`)
    await expect(row).toContainText(
      'Blk 4 Lot 12, Sampaguita St., Brgy. San Isidro → , will be 14 Mabini Street',
    )
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Update 1 record' }).click()
    await expect(page.getByRole('heading', { name: '1 record updated.' })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore 1 record' }).click()
    await expect(
      page.getByRole('heading', { name: 'the old values of 1 record were restored' }),
    ).toBeVisible()
  },
)

test('a file that was read in a wrong way is read as its owner meant it: separator, headings, order of dates', async ({
  page,
}, { project }) => {
  test.slow()
  const family = `Way${project.name}`
  const ids = [`${family}-1`, `${family}-2`] as const
  await signIn(page)
  await upload(
    page,
    toCsv(
      ids.map((studentId, at) =>
        buildSheetRow({
          lastName: `${family}${at}`,
          firstName: ['Ana', 'Ben'][at] ?? '',
          email: `${studentId}@x.example`,
          studentId,
        }),
      ),
    ),
    `${family}.csv`,
  )
  await check(page)
  await page.getByRole('button', { name: 'Import 2 students' }).click()
  await expect(page.getByRole('heading', { name: '2 students imported.' })).toBeVisible()

  const lines = [
    'Platoon A,as of,today',
    'Cadet,Ability,Birthdate',
    `${ids[0]},First aid; singing; driving; sewing; chess; art,05/06/2006`,
    `${ids[1]},Cooking; swimming; chess; music; art; dance,07/08/2006`,
  ]
  await upload(page, lines.join('\n'), `${family} skills.csv`)
  const readings = page.getByRole('region', { name: 'How the file was read' })
  await expect(readings).toContainText('The columns are separated by semicolons.')
  // A second press before the page has read the import again: the commas must stay.
  const release = await holdRequests(page, /\/api\/imports\/[^/]+$/)
  await page.getByRole('button', { name: 'Use commas' }).click()
  await page.getByRole('button', { name: 'Use row 2' }).click()
  release()
  await expect(readings).toContainText('Headings in row 2 · above, not read: row 1.')
  await expect(readings).toContainText(
    'Birthdate: 2 texts such as “05/06/2006” can have the day or the month first',
  )

  await page.getByRole('button', { name: 'Update by student ID' }).click()
  await page.getByLabel('Field of Cadet').selectOption('Student ID')
  await page.getByLabel('Field of Ability').selectOption('Skills')
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(
    page.getByText('Please choose the date format: these dates can be read both ways.'),
  ).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: '13/05/2006' }).click()
  await page.getByRole('button', { name: 'Check the rows' }).click()
  await expect(page.getByText('2 records will be updated.')).toBeVisible()
  await page.getByRole('button', { name: /Ready$/ }).click()
  const row = (at: number) => page.getByRole('list', { name: 'Rows' }).getByRole('listitem').nth(at)
  await expect(row(0)).toContainText('will be First aid; singing; driving')
  await expect(row(0)).toContainText('will be 2006-06-05')
  await expect(row(1)).toContainText('will be 2006-08-07')
})
