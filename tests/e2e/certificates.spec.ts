import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

const lastName = uniqueLastName()
// Sixty characters.
const longName = 'Maria Consolacion Esperanza Immaculada Trinidad Purificacion'
const term = "'0198f4b2-0000-7000-8000-00000000c001'"

async function storeGraduates(dataDir: string) {
  for (const statement of [
    'delete from enrolments',
    'delete from sections',
    'delete from terms',
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2026-2027', 2, '2027-01-11', '2027-05-28', 'closed', now())`,
    `insert into enrolments (id, term_id, student_id, component, level, status_on, entry, mark, outcome)
      select gen_random_uuid(), ${term}, id, nstp_component, level, '2027-01-11', 'new', '1.25', 'passed'
      from students, unnest(array[1, 2]) level where last_name like '${lastName}%'`,
    `update students set serial_number = 'C-03-100001-27' where last_name = '${lastName}A'`,
    `update students set serial_number = 'RO-R03-000017-27' where last_name = '${lastName}B'`,
  ]) {
    await queryDatabase(dataDir, statement)
  }
}

/** What stands ready for the print window, which opens once. */
async function printed(page: Page) {
  await expect(page.locator('body')).toHaveAttribute('data-printed')
  await page.emulateMedia({ media: 'print' })
  const texts = await page.locator('.certificate').allInnerTexts()
  const isWhole = await page
    .locator('.certificate-name')
    .evaluateAll((names) => names.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
  // Ends the printing.
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const pages = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => [
    Math.round(Number(width)),
    Math.round(Number(height)),
  ])
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => document.body.removeAttribute('data-printed'))
  await expect(page.locator('.certificate')).toHaveCount(0)
  return { pages, texts, isWhole }
}

test('graduates get certificates, which a visitor verifies', { tag: '@journey' }, async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await registerStudent(page, { lastName: `${lastName}A`, firstName: longName, nstpComponent: 'CWTS' })
  await registerStudent(page, {
    ...{ lastName: `${lastName}B`, firstName: 'Juan', middleName: 'Dizon' },
    nstpComponent: 'ROTC',
  })
  await registerStudent(page, { lastName: `${lastName}C`, nstpComponent: 'CWTS' })
  await storeGraduates(product.dataDir)
  await signIn(page)
  await page.goto('/admin?tab=papers&pane=certificates&year=2026-2027')
  await expectReady(page)
  await expect(page.getByText('2 graduates without a certificate')).toBeVisible()
  await expect(page.getByText('Also 1 without a serial number')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Issue 2 certificates…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue 2 certificates' })
  await dialog.getByLabel('Day of issue').fill('2027-05-30')
  await dialog.getByLabel('Name 1').fill('Maria Reyes')
  await dialog.getByLabel('Title 1').fill('NSTP Director')
  await expect(dialog.getByRole('region', { name: 'Preview of the first' })).toContainText('30th of May 2027')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Issue and print 2' }).click()
  const { pages, texts, isWhole } = await printed(page)
  // Letter, lying, a page each.
  expect(pages).toEqual([
    [792, 612],
    [792, 612],
  ])
  expect(isWhole).toBe(true)
  expect(texts[0]).toContain(longName.toUpperCase())
  expect(texts[1]).toMatch(new RegExp(`Pvt JUAN DIZON ${lastName}B RO-R03-000017-27`, 'i'))
  const [number = ''] = /NSTP-2027-\d{6}/.exec(texts[1] ?? '') ?? []
  const [, code = ''] = /Code ([\w-]+)/.exec(texts[1] ?? '') ?? []

  // The printed code; what a visitor reads is in tests/pages/certificates.test.ts.
  const verified = await page.request.get(`/verify/${code}`)
  expect(await verified.text()).toContain(`Certificate ${number} is genuine.`)

  await page.getByRole('button', { name: 'Issued', exact: true }).click()
  await page.getByRole('button', { name: `Actions for ${number}` }).click()
  await page.getByRole('menuitem', { name: 'Print again' }).click()
  expect((await printed(page)).texts).toHaveLength(1)
  await expect(page.getByRole('row', { name: number })).toContainText('2')
  await page.getByRole('button', { name: `Actions for ${number}` }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  const revoking = page.getByRole('dialog', { name: `Revoke ${number}` })
  await revoking.getByRole('button', { name: 'Revoke' }).click()
  await expect(revoking).toContainText('Please fill in the reason.')
  await revoking.getByLabel('Reason').fill('Wrong rank')
  await revoking.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('row', { name: number })).toContainText('Wrong rank')
  await page.goto(`/verify/${code}`)
  await expect(page.getByRole('status')).toContainText('This certificate was revoked.')
  await expectAccessible(page)
})

test('a record shows its certificates, and a certification is issued from there', {
  tag: '@journey',
}, async ({ page, product }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  const [student] = await queryDatabase<{ id: string }>(
    product.dataDir,
    `select id from students where last_name = '${lastName}A'`,
  )
  await signIn(page)
  await page.goto(`/admin?tab=students&student=${student?.id}`)
  const record = page.getByRole('dialog')
  await expect(record.getByRole('list', { name: 'Certificates' })).toContainText('NSTP-2027-')
  await record.getByRole('button', { name: 'Certification…' }).click()
  await page.getByRole('button', { name: 'Issue and print 1' }).click()
  const { pages, texts } = await printed(page)
  // A4, standing.
  expect(pages).toEqual([[595, 842]])
  expect(texts[0]).toContain('with serial number C-03-100001-27')
  await expect(record.getByRole('list', { name: 'Certificates' })).toContainText('Certification NSTP-')
})

test('500 certificates stand ready for the print window', { tag: '@journey' }, async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await page.route('**/api/certificates/prints', async (route) => {
    const answer = await route.fetch()
    const { items, verifyAt } = await answer.json()
    const many = Array.from({ length: 500 }, (_, index) => ({ ...items[0], id: `${items[0].id}-${index}` }))
    await route.fulfill({ response: answer, json: { items: many, verifyAt } })
  })
  await signIn(page)
  await page.goto('/admin?tab=papers&pane=certificates&year=2026-2027&show=all')
  await expectReady(page)
  await page
    .getByRole('button', { name: /^Actions for NSTP-2027/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Print again' }).click()
  await expect(page.locator('body')).toHaveAttribute('data-printed')
  expect(await page.locator('.certificate').count()).toBe(500)
})
