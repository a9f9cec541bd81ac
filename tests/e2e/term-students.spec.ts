import { defaultLevelNames } from '#shared/terms/level-names.ts'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import {
  dismissNotice,
  expect,
  expectAccessible,
  expectReady,
  signIn,
  test,
  unfoldTermBar,
} from './journey.ts'

const ids = { term: '0198f4b2-0000-7000-8000-00000000d001', full: '0198f4b2-0000-7000-8000-00000000d002' }

// The second journey begins with what the first one left.
test.describe.configure({ mode: 'serial' })

// The browser itself reports the refusal.
test.use({ expectedErrors: [/409/] })

test('a student is found, added to a term, moved and dropped', { tag: ['@both', '@journey'] }, async ({
  page,
  product,
}) => {
  await queryDatabase(
    product.dataDir,
    `delete from enrolments; delete from sections; delete from terms;
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
    values ('${ids.term}', '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now());
    insert into sections (id, term_id, component, level, name, capacity, position) values
    ('${ids.full}', '${ids.term}', 'CWTS', 1, 'Alpha', 1, 0),
    (gen_random_uuid(), '${ids.term}', 'CWTS', 1, 'Bravo', 2, 1)`,
  )
  const first = uniqueLastName()
  const second = `${first}B`
  await registerStudent(page, { lastName: first, nstpComponent: 'CWTS' })
  await registerStudent(page, { lastName: second, nstpComponent: 'CWTS' })
  await signIn(page)
  await page.goto('/admin?tab=terms&component=CWTS&level=1')
  await expectReady(page)
  await page.getByRole('button', { name: /^Students / }).click()
  await expect(page.getByText('Nobody is in CWTS, NSTP 1 yet.')).toBeVisible()

  const addButton = (lastName: string) =>
    page
      .getByRole('listitem')
      .filter({ hasText: `${lastName}, ` })
      .getByRole('button', { name: 'Add to this term…' })
  async function add(lastName: string, section: string) {
    await page.getByLabel('Search', { exact: true }).fill(lastName)
    await expect(page.getByText('Nobody here matches.')).toBeVisible()
    await addButton(lastName).click()
    const dialog = page.getByRole('dialog', { name: /^Add .+ to First semester 2026-2027$/ })
    await dialog.getByLabel('Section').selectOption({ label: section })
    return dialog
  }
  const adding = await add(first, 'Alpha · 1 free')
  await expectAccessible(page)
  await adding.getByRole('button', { name: 'Add to the term' }).click()
  const row = (lastName: string) => page.getByRole('row', { name: new RegExp(`${lastName}, `) })
  await dismissNotice(page, `${first}, `)
  await expect(row(first)).toContainText('Alpha')
  // Found beside the one who is in the term.
  await expect(addButton(second)).toBeVisible()
  await expect(addButton(first)).toHaveCount(0)
  const refused = await add(second, 'Alpha · full')
  await refused.getByRole('button', { name: 'Add to the term' }).click()
  await expect(refused.getByText('Alpha is full.')).toBeVisible()
  await refused.getByLabel('Section').selectOption({ label: 'Bravo · 2 free' })
  await refused.getByRole('button', { name: 'Add to the term' }).click()
  await dismissNotice(page, `${second}, `)
  await page.getByLabel('Search', { exact: true }).fill('')
  await expect(row(first)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('checkbox', { name: new RegExp(`^Select ${first},`) }).check()
  await page.getByRole('button', { name: 'Move or drop…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Move or drop/ })
  await dialog.getByLabel('To', { exact: true }).selectOption({ label: 'Bravo · 1 free' })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move 1 student' }).click()
  await expect(row(first)).toContainText('Bravo')
  const notice = page.getByRole('group').filter({ hasText: '1 student moved to Bravo' })
  await notice.getByRole('button', { name: 'Undo' }).click()
  await expect(row(first)).toContainText('Alpha')

  await page.getByRole('button', { name: new RegExp(`^Actions for ${second}`) }).click()
  await page.getByRole('menuitem', { name: 'Move or drop…' }).click()
  await dialog.getByRole('button', { name: 'Drop', exact: true }).click()
  await dialog.getByLabel('Reason').fill('Left school')
  await dialog.getByRole('button', { name: 'Drop 1 student' }).click()
  await dismissNotice(page, '1 student dropped')
  await expect(row(second)).toHaveCount(0)
  await page.getByLabel('Status').selectOption('Dropped')
  await expect(row(second)).toContainText('dropped')
  await unfoldTermBar(page)
  await page.getByRole('button', { name: 'Recent changes' }).click()
  await expect(page.getByRole('dialog').getByText('1 student dropped from CWTS, NSTP 1')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByLabel('Status').selectOption('Enrolled')
  await page.getByRole('checkbox', { name: new RegExp(`^Select ${first},`) }).check()
  await page.getByRole('button', { name: 'E-mail', exact: true }).click()
  await expect(page.getByText('1 selected student')).toBeVisible()
})

test('the record shows the term with its history, and takes a credit', { tag: '@journey' }, async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/admin?tab=terms&pane=students&component=CWTS&level=1')
  await expectReady(page)
  await page.getByRole('table', { name: 'Students of the term' }).getByRole('link').first().click()
  const record = page.getByRole('dialog', { name: 'Student Details' })
  const program = record.locator('section').filter({ has: page.getByText('NSTP program') })
  await expect(program.getByText('First semester 2026-2027')).toBeVisible()
  await program.getByText('History').click()
  await expect(program.getByText(/^Enrolled, Alpha/)).toBeVisible()
  await program.getByRole('button', { name: 'Credit or exemption…' }).click()
  const crediting = page.getByRole('dialog', { name: 'Credit or exemption' })
  await crediting.getByLabel('Level').selectOption('NSTP 2')
  await crediting.getByRole('button', { name: 'Add credit' }).click()
  await expect(crediting.getByText('Please fill in the evidence.')).toBeVisible()
  await crediting.getByLabel('Evidence').fill('Transcript of records')
  await expectAccessible(page)
  await crediting.getByRole('button', { name: 'Add credit' }).click()
  await expect(program.getByText('Credit of NSTP 2')).toBeVisible()
})

test('in the middle of a term a student moves to a section of another component, whose levels have the names of the settings', {
  tag: '@journey',
}, async ({ page, product }) => {
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
  await queryDatabase(
    product.dataDir,
    `delete from enrolments; delete from sections; delete from terms;
    insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
    values ('${ids.term}', '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now());
    insert into sections (id, term_id, component, level, name, capacity, position) values
    ('${ids.full}', '${ids.term}', 'CWTS', 1, 'Alpha', 60, 0),
    (gen_random_uuid(), '${ids.term}', 'LTS', 1, 'Lakas', 60, 0);
    insert into enrolments (id, term_id, student_id, component, level, section_id, status_on, entry)
    select gen_random_uuid(), '${ids.term}', id, 'CWTS', 1, '${ids.full}', '2026-08-03', 'new'
    from students where last_name = '${lastName}'`,
  )
  await signIn(page)
  await page.goto('/admin?tab=terms&component=CWTS&level=1')
  await expectReady(page)
  await expect(page.getByRole('row', { name: /^Alpha/ })).toContainText('1 of 60')
  await page.getByRole('button', { name: /^Students / }).click()
  await page.getByRole('link', { name: new RegExp(`${lastName}, `) }).click()
  const record = page.getByRole('dialog', { name: 'Student Details' })
  await record.getByRole('button', { name: 'Move or drop…' }).click()
  const moving = page.getByRole('dialog', { name: /^Move or drop/ })
  await moving.getByText('To another component or level').click()
  await moving.getByLabel('Component').selectOption('LTS')
  await moving.getByLabel('To', { exact: true }).selectOption({ label: 'Lakas · 60 free' })
  await moving.getByLabel('From day').fill('2026-09-14')
  await moving.getByLabel('Reason').fill('Asked for it')
  await moving.getByRole('button', { name: 'Move 1 student' }).click()
  await expect(page.getByText('1 student moved to Lakas')).toBeVisible()
  await expect(record.getByText(/^LTS, NSTP 1 · Lakas/)).toBeVisible()
  await record.getByText('History', { exact: true }).first().click()
  await expect(record.getByText(/^Moved to LTS, NSTP 1 · Asked for it/)).toBeVisible()

  await page.goto('/admin?tab=terms&component=CWTS&level=1')
  await expectReady(page)
  await expect(page.getByRole('row', { name: /^Alpha/ })).toContainText('0 of 60')
  await page.getByRole('button', { name: 'LTS' }).click()
  await expect(page.getByRole('row', { name: /^Lakas/ })).toContainText('1 of 60')
  await page.getByRole('button', { name: 'Actions for Lakas' }).click()
  await page.getByRole('menuitem', { name: 'Class list' }).click()
  await expect(page.getByRole('link', { name: new RegExp(`${lastName}, `) })).toBeVisible()
  const held = await queryDatabase(
    product.dataDir,
    `select nstp_component, enrolments.component, enrolments.status, name from students
    join enrolments on enrolments.student_id = students.id left join sections on sections.id = section_id
    where last_name = '${lastName}' order by enrolments.component`,
  )
  expect(held).toEqual([
    { nstp_component: 'LTS', component: 'CWTS', status: 'moved', name: 'Alpha' },
    { nstp_component: 'LTS', component: 'LTS', status: 'enrolled', name: 'Lakas' },
  ])
  await test.step('the levels of a component have the names of the settings', async () => {
    await page.goto('/admin?tab=terms&component=ROTC&level=2')
    await expectReady(page)
    await expect(page.getByText('ROTC has no sections of NSTP 2 yet.')).toBeVisible()
    const rotc = { first: 'MS-1', second: 'MS-2' }
    await changeSettings(page.request, { levelNames: { ...defaultLevelNames, ROTC: rotc } })
    await expect(page.getByText('ROTC has no sections of MS-2 yet.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'MS-1' })).toBeVisible()
    await page.getByRole('button', { name: 'CWTS' }).click()
    await expect(page.getByRole('button', { name: 'NSTP 1' })).toBeVisible()
    await changeSettings(page.request, { levelNames: defaultLevelNames })
  })
})
