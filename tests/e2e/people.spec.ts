import type { Page } from '@playwright/test'
import { queryDatabase } from '#tests/faults/product-database.ts'
import { changeSettings } from './change-settings.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import { expect, expectAccessible, expectReady, signIn, signInAs, test } from './journey.ts'

async function screensOf(page: Page) {
  await page.goto('/admin')
  await expectReady(page)
  const menu = page.getByRole('complementary').getByRole('navigation', { name: 'Administration' })
  return await menu.getByRole('link').allTextContents()
}

const ofEverybody = ['Dashboard', 'Student Management', 'Archived']

// Each screen is opened: an answer that refuses would be an error on the page's console.
test.describe('a person of the office sees what the work needs', () => {
  test('an assistant of one component, until the last day is over', { tag: '@journey' }, async ({
    page,
    product,
  }) => {
    const [own, other] = [uniqueLastName(), uniqueLastName()]
    await registerStudent(page, { lastName: own, nstpComponent: 'CWTS', religion: 'Aglipayan' })
    await registerStudent(page, { lastName: other, nstpComponent: 'ROTC' })
    const email = await signInAs(page, product, 'assistant', ['CWTS'])
    expect(await screensOf(page)).toEqual([...ofEverybody, 'Terms & Sections'])
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
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
    const edit = page.getByRole('dialog', { name: /^Edit Student/ })
    await expect(edit.getByRole('combobox', { name: /^NSTP Component/ })).toHaveCount(0)
    await edit.getByRole('textbox', { name: /^Contact Number/ }).fill('0917 555 0101')
    await edit.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByText('Student updated successfully')).toBeVisible()

    await page.goto('/admin?tab=import')
    await expect(page.getByText("Your account can't open this screen.")).toBeVisible()

    // An open page would notice it first and go to the sign-in by itself.
    await page.goto('about:blank')
    await queryDatabase(
      product.dataDir,
      `update admins set expires_on = current_date - 1 where email = '${email}'`,
    )
    await page.goto('/admin?tab=students')
    await page.waitForURL(/\/login/)
  })

  test('an assistant reads who is in a term, and nothing that tells a mark', { tag: '@journey' }, async ({
    page,
    product,
  }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName, nstpComponent: 'CWTS' })
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
    await signInAs(page, product, 'assistant', [])
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
    const record = page.getByRole('dialog', { name: 'Student Details' })
    const program = record.locator('section', { has: page.getByRole('heading', { name: 'NSTP program' }) })
    await expect(program).toContainText('dropped')
    await expect(program).not.toContainText(/Dengue|Next level|Failed|5\.00/)
  })

  test('an assistant reads the code of the day on the dashboard', async ({ page, product, browser }) => {
    const administrator = await (await browser.newContext({ baseURL: product.url })).newPage()
    await signIn(administrator)
    await changeSettings(administrator.request, { onlyWithCode: true })
    await signInAs(page, product, 'assistant', ['CWTS'])
    await page.goto('/admin')
    await expectReady(page)
    const { code } = await (await page.request.get('/api/registrations/code')).json()
    const region = page.getByRole('region', { name: 'Code of the day' })
    await expect(region.getByText(code)).toBeVisible()
    await expectAccessible(page)

    await changeSettings(administrator.request, { onlyWithCode: false })
    await expect(region).toBeHidden()
  })

  test('the registrar', { tag: '@journey' }, async ({ page, product }) => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await signInAs(page, product, 'registrar')
    expect(await screensOf(page)).toEqual([...ofEverybody, 'Statistics', 'Terms & Sections'])
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
    await page.goto('/statistics')
    await expectReady(page)
    await expect(page.getByRole('heading', { name: /Statistics/ }).first()).toBeVisible()
  })

  test('a coordinator opens every screen of the menu', { tag: '@journey' }, async ({ page, product }) => {
    await signInAs(page, product, 'coordinator', ['CWTS'])
    const screens = await screensOf(page)
    expect(screens).toEqual([
      ...ofEverybody,
      'Statistics',
      'Import Students',
      'Terms & Sections',
      'Papers & Serials',
      'Announcements',
      'Email System',
      'Slideshow',
      'Organization Chart',
    ])
    for (const screen of screens) {
      await page.goto('/admin')
      await expectReady(page)
      const menu = page.getByRole('complementary').getByRole('navigation', { name: 'Administration' })
      await menu.getByRole('link', { name: screen, exact: true }).click()
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
    }
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

  test('the privacy officer opens every screen of the menu', async ({ page, product }) => {
    await signInAs(page, product, 'privacy officer')
    const screens = await screensOf(page)
    expect(screens).toEqual([...ofEverybody, 'Audit Trail', 'Privacy', 'Terms & Sections'])
    for (const screen of screens) {
      await page.goto('/admin')
      await expectReady(page)
      const menu = page.getByRole('complementary').getByRole('navigation', { name: 'Administration' })
      await menu.getByRole('link', { name: screen, exact: true }).click()
      await expectReady(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expect(page.getByText('Permission denied')).toHaveCount(0)
    }
    await page.goto('/admin?tab=privacy')
    const expired = page.getByRole('region', { name: 'Records to delete' })
    await expect(expired.getByText(/No records were archived before/)).toBeVisible()
  })
})
