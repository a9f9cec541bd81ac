import { toCsv } from '#tests/factories/spreadsheet.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

test('the registrar’s list is compared, looked at, applied and undone', {
  tag: '@journey',
}, async ({ page, product }) => {
  test.slow()
  // Names that are no misspelling of each other.
  const [agreed, similar] = [uniqueLastName(), uniqueLastName().replace('Peñaflor', 'Quimson')]
  await queryDatabase(product.dataDir, 'delete from enrolments; delete from sections; delete from terms')
  for (const lastName of [agreed, similar])
    await registerStudent(page, { lastName, firstName: 'Ana Maria', nstpComponent: 'CWTS' })
  await queryDatabase(
    product.dataDir,
    `insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
     values (gen_random_uuid(), '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now());
     insert into enrolments (id, term_id, student_id, component, level, status_on, entry)
     select gen_random_uuid(), terms.id, students.id, 'CWTS', 1, '2026-08-03', 'new' from terms, students
     where last_name in ('${agreed}', '${similar}')`,
  )
  await signIn(page)
  await page.goto('/admin?tab=terms')
  await expectReady(page)
  await page.getByRole('button', { name: /^Lists / }).click()
  await expect(page.getByText('No lists yet.')).toBeVisible()
  await expectAccessible(page)
  const list = toCsv([
    { Name: `${agreed.toUpperCase()}, ANA MARIA`, Component: 'CWTS' },
    { Name: `${similar}, Ana`, Component: 'CWTS' },
    { Name: 'Elsewhere, Zita', Component: 'CWTS' },
  ])
  await page.getByLabel('List to compare').setInputFiles({
    name: 'Registrar.csv',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(list),
  })
  await expect(page.getByRole('heading', { name: 'Registrar’s List' })).toBeVisible()
  await expect(page.getByLabel('Field of Name')).toHaveValue('fullName')
  await expect(page.getByText(/signed a paper consent/)).toHaveCount(0)
  await expect(page.getByText(/Registrar\.csv · First semester 2026-2027 · 3 rows/)).toBeVisible()
  await page.getByRole('button', { name: 'Check the rows' }).click()

  await expect(page.getByText('1 student becomes official. Nothing else changes.')).toBeVisible()
  await expect(
    page.getByText(/Ours, not theirs: 1 student of the term, in all components and levels, is neither/),
  ).toBeVisible()
  await expect(page.getByText('The name is similar.')).toBeVisible()
  await expect(page.getByText(/^1 row without an answer will be left out\./)).toBeVisible()
  const check = page.url()
  await page.goto('/admin?tab=terms')
  await expectReady(page)
  await page.getByRole('list', { name: 'Open lists' }).getByRole('link', { name: 'Registrar.csv' }).click()
  await expect(page).toHaveURL(check)
  await expectAccessible(page)
  await page.getByRole('button', { name: /^Another…/ }).click()
  const search = page.getByRole('dialog')
  await search.getByLabel('Search').fill(similar)
  await expect(search.getByText(similar)).toBeVisible()
  await expectAccessible(page)
  await search.getByRole('button', { name: /^Same person/ }).click()
  await expect(search).toHaveCount(0)
  await expect(page.getByText('2 students become official. Nothing else changes.')).toBeVisible()
  await page.getByRole('button', { name: /Not found/ }).click()
  await expect(page.getByText('Elsewhere, Zita')).toBeVisible()

  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('2 students became official.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All lists of the term' }).click()
  await expect(page.getByRole('link', { name: 'Registrar.csv' })).toBeVisible()
  await expect(page.getByText('Applied', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Registrar.csv' }).click()

  await page.getByRole('button', { name: 'Undo list' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo list' }).click()
  await expect(page.getByText('The list was undone.')).toBeVisible()
  await expect(page.getByText(/Ours, not theirs/)).toHaveCount(0)
})
