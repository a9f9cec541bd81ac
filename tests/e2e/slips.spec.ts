import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'
import { openList } from './student-list.ts'

// The terms of a product are those of all its journeys.
test.describe.configure({ mode: 'serial' })

const term = "'0198f4b2-0000-7000-8000-00000000d001'"
const section = "'0198f4b2-0000-7000-8000-00000000d002'"

/** What stands ready for the print window, and on how many sheets of paper. */
async function printed(page: Page) {
  await expect(page.locator('body')).toHaveAttribute('data-printed')
  await page.emulateMedia({ media: 'print' })
  const slips = page.locator('.slips article')
  const texts = await slips.allInnerTexts()
  const isWhole = await slips.evaluateAll((all) =>
    all.every(({ scrollHeight, clientHeight, scrollWidth, clientWidth }) => {
      return scrollHeight <= clientHeight && scrollWidth <= clientWidth
    }),
  )
  // Ends the printing.
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => document.body.removeAttribute('data-printed'))
  await expect(slips).toHaveCount(0)
  return { texts, isWhole, sheets: pdf.match(/\/Type \/Page\b/g)?.length }
}

test('slips are printed for a student and for a section, ten on a sheet, and open /my', async ({
  page,
  product,
}) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  const lastName = uniqueLastName()
  const name = { lastName, firstName: 'Maria Consolacion Esperanza Immaculada Trinidad Purificacion' }
  const reference = await registerStudent(page, { ...name, nstpComponent: 'CWTS' })
  for (let count = 1; count < 12; count++) {
    await registerStudent(page, { lastName, firstName: `Ana ${count}`, nstpComponent: 'CWTS' })
  }
  await signIn(page)
  await openList(page, lastName)
  await page
    .getByRole('button', { name: `${lastName}, Maria`, exact: false })
    .first()
    .click()
  const record = page.getByRole('dialog', { name: 'Student Details' })
  await record.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Print slip' }).click()
  const dialog = page.getByRole('dialog', { name: 'Slips for students' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Print slip' }).click()
  const one = await printed(page)
  expect([one.texts.length, one.isWhole, one.sheets]).toEqual([1, true, 1])
  expect(one.texts[0]).toContain(`${lastName}, Maria`)
  expect(one.texts[0]).not.toContain(reference)
  const [code] = /[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(one.texts[0] ?? '') ?? []
  const open = () => page.request.post('/api/my/session/slip', { data: { reference, code } })
  expect((await open()).status()).toBe(201)

  await queryDatabase(
    product.dataDir,
    `delete from enrolments; delete from sections; delete from terms;
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (${term}, '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now());
    insert into sections (id, term_id, component, level, name, capacity, position)
      values (${section}, ${term}, 'CWTS', 1, 'Alpha', 60, 0);
    insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
      select gen_random_uuid(), ${term}, id, 'CWTS', 1, ${section}, '2026-08-03', 'new'
      from students where last_name = '${lastName}'`,
  )
  await page.goto('/admin?tab=terms&component=CWTS&level=1')
  await expectReady(page)
  await page.getByRole('button', { name: 'Actions for Alpha' }).click()
  await page.getByRole('menuitem', { name: 'Class list' }).click()
  await page
    .getByRole('dialog', { name: 'Class list of Alpha' })
    .getByRole('button', { name: 'Print slips' })
    .click()
  await dialog.getByRole('button', { name: 'Print 12 slips' }).click()
  const all = await printed(page)
  expect([all.texts.length, all.isWhole, all.sheets]).toEqual([12, true, 2])
  expect(all.texts.every((text) => text.includes('Alpha'))).toBe(true)
  // A new slip ends the one before.
  expect((await open()).status()).toBe(422)
})
