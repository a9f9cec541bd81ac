import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import {
  expect,
  expectAccessible,
  holdRequests,
  pressWhenReady,
  signIn,
  test,
  waitForMotion,
} from './journey.ts'
import { openList, rows } from './student-list.ts'

test.describe('on a laptop of 1366 × 768', { tag: '@desktop' }, () => {
  test.use({ viewport: { width: 1366, height: 768 } })

  test('fifteen rows are in sight, the head stays, and columns, row height and page size are chosen and kept', async ({
    page,
  }) => {
    await signIn(page)
    const lastName = uniqueLastName()
    for (let n = 0; n < 30; n++) await registerStudent(page, { lastName, firstName: `Ana ${n}` })
    await openList(page, lastName)
    const row = page.locator('tbody tr')
    await expect(row).toHaveCount(30)
    await expect(row.nth(14)).toBeInViewport({ ratio: 1 })
    await row.last().scrollIntoViewIfNeeded()
    await expect(page.getByRole('columnheader', { name: 'Name', exact: true })).toBeInViewport({ ratio: 1 })
    // Nothing scrolls sideways.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1366)

    const display = page.getByRole('button', { name: 'Display' })
    const item = (name: string) => page.getByRole('menuitemcheckbox', { name })
    const choice = (name: string) => page.getByRole('menuitemradio', { name })
    await display.click()
    await expectAccessible(page)
    await item('Sex').click()
    await choice('Comfortable').click()
    await choice('25').click()
    await page.keyboard.press('Escape')
    const sex = page.getByRole('columnheader', { name: 'Sex' })
    await expect(sex).toHaveCount(0)
    await expect(rows(page, /^View/)).toHaveCount(25)
    await page.reload()
    await expect(rows(page, /^View/)).toHaveCount(25)
    await expect(sex).toHaveCount(0)
    await display.click()
    await expect(choice('Comfortable')).toBeChecked()
    await item('Sex').click()
    await page.keyboard.press('Escape')
    await expect(sex).toBeVisible()
  })
})

test.describe('on a laptop of 1280 px', { tag: '@desktop' }, () => {
  test('a phone number has one form, an e-mail one line, a column its width, which is moved; no word of a marked name is broken', async ({
    page,
  }) => {
    await signIn(page)
    const lastName = uniqueLastName()
    const contact = { contactNumber: '+63 920-555-2909', email: 'maria.cristina.delacruz@school.example' }
    await registerStudent(page, { lastName, ...contact })
    await openList(page, lastName)
    const heads = page.getByRole('columnheader')
    const shown = ['Student ID', 'Sex', 'Course', 'Academic Year', 'Contact', 'Email', 'NSTP Component']
    const all = ['Name', ...shown, 'Registration Date', 'Actions']
    await expect(heads).toHaveText([/./, ...all])
    const phone = page.getByTitle('0920 555 2909')
    expect(await phone.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false)
    const lines = await page
      .getByTitle(contact.email)
      .evaluate((cell) => cell.clientHeight / Number.parseFloat(getComputedStyle(cell).lineHeight))
    expect(lines).toBe(1)
    await page.getByLabel('Archive Status').selectOption('All Students')
    await expect(page.getByRole('columnheader', { name: 'Status' })).toBeVisible()
    await page.getByLabel('Archive Status').selectOption('Active Only')
    await page.getByLabel('Academic Year').selectOption('2026-2027')
    await expect(page.getByRole('columnheader', { name: 'Academic Year' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Display', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Status' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('columnheader', { name: 'Status' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
    await test.step('the edge of a column is moved by keys and by the pointer, and kept; the archive has room for a name', async () => {
      const lastName = uniqueLastName()
      await registerStudent(page, { lastName })
      await openList(page, lastName)
      const email = page.getByRole('columnheader', { name: 'Email', exact: true })
      const edge = email.locator('[data-edge]')
      const widthOf = async () => (await email.boundingBox())?.width ?? 0
      const before = await widthOf()
      await email.getByRole('button').press('Shift+ArrowLeft')
      await expect.poll(widthOf).toBeLessThan(before - 10)
      const box = await edge.boundingBox()
      if (!box) throw new Error('the edge is not on the screen')
      await page.mouse.move(box.x + 3, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(box.x - 37, box.y + 10, { steps: 3 })
      await page.mouse.up()
      await expect.poll(widthOf).toBeLessThan(before - 50)
      await expectAccessible(page)
      const kept = await widthOf()
      await page.reload()
      await expect.poll(widthOf).toBeCloseTo(kept, 0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280)
      await page.getByRole('button', { name: 'Display' }).click()
      await page.getByRole('menuitem', { name: 'Reset column widths' }).click()
      await expect.poll(widthOf).toBe(before)

      await test.step('the archive: its buttons stay within the list', async () => {
        const found = await page.request.get(`/api/students?search=${encodeURIComponent(lastName)}`)
        const { items } = await found.json()
        await page.request.post(`/api/students/${items[0].id}/archive`)
        await page.goto(`/admin/archived?search=${encodeURIComponent(lastName)}`)
        const name = page.getByRole('columnheader', { name: 'Name', exact: true })
        expect((await name.boundingBox())?.width).toBeGreaterThanOrEqual(220)
        const table = await page.getByRole('table').boundingBox()
        const last = await page
          .getByRole('button', { name: /^Actions for/ })
          .first()
          .boundingBox()
        if (!table || !last) throw new Error('the list is not on the screen')
        expect(last.x + last.width).toBeLessThanOrEqual(table.x + table.width)
      })
    })
    await test.step('on a tablet no word of a marked name is broken', async () => {
      await page.setViewportSize({ width: 1_024, height: 768 })
      const lastName = uniqueLastName()
      const name = { lastName, firstName: 'Christopher Emmanuel', middleName: 'Batungbacal' }
      const restricted = await registerStudent(page, name)
      await registerStudent(page, name)
      const { items } = await (await page.request.get(`/api/students?search=${restricted}`)).json()
      await page.request.put(`/api/students/${items[0].id}/restriction`, {
        data: { restriction: 'withdrawn' },
        headers: { 'If-Match': '"1"' },
      })
      await openList(page, lastName)
      await expect(page.getByRole('row').getByTitle('Consent withdrawn')).toBeVisible()
      for (const view of await rows(page, /^View/).all()) {
        const broken = await view.evaluate((button) => {
          const text = document.createTreeWalker(button, NodeFilter.SHOW_TEXT).nextNode()
          return [...(text?.textContent?.matchAll(/[^ -]+/g) ?? [])].filter((word) => {
            const range = document.createRange()
            if (text) range.setStart(text, word.index)
            if (text) range.setEnd(text, word.index + word[0].length)
            return range.getClientRects().length > 1
          })
        })
        expect(broken).toEqual([])
      }
    })
  })
})

test('on a phone filters are folded away, and a selection’s actions fit: two buttons, and a menu', {
  tag: '@phone',
}, async ({ page }) => {
  await signIn(page)
  const lastName = uniqueLastName()
  for (let n = 0; n < 2; n++) await registerStudent(page, { lastName, firstName: `Ana ${n}` })
  // The narrowest.
  await page.setViewportSize({ width: 320, height: 700 })
  await openList(page, lastName)
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByLabel('Academic Year').selectOption('2023-2024')
  await expect(page.getByText('No matching students found.')).toBeVisible()
  await page.getByLabel('Academic Year').selectOption({ index: 0 })
  await expect(rows(page, /^View/)).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all students on every page' }).click()
  for (const name of ['E-mail', 'Archive Selected (2)', 'More actions', 'Clear selection']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
  }
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Print Sheets (2)',
    'Export',
    'Change…',
    'Graduated before…',
    'Mark as fake…',
  ])
  expect(await page.evaluate(() => window.innerWidth)).toBe(320)
  // A control that is half under the bar counts as a target too small.
  await page.setViewportSize({ width: 320, height: 2_000 })
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Change…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 2 Students' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(more).toBeFocused()
})

test('filters are saved as a view, without the search, and removed', { tag: '@journey' }, async ({
  page,
}) => {
  await signIn(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana', yearLevel: '2nd Year', studentId: '' })
  await registerStudent(page, { lastName, firstName: 'Berta', yearLevel: '2nd Year', studentId: '2026-1' })
  await registerStudent(page, { lastName, firstName: 'Carla', yearLevel: '1st Year', studentId: '' })
  await openList(page, lastName)
  await expect(rows(page, /^View/)).toHaveCount(3)
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByLabel('Year Level').selectOption('2nd Year')
  await expect(rows(page, /^View/)).toHaveCount(2)
  await page.getByLabel('Missing Data').selectOption('No Student ID')
  await expect(rows(page, /^View/)).toHaveCount(1)
  await expect(rows(page, /^View/)).toContainText('Ana')

  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save these filters' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please give the view a name.')).toBeVisible()
  await dialog.getByLabel('Name of the view').fill('2nd year, no ID')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const view = page.getByRole('link', { name: '2nd year, no ID' })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await expect(view).not.toHaveAttribute('href', new RegExp(lastName))

  await page.goto('/admin?tab=students')
  await view.click()
  await expect(page.getByLabel('Missing Data')).toHaveValue('studentId')
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitem', { name: 'Remove “2nd year, no ID”' }).click()
  await expect(view).toHaveCount(0)
})

test('a name is found and corrected by the keyboard alone, also while the record loads', {
  tag: '@journey',
}, async ({ page }) => {
  await signIn(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName, firstName: 'Ana', middleName: 'Reys' })
  await page.goto('/admin')
  const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
  await pressWhenReady(page, 'Control+k', search)
  await page.keyboard.type(lastName)
  await expect(page.getByRole('option', { name: `${lastName}, Ana` })).toBeVisible()
  // Of parts of the record: the rest stays, with its focus, while they load.
  const arrive = await holdRequests(page, /assets\/student-(program|mail|certificates)-/)
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Student Details' })
  await expect(sheet).toContainText('Ana Reys')
  await expect(sheet.getByRole('button', { name: 'Edit', exact: true })).toBeFocused()
  arrive()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: `Edit Student ${lastName}, Ana Reys · NSTP-` })
  await expect(form.getByLabel('Student ID')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Reyes')
  await page.keyboard.press('Enter')
  await expect(form).toBeHidden()
  await expect(sheet).toContainText(`${lastName}, Ana Reyes`)
  await test.step('Enter, Enter edits what was found, also while the record loads', async () => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await page.goto('/admin')
    const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
    await pressWhenReady(page, 'Control+k', search)
    await page.keyboard.type(lastName)
    // With the comma: the search for the name is an option too, and is there before the student.
    await expect(page.getByRole('option', { name: `${lastName},` })).toBeVisible()
    const arrive = await holdRequests(page, /\/api\/students\/[\w-]{36}$/)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Edit', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Edit Student' })).toBeVisible()
    arrive()
    await expect(page.getByRole('dialog').getByLabel('Last Name')).toHaveValue(lastName)
  })
})

test('Edit stays where it is while the record comes, on a wide and a narrow screen, and Enter, Enter edits before it is there', async ({
  page,
}) => {
  await signIn(page)
  const lastName = `${uniqueLastName()} de los Santos y Villanueva`
  const contact = { email: 'maria.cristina@school.example', contactNumber: '09205552909' }
  await registerStudent(page, { lastName, ...contact })
  const ofRecord = /\/api\/students\/[\w-]{36}$/
  for (const width of [390, 1_280]) {
    await test.step(`${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 800 })
      await openList(page, lastName)
      const arrive = await holdRequests(page, ofRecord)
      await rows(page, /^View/).click()
      const sheet = page.getByRole('dialog', { name: 'Student Details' })
      const edit = sheet.getByRole('button', { name: 'Edit', exact: true })
      await waitForMotion(page)
      const before = await edit.boundingBox()
      arrive()
      await expect(sheet).toContainText(lastName)
      await expect(sheet.getByRole('link', { name: 'Call' })).toBeVisible()
      expect(await edit.boundingBox()).toEqual(before)
      await page.unroute(ofRecord)
    })
  }
  await test.step('Enter, Enter edits what was found, also before anything of the record is there', async () => {
    const lastName = uniqueLastName()
    await registerStudent(page, { lastName })
    await page.goto('/admin')
    const search = page.getByRole('combobox', { name: 'Search students, screens and settings' })
    await pressWhenReady(page, 'Control+k', search)
    await page.keyboard.type(lastName)
    await expect(page.getByRole('option', { name: `${lastName},` })).toBeVisible()
    const arrive = await holdRequests(page, /assets\/students-tab-/)
    await page.keyboard.press('Enter')
    await expect(search).toHaveValue('')
    await page.keyboard.press('Enter')
    arrive()
    await expect(page.getByRole('dialog').getByLabel('Last Name')).toHaveValue(lastName)
    // Back leads to the record, as when Edit was pressed there.
    await page.goBack()
    await expect(page.getByRole('dialog', { name: 'Student Details' })).toBeVisible()
  })
})

test('a record, the next one, its editing, an e-mail, a call, the archive and the deletion are one press away', async ({
  page,
}) => {
  await signIn(page)
  const lastName = uniqueLastName()
  const email = 'maria.cristina@school.example'
  await registerStudent(page, { lastName, email, contactNumber: '+63 920 555 2909' })
  await openList(page, lastName)
  await rows(page, /^View/).click()
  const sheet = page.getByRole('dialog', { name: 'Student Details' })
  await expect(sheet.getByRole('link', { name: 'Call' })).toHaveAttribute('href', 'tel:+63 920 555 2909')
  await sheet.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['History', 'Print slip', 'Archive', 'Delete'])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await sheet.getByRole('link', { name: 'E-mail' }).click()
  await expect(page.getByLabel('Recipient')).toHaveValue(email)

  // Parts of the record still load while it is deleted.
  const arrive = await holdRequests(page, /\/api\/students\/[\w-]{36}\/(mail|certificates)$/)
  await page.goBack()
  await sheet.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog', { name: 'Delete Student' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Student deleted successfully')).toBeVisible()
  arrive()
  await expect(sheet).toBeHidden()
  await expect(page.getByText('No matching students found.')).toBeVisible()
  await test.step('a press on a row opens the record; the next one and the editing are a step away', async () => {
    const lastName = uniqueLastName()
    for (const firstName of ['Ana', 'Berta', 'Carla']) await registerStudent(page, { lastName, firstName })
    await openList(page, lastName, { sort: 'name' })
    await page.getByRole('button', { name: `Actions for ${lastName}, Ana` }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['View', 'Edit', 'Archive', 'Delete'])
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('row', { name: /Ana/ }).getByRole('cell').nth(3).click()
    const sheet = page.getByRole('dialog', { name: 'Student Details' })
    await expect(sheet).toContainText(`${lastName}, Ana`)
    await expect(sheet).toContainText(/NSTP-\w{4}-\w{4}/)
    await expectAccessible(page)
    await page.keyboard.press('Alt+ArrowDown')
    await expect(sheet).toContainText(`${lastName}, Berta`)
    await sheet.getByRole('button', { name: 'Next student' }).click()
    await expect(sheet).toContainText(`${lastName}, Carla`)
    await expect(sheet.getByRole('button', { name: 'Next student' })).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('Alt+ArrowUp')
    await expect(sheet).toContainText(`${lastName}, Berta`)

    await sheet.getByRole('button', { name: 'Edit', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Edit Student' })
    await form.getByLabel('First Name').fill('Bertha')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await expect(form).toBeHidden()
    // Back to the record, with what was saved.
    await expect(sheet).toContainText(`${lastName}, Bertha`)
    await page.goBack()
    await expect(sheet).toBeHidden()
    await expect(rows(page, /^View/)).toHaveCount(3)
  })
})
