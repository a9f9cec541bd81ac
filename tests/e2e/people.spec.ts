import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { canMoveClock } from '#tests/setup/moved-clock.ts'
import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, pressWhenReady, signIn, signInAs, test } from './journey.ts'

test.use({ movesClock: true })

async function screensOf(page: Page) {
  await page.goto('/admin')
  await expectReady(page)
  const menu = page.getByRole('complementary').getByRole('navigation', { name: 'Administration' })
  const links = await menu.getByRole('link').allTextContents()
  expect(links.at(-1)).toBe('Back to Home')
  return links.slice(0, -1)
}

const ofEverybody = ['Dashboard', 'Student Management', 'Archived']
const ofEditors = ['Dashboard', 'Student Management', 'Requests', 'Archived']

// Each screen is opened: an answer that refuses would be an error on the page's console.
test.describe('a person of the office sees what the work needs', () => {
  test('an assistant of one component, until the last day is over', { tag: '@journey' }, async ({
    page,
    product,
  }) => {
    test.skip(!canMoveClock, 'needs libfaketime')
    const [own, other] = [uniqueLastName(), uniqueLastName()]
    await registerStudent(page, { lastName: own, nstpComponent: 'CWTS', religion: 'Aglipayan' })
    await registerStudent(page, { lastName: other, nstpComponent: 'ROTC' })
    // Within the hour after which an assistant's session ends unused.
    product.clock.moveTo(new Date('2027-03-31T23:30:00+08:00'))
    const email = await signInAs(page, product, 'assistant', ['CWTS'])
    await queryDatabase(
      product.dataDir,
      `update admins set expires_on = '2027-03-31' where email = '${email}'`,
    )
    expect(await screensOf(page)).toEqual([...ofEditors, 'Terms & Sections'])
    await expect(page.getByRole('region', { name: 'Figures' })).toBeVisible()

    await page.goto('/admin?tab=students')
    await expectReady(page)
    await expect(page.getByText(`${own}, `).first()).toBeVisible()
    await expect(page.getByText(`${other}, `)).toHaveCount(0)
    for (const name of ['Export to Excel', 'Possible duplicates']) {
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    }
    await expect(page.getByRole('columnheader', { name: 'Email' })).toBeVisible()

    await page.getByRole('button', { name: new RegExp(`^View ${own}`) }).click()
    const dialog = page.getByRole('dialog', { name: 'Student Details' })
    await expect(dialog.getByText('Contact Number', { exact: true })).toBeVisible()
    for (const hidden of ['Religion', 'Blood Type', "Father's Name", 'Aglipayan', 'More actions']) {
      await expect(dialog.getByText(hidden, { exact: true })).toHaveCount(0)
    }
    // An open page would notice it first and go to the sign-in by itself.
    await page.goto('about:blank')
    product.clock.moveTo(new Date('2027-04-01T00:01:00+08:00'))
    await page.goto('/admin?tab=students')
    await page.waitForURL(/\/login/)
    product.clock.moveTo(new Date())
  })

  test.describe('at the desk', () => {
    // The browser itself reports what is refused.
    test.use({ expectedErrors: [/403/] })

    test('an assistant finds a student, corrects the phone number, prints the list, reads who is in a term, and reaches nothing more', {
      tag: '@journey',
    }, async ({ page, product }) => {
      await page.context().addInitScript(() => {
        window.print = () => undefined
      })
      const lastName = uniqueLastName()
      await registerStudent(page, { lastName, firstName: 'Ana', nstpComponent: 'CWTS' })
      await signInAs(page, product, 'assistant', ['CWTS'])
      await page.goto('/admin')
      const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
      await pressWhenReady(page, 'Control+k', search)
      await page.keyboard.type(lastName)
      await expect(page.getByRole('option', { name: `${lastName}, Ana` })).toBeVisible()
      await page.keyboard.press('Enter')
      const record = page.getByRole('dialog', { name: 'Student Details' })
      await record.getByRole('button', { name: 'Edit', exact: true }).click()
      const edit = page.getByRole('dialog', { name: /^Edit Student/ })
      await expect(edit.getByRole('combobox', { name: /^NSTP Component/ })).toHaveCount(0)
      await edit.getByRole('textbox', { name: /^Contact Number/ }).fill('0917 555 0101')
      await page.keyboard.press('Enter')
      await expect(edit).toBeHidden()
      await expect(record.getByText('0917 555 0101')).toBeVisible()
      // A sheet has what an assistant doesn't see.
      await expect(record.getByRole('button', { name: /Form$/ })).toHaveCount(0)
      for (const name of ['More actions', 'History', 'Delete', 'Archive'])
        await expect(record.getByRole('button', { name })).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(record).toBeHidden()
      await page.getByRole('button', { name: 'Print', exact: true }).click()
      await expect(page.locator('.print-list')).toContainText('0917 555 0101')
      for (const path of ['/statistics', '/email-test', '/admin?tab=import']) {
        await page.goto(path)
        await expect(page.getByText("Your account can't open this screen.")).toBeVisible()
      }
      await page.goto('/admin?tab=terms&pane=marks&component=CWTS&level=1')
      await expectReady(page)
      await expect(page.getByLabel(/^Mark of/)).toHaveCount(0)
      const [student] = await queryDatabase<{ id: string; contact_number: string }>(
        product.dataDir,
        `select id, contact_number from students where last_name = '${lastName}'`,
      )
      expect(student?.contact_number).toBe('0917 555 0101')
      const anyTerm = '0198f4b2-0000-7000-8000-00000000d001'
      for (const path of ['students/export.xlsx', 'audit', `terms/${anyTerm}/marks?component=CWTS&level=1`])
        expect([path, (await page.request.get(`/api/${path}`)).status()]).toEqual([path, 403])
      expect((await page.request.delete(`/api/students/${student?.id}`)).status()).toBe(403)
      await test.step('who is in a term is read, and nothing that tells a mark', async () => {
        const term = '0198f4b2-0000-7000-8000-00000000d001'
        await queryDatabase(
          product.dataDir,
          `delete from enrolments; delete from sections; delete from terms;
      insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values ('${term}', '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now());
      insert into enrolments (id, term_id, student_id, component, level, status, status_on, reason, entry, mark, outcome)
      select gen_random_uuid(), '${term}', id, 'CWTS', 1, 'dropped', '2026-09-01', 'Dengue fever', 'repeating', '5.00', 'failed'
      from students where last_name = '${lastName}'`,
        )
        // A link of a coordinator.
        await page.goto('/admin?tab=terms&pane=students&component=CWTS&level=1&status=waiting&sort=-entry')
        await expectReady(page)
        const status = page.getByRole('combobox', { name: 'Status' })
        await expect(status).toHaveValue('enrolled')
        await expect(status.getByRole('option', { name: 'Waiting for a section' })).toHaveCount(0)
        await status.selectOption('Dropped')
        const table = page.getByRole('table', { name: 'Students of the term' })
        await expect(table.getByText(`${lastName}, `)).toBeVisible()
        await expect(table.getByRole('columnheader', { name: /Entry|Mark|Outcome/ })).toHaveCount(0)
        await table.getByText(`${lastName}, `).click()
        const program = record.locator('section', {
          has: page.getByRole('heading', { name: 'NSTP program' }),
        })
        await expect(program).toContainText('dropped')
        await expect(program).not.toContainText(/Dengue|Next level|Failed|5\.00/)
      })
    })
  })

  test('an assistant’s dashboard has the code of the day, and tasks that an assistant may do', async ({
    page,
    product,
    browser,
  }) => {
    await registerStudent(page, { lastName: uniqueLastName(), nstpComponent: 'CWTS' })
    await queryDatabase(
      product.dataDir,
      `update students set student_id = ''; delete from enrolments; delete from sections; delete from terms;
      insert into terms (id, academic_year, semester, starts_on, ends_on, state, created_at)
      values (gen_random_uuid(), '2026-2027', 1, '2026-08-03', '2026-12-19', 'open', now())`,
    )
    const administrator = await (await browser.newContext({ baseURL: product.url })).newPage()
    await signIn(administrator)
    await changeSettings(administrator.request, { onlyWithCode: true })
    await signInAs(page, product, 'assistant', ['CWTS'])
    await page.goto('/admin')
    await expectReady(page)
    const { code } = await (await page.request.get('/api/registrations/code')).json()
    const region = page.getByRole('region', { name: 'Code of the day' })
    await expect(region.getByText(code)).toBeVisible()
    await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText('no student ID')
    await expect(page.getByRole('region', { name: 'This term' })).toHaveCount(0)
    await expectAccessible(page)
    await administrator.goto('/admin')
    await expect(administrator.getByRole('region', { name: 'This term' })).toContainText('without a section')

    await changeSettings(administrator.request, { onlyWithCode: false })
    await expect(region).toBeHidden()
  })

  test('a coordinator, a registrar and a privacy officer open every screen of their menu', {
    tag: '@journey',
  }, async ({ page, product }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    for (const [role, components, expected] of [
      [
        'coordinator',
        ['CWTS'],
        [
          ...ofEditors,
          'Statistics',
          'Import Students',
          'Terms & Sections',
          'Papers & Serials',
          'Announcements',
          'Email System',
          'Slideshow',
          'Organization Chart',
        ],
      ],
      ['privacy officer', [], [...ofEverybody, 'Audit Trail', 'Privacy', 'Terms & Sections']],
      ['registrar', [], [...ofEverybody, 'Statistics', 'Terms & Sections']],
    ] as const) {
      await test.step(role, async () => {
        // An open page would notice the other account and leave by itself.
        await page.goto('about:blank')
        await signInAs(page, product, role, [...components])
        const screens = await screensOf(page)
        expect(screens).toEqual(expected)
        const menu = page.getByRole('complementary').getByRole('navigation', { name: 'Administration' })
        for (const screen of screens) {
          await menu.getByRole('link', { name: screen, exact: true }).click()
          await expect(menu.getByRole('link', { name: screen, exact: true })).toHaveAttribute(
            'aria-current',
            'page',
          )
          await expectReady(page)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await page.waitForLoadState('networkidle')
          await expect(page.getByText('Permission denied')).toHaveCount(0)
          // Who can't set up the account learns what is missing before a message is written.
          if (screen === 'Email System') {
            await expect(
              page.getByText('Email service is not configured. An administrator sets up'),
            ).toBeVisible()
          }
          if (screen === 'Privacy') {
            const expired = page.getByRole('region', { name: 'Records to delete' })
            await expect(expired.getByText(/No records were archived before/)).toBeVisible()
          }
        }
      })
    }

    await test.step('of a record the registrar reads what belongs to studying alone', async () => {
      await page.goto('about:blank')
      await signInAs(page, product, 'registrar')
      await page.goto(`/admin?tab=students&search=${lastName}`)
      await expectReady(page)
      await expect(page.getByText(`${lastName}, `).first()).toBeVisible()
      for (const name of ['Email', 'Contact', 'Emergency Contact']) {
        await expect(page.getByRole('columnheader', { name, exact: true })).toHaveCount(0)
      }
      await page.getByRole('button', { name: new RegExp(`^View ${lastName}`) }).click()
      const dialog = page.getByRole('dialog', { name: 'Student Details' })
      await expect(dialog.getByText('Course', { exact: true })).toBeVisible()
      await expect(dialog.getByText('Contact Number', { exact: true })).toHaveCount(0)
      await expect(dialog.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
    })
  })

  test("a coordinator of one component finds actions for its students, reads a student's history, and nothing else of the trail", async ({
    page,
    product,
  }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
    await signInAs(page, product, 'coordinator', ['CWTS'])
    await page.goto(`/admin?tab=students&search=${lastName}`)
    await expectReady(page)
    await test.step('actions of Ctrl K', async () => {
      const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
      const found = page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
      for (const [text, titles] of [
        ['e-mail all', ['E-mail all CWTS students']],
        ['print sheets', ['Print sheets of CWTS']],
      ] as const) {
        await search.fill(text)
        await expect(found).toHaveText([...titles, `Search the students for “${text}”`])
      }
      await page.keyboard.press('Escape')
    })
    await page.getByRole('button', { name: new RegExp(`^View ${lastName}`) }).click()
    const dialog = page.getByRole('dialog', { name: 'Student Details' })
    await dialog.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'History' }).click()
    await expect(page.getByRole('heading', { name: 'Audit Trail' })).toBeVisible()
    await expect(page.getByRole('row', { name: /Viewed a student/ }).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'One student only: show all' })).toHaveCount(0)
    await page.goto('/admin?tab=audit')
    await expect(page.getByText("Your account can't open this screen.")).toBeVisible()
  })
})
