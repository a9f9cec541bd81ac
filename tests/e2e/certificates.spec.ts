import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { storeGraduates } from './graduates.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

const lastName = uniqueLastName()
// Sixty characters.
const longName = 'Maria Consolacion Esperanza Immaculada Trinidad Purificacion'

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

test('graduates get certificates, printed whole on a page each', { tag: '@journey' }, async ({
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
  await storeGraduates(product.dataDir, lastName)
  await queryDatabase(
    product.dataDir,
    `update students set serial_number = 'C-03-100001-27' where last_name = '${lastName}A';
    update students set serial_number = 'RO-R03-000017-27' where last_name = '${lastName}B'`,
  )
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
  await test.step('a record shows its certificates, and a certification is issued from there', async () => {
    const [student] = await queryDatabase<{ id: string }>(
      product.dataDir,
      `select id from students where last_name = '${lastName}A'`,
    )
    await page.goto(`/admin?tab=students&student=${student?.id}`)
    const record = page.getByRole('dialog')
    await expect(record.getByRole('list', { name: 'Certificates' })).toContainText('NSTP-2027-')
    await record.getByRole('button', { name: 'Certification…' }).click()
    await page.getByRole('button', { name: 'Issue and print 1' }).click()
    const certification = await printed(page)
    // A4, standing.
    expect(certification.pages).toEqual([[595, 842]])
    expect(certification.texts[0]).toContain('with serial number C-03-100001-27')
    await expect(record.getByRole('list', { name: 'Certificates' })).toContainText('Certification NSTP-')
  })
})

test('a certificate is printed again, revoked with a reason, and a visitor who verifies its code reads so', {
  tag: '@journey',
}, async ({ page, product, browser }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await signIn(page)
  await page.goto('/admin?tab=papers&pane=certificates&year=2026-2027')
  await expectReady(page)
  await page.getByRole('button', { name: 'Issued', exact: true }).click()
  const row = page.getByRole('row', { name: `${lastName}B` })
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Print again' }).click()
  const { texts } = await printed(page)
  expect(texts).toHaveLength(1)
  await expect(row).toContainText('2')
  const [number = ''] = /NSTP-2027-\d{6}/.exec(texts[0] ?? '') ?? []
  const [, code = ''] = /Code ([\w-]+)/.exec(texts[0] ?? '') ?? []

  // What else a visitor reads is in tests/pages/certificates.test.ts.
  const visitor = await (await browser.newContext({ baseURL: product.url })).newPage()
  const verify = async () => {
    await visitor.goto('/verify')
    await visitor.getByLabel('Code on the certificate').fill(code)
    await visitor.keyboard.press('Enter')
  }
  await verify()
  await expect(visitor.getByRole('status')).toContainText(`Certificate ${number} is genuine.`)

  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  const revoking = page.getByRole('dialog', { name: `Revoke ${number}` })
  await revoking.getByRole('button', { name: 'Revoke' }).click()
  await expect(revoking).toContainText('Please fill in the reason.')
  await revoking.getByLabel('Reason').fill('Wrong rank')
  await revoking.getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toContainText('Wrong rank')
  await verify()
  await expect(visitor.getByRole('status')).toContainText('This certificate was revoked.')
  await expect(visitor.getByRole('status')).not.toContainText('genuine')
  await expectAccessible(visitor)
  const revoked = await queryDatabase(
    product.dataDir,
    `select number, revoke_reason from certificates where revoked_at is not null`,
  )
  expect(revoked).toEqual([{ number, revoke_reason: 'Wrong rank' }])
  await test.step('500 stand ready for the print window', async () => {
    await page.route('**/api/certificates/prints', async (route) => {
      const answer = await route.fetch()
      const { items, verifyAt } = await answer.json()
      const many = Array.from({ length: 500 }, (_, index) => ({ ...items[0], id: `${items[0].id}-${index}` }))
      await route.fulfill({ response: answer, json: { items: many, verifyAt } })
    })
    await page.goto('/admin?tab=papers&pane=certificates&year=2026-2027&show=all')
    await expectReady(page)
    await page
      .getByRole('button', { name: /^Actions for NSTP-2027/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Print again' }).click()
    await expect(page.locator('body')).toHaveAttribute('data-printed')
    expect(await page.locator('.certificate').count()).toBe(500)
    await page.unroute('**/api/certificates/prints')
  })
})
