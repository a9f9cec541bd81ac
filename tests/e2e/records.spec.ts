import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { type StudentField, studentFields } from '#shared/students/student-fields.ts'
import { buildRegistration } from '#tests/factories/registration.ts'
import { changeSettings } from './change-settings.ts'
import { fillEnlistment, registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'
import { openList } from './student-list.ts'

/** Opens the list and waits for its rows. */
async function openStudents(page: Page) {
  await page.goto('/admin?tab=students')
  await expect(page.locator('#content').getByText(/^[\d,]+ students?$/)).toBeVisible()
  await expectReady(page)
}

async function search(page: Page, text: string) {
  await page.getByPlaceholder('Search by name or course').fill(text)
  await page.waitForURL((url) => url.searchParams.get('search') === text)
}

test('enlist → arrives live → found → viewed → printed → exported', { tag: '@journey' }, async ({
  page,
  browser,
  product,
}) => {
  const lastName = uniqueLastName()
  await signIn(page)
  await page.goto('/admin?tab=students')
  await expect(page.getByRole('heading', { name: 'Students', exact: true })).toBeVisible()
  await expectReady(page)

  const studentContext = await browser.newContext({ baseURL: product.url })
  const student = await studentContext.newPage()
  await student.goto('/register')
  await fillEnlistment(student, { lastName, nstpComponent: 'ROTC' })
  await student.getByRole('button', { name: 'Submit registration' }).click()
  await expect(student.getByRole('heading', { name: /Registration successful/ })).toBeVisible()
  const reference =
    (await student
      .getByText(/^NSTP-\w{4}-\w{4}$/)
      .first()
      .textContent()) ?? ''
  await studentContext.close()

  // Without a reload of the coordinator's page.
  await expect(page.getByText(`${lastName}, Juan Miguel Peña`).first()).toBeVisible()
  // As the list prints the name, without the ñ; by the code that the student wrote down; by a phone dialled at home.
  for (const typed of [`${lastName}, Juan Pena`, reference.toLowerCase(), `${lastName} 09171234567`]) {
    await search(page, typed)
    await expect(page.getByText(/^1 student$/)).toBeVisible()
    await expect(page.getByText(`${lastName}, Juan Miguel Peña`).first()).toBeVisible()
  }

  await page.getByRole('button', { name: /^View/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Student Details' })
  for (const section of [
    'Basic Information',
    'Contact Information',
    'Physical Information',
    'Educational Information',
    'NSTP Information',
    'Emergency Contact',
    'Parent/Guardian Information',
    'Educational Background',
    'Additional Information',
  ]) {
    await expect(dialog.getByRole('heading', { name: section, exact: true })).toBeVisible()
  }
  await expect(dialog.getByText('34-1234567-8')).toBeVisible()

  await dialog.getByRole('button', { name: 'Show ROTC Form' }).click()
  await expect(dialog.locator('.sheet-header')).toHaveCSS('color', 'rgb(0, 0, 0)')
  await expect(dialog.locator('.sheet')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  const printed = await printToPdf(page, () =>
    dialog.getByRole('button', { name: 'Print ROTC Form' }).click(),
  )
  expect(printed.title).toBe('ROTC Form')
  expect(printed.pages).toBeGreaterThanOrEqual(1)
  expect(printed.pages).toBeLessThanOrEqual(2)
  expect(printed.size).toMatch(/59\d(\.\d+)? x 84\d(\.\d+)? pts/)
  for (const value of [
    lastName.toUpperCase(),
    'Imus, Cavite',
    'Roman Catholic',
    '0917 123 4567',
    '168',
    '59',
  ]) {
    expect(printed.text.toUpperCase()).toContain(value.toUpperCase())
  }

  await dialog.getByRole('button', { name: 'Close' }).last().click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export to Excel' }).click()
  const file = await (await download).path()
  const rows = await readSheet(file)
  const [head, ...records] = rows
  expect(records).toHaveLength(1)
  const exported = Object.fromEntries((head ?? []).map((name, index) => [String(name), records[0]?.[index]]))
  const { consent, dateOfBirth, yearLevel, ...texts } = buildRegistration({ lastName, nstpComponent: 'ROTC' })
  for (const [field, value] of Object.entries(texts)) {
    // The members that are left are exactly the fields.
    expect(exported[studentFields[field as StudentField].label] ?? '', field).toBe(value)
  }
  expect(exported[studentFields.dateOfBirth.label]).toEqual(new Date(`${dateOfBirth}T00:00:00Z`))
})

test('the ROTC form on the screen says that it has no office address, and leads to where to fill it in; the details open from a sent link', async ({
  page,
}) => {
  await signIn(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'ROTC' })
  await openStudents(page)
  await search(page, lastName)
  await page.getByRole('button', { name: /^View/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Student Details' })
  await dialog.getByRole('button', { name: 'Show ROTC Form' }).click()
  const notice = dialog.getByText(/The ROTC Form has no office address/)
  await expect(notice).toBeVisible()
  await expectAccessible(page)
  const printed = await printToPdf(page, () =>
    dialog.getByRole('button', { name: 'Print ROTC Form' }).click(),
  )
  expect(printed.text).not.toContain('office address')

  await notice.getByRole('link', { name: 'Add the address' }).click()
  const names = page.getByRole('form', { name: 'Names', exact: true })
  const office = names.getByLabel('Office address on the ROTC form')
  await expect(office).toBeInViewport()
  await expect(names.getByText(/If blank, the form prints without/)).toBeVisible()
  await office.fill('Camp Aguinaldo, Quezon City')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Names updated successfully')).toBeVisible()
  await page.goBack()
  await dialog.getByRole('button', { name: 'Show ROTC Form' }).click()
  await expect(dialog.getByText('Camp Aguinaldo, Quezon City')).toBeVisible()
  await expect(notice).toBeHidden()
  await changeSettings(page.request, { rotcOfficeAddress: '' })
  await test.step('the details open from a sent link and give the focus back; of two filters chosen in a row both hold', async () => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await openList(page, lastName)
    await page.getByRole('button', { name: /^View/ }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Student Details' })
    await expect(dialog.getByText(lastName).first()).toBeVisible()
    await page.goto(page.url())
    await expect(dialog.getByText(lastName).first()).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: /^View/ }).first()).toBeFocused()

    // Before the screen follows the first one.
    await page.evaluate(async () => {
      for (const [name, value] of [
        ['archive', 'all'],
        ['period', 'last-7-days'],
      ] as const) {
        const select = document.querySelector<HTMLSelectElement>(`select[name="${name}"]`)
        if (!select) throw new Error(`no filter ${name}`)
        select.value = value
        select.dispatchEvent(new Event('change', { bubbles: true }))
        // Enough for the router, and no task of the browser in which React would draw.
        for (let step = 0; step < 100; step++) await null
      }
    })
    await expect(page).toHaveURL(/archive=all.*period=last-7-days|period=last-7-days.*archive=all/)
    await page.getByLabel('Academic Year').selectOption('2023-2024')
    await expect(page.getByRole('main').getByText('No matching students found.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).not.toHaveURL(/academicYear=|period=/)
    await expect(page.getByRole('button', { name: /^View/ }).first()).toBeVisible()
  })
})

/** Takes what the print window would print, and what poppler reads of it. */
async function printToPdf(page: Page, press: () => Promise<void>) {
  // Headless Chromium "prints" at once and the window would close before it is read.
  await page.context().addInitScript(() => {
    window.print = () => undefined
  })
  const opened = page.waitForEvent('popup')
  await press()
  const popup = await opened
  await popup.waitForFunction(() => (document.body?.textContent?.length ?? 0) > 200)
  const title = await popup.title()
  const file = test.info().outputPath('sheet.pdf')
  writeFileSync(file, await popup.pdf({ preferCSSPageSize: true, printBackground: true }))
  const info = execFileSync('pdfinfo', [file], { encoding: 'utf8' })
  const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
  await popup.close()
  return {
    title,
    text,
    pages: Number(/Pages:\s+(\d+)/.exec(info)?.[1]),
    size: /Page size:\s+(.*)/.exec(info)?.[1] ?? '',
  }
}

test('the CWTS sheet is shown, accessible, and prints on one or two whole A4 pages', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await openStudents(page)
  await search(page, lastName)
  await page.getByRole('button', { name: /^View/ }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Student Details' })
  await dialog.getByRole('button', { name: 'Show CWTS Form' }).click()
  await expectAccessible(page)
  const printed = await printToPdf(page, () => dialog.getByRole('button', { name: 'Print Form' }).click())
  expect(printed.title).toBe('CWTS Form')
  expect(printed.pages).toBeLessThanOrEqual(2)
  expect(printed.size).toMatch(/59\d(\.\d+)? x 84\d(\.\d+)? pts/)
  for (const value of [
    lastName,
    'Maria Peña Dela Cruz',
    '34-1234567-8',
    'San Isidro Elementary School',
    'First aid',
  ]) {
    expect(printed.text.toUpperCase()).toContain(value.toUpperCase())
  }
})

test('every state of the list is in the address: filter, search, sort, reload, back', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'ROTC', course: 'SOTE' })
  await registerStudent(page, { lastName, firstName: 'Ana', nstpComponent: 'CWTS', course: 'SOHM' })
  await openStudents(page)
  await search(page, lastName)
  await expect(page.getByRole('button', { name: /^View/ })).toHaveCount(2)
  await page
    .getByRole('checkbox', { name: /select all/i })
    .first()
    .click()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByText('2 selected')).toBeHidden()
  await page.getByRole('button', { name: 'ROTC', exact: true }).click()
  await expect(page.getByRole('button', { name: /^View/ })).toHaveCount(1)
  await page.reload()
  await expect(page.getByPlaceholder('Search by name or course')).toHaveValue(lastName)
  await expect(page.getByRole('button', { name: /^View/ })).toHaveCount(1)
  await page.getByLabel('Academic Year').selectOption('2023-2024')
  await expect(page.getByText('No matching students found.')).toBeVisible()
})

test.describe('with pop-ups blocked', () => {
  test('the sheet prints from a hidden frame', async ({ page }) => {
    await signIn(page)
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
    await page.addInitScript(() => {
      window.open = () => null
      const counted = window as Window & { printedFrames?: number }
      // Same-origin frames run this script too; they count at the page.
      window.print = () => {
        const top = window.top as typeof counted
        top.printedFrames = (top.printedFrames ?? 0) + 1
      }
    })
    await openStudents(page)
    await search(page, lastName)
    await page.getByRole('button', { name: /^View/ }).first().click()
    const warning = page.waitForEvent('console', (message) =>
      message.text().includes('Failed to open print window. Please check if pop-ups are blocked.'),
    )
    await page.getByRole('button', { name: 'Print Form' }).click()
    await warning
    await expect
      .poll(() => page.evaluate(() => (window as Window & { printedFrames?: number }).printedFrames ?? 0))
      .toBe(1)
  })
})
