import type { Page } from '@playwright/test'
import { buildImage } from '#tests/factories/images.ts'
import { expect, expectAccessible, signIn, test } from './journey.ts'
import { addPosition, arrangementOf, clearChart, readChart } from './org-chart.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await clearChart(page.request)
})

async function openTab(page: Page, query = '') {
  await page.goto(`/admin?tab=orgchart${query}`)
  const empty = page.getByText('No organizational chart data available')
  await expect(page.getByRole('tree').or(empty)).toBeVisible()
}

const position = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })
const formOf = (page: Page) => page.getByRole('dialog', { name: /position$/ })

/** Opens the menu of a position by keys and chooses from it. */
async function chooseByKeys(page: Page, name: string, entry: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: entry, exact: true })
  await expect(item).toBeVisible()
  await expect(page.locator('[role="menu"]:focus-within')).toBeVisible()
  // By its first letters, as in every menu.
  await page.keyboard.type(entry.slice(0, 6))
  await expect(item).toBeFocused()
  await page.keyboard.press('Enter')
}

/** Fills the form in by keys and sends it. */
async function typePosition(page: Page, name: string, title = '') {
  await expect(formOf(page)).toBeVisible()
  await page.getByLabel('Name').focus()
  await page.keyboard.type(name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(title)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`${name} added successfully!`)).toBeVisible()
  await expect(formOf(page)).toBeHidden()
}

test('a chart is built by keyboard alone, arranged, and appears on the public page', {
  tag: '@journey',
}, async ({ page }) => {
  await openTab(page, '&view=list')
  await expect(page.getByText('No organizational chart data available')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add the first position' }).focus()
  await page.keyboard.press('Enter')
  await expect(formOf(page)).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await expect(formOf(page).locator('#name-error')).toHaveText('Name is required')
  await expect(page.getByLabel('Name')).toBeFocused()
  await typePosition(page, 'Dr. Reyes', 'Dean')

  for (const name of ['ROTC Office', 'CWTS Office', 'Aide']) {
    await chooseByKeys(page, 'Dr. Reyes', 'Add a report')
    await typePosition(page, name)
  }
  expect(await arrangementOf(page.request)).toEqual([
    '/Dr. Reyes',
    'Dr. Reyes/ROTC Office',
    'Dr. Reyes/CWTS Office',
    'Dr. Reyes/Aide',
  ])

  // From one position to the next by arrow keys; with Alt they move it.
  await position(page, /^Dr. Reyes/).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'Alt+ArrowUp']) await page.keyboard.press(key)
  await expect(position(page, /^CWTS Office/)).toBeFocused()
  await expect(position(page, /^CWTS Office/)).toHaveAttribute('aria-posinset', '1')
  await expect(page.getByText('CWTS Office is now number 1 of 3 under Dr. Reyes.')).toBeAttached()
  await page.keyboard.press('End')
  await page.keyboard.press('Alt+ArrowRight')
  await expect(position(page, /^Aide/)).toBeFocused()
  await expect(position(page, /^Aide/)).toHaveAttribute('aria-level', '3')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Save organization' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  await expect(page.getByText('Unsaved moves')).toBeHidden()
  expect(await arrangementOf(page.request)).toEqual([
    '/Dr. Reyes',
    'Dr. Reyes/CWTS Office',
    'Dr. Reyes/ROTC Office',
    'ROTC Office/Aide',
  ])
  await page.goto('/')
  await expect(page.getByText('CWTS Office').first()).toBeVisible()
})

test('positions are moved by a menu, by the bar and by two lists, and all is taken back; a department is looked at alone', async ({
  page,
}) => {
  const dean = await addPosition(page.request, 'Dean')
  await addPosition(page.request, 'ROTC', { parentId: dean.id })
  await addPosition(page.request, 'CWTS', { parentId: dean.id })
  await openTab(page, '&view=list')
  await chooseByKeys(page, 'CWTS', 'Move out one level')
  await expect(position(page, /^CWTS/)).toHaveAttribute('aria-level', '1')
  await expect(page.getByRole('button', { name: 'Actions for CWTS' })).toBeFocused()

  await position(page, /^ROTC/).click()
  const bar = page.getByRole('group', { name: 'Selected: ROTC' })
  await bar.getByRole('button', { name: 'Move out one level' }).click()
  await bar.getByRole('button', { name: 'Move up' }).click()
  await expect(position(page, /^ROTC/)).toHaveAttribute('aria-posinset', '1')

  await bar.getByRole('button', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move ROTC' })
  await expectAccessible(page)
  await dialog.getByLabel('Reports to').selectOption({ label: 'CWTS' })
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(position(page, /^ROTC/)).toHaveAttribute('aria-level', '2')

  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(position(page, /^ROTC/)).toHaveAttribute('aria-posinset', '1')
  await expect(page.getByRole('button', { name: 'Discard' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Save organization' })).toBeFocused()
  expect(await arrangementOf(page.request)).toEqual(['/Dean', 'Dean/ROTC', 'Dean/CWTS'])
  await test.step('the buttons narrow the chart down to a department, in either view', async () => {
    await clearChart(page.request)
    const dean = await addPosition(page.request, 'Dean', { department: 'Administration' })
    const office = await addPosition(page.request, 'Office', { parentId: dean.id })
    await addPosition(page.request, 'Teacher', { parentId: office.id, department: 'Faculty' })
    await addPosition(page.request, 'Clerk', { parentId: dean.id, department: 'Staff' })
    await openTab(page)
    await expect(page.getByRole('treeitem')).toHaveCount(4)
    await page.getByRole('button', { name: 'Faculty' }).click()
    await expect(page).toHaveURL(/department=Faculty/)
    await expect(position(page, /^Clerk/)).toBeHidden()
    // With those above it, to show where it stands.
    await expect(page.getByRole('treeitem')).toHaveCount(3)
    await expect(page.getByText('To rearrange the chart, show all departments.')).toBeVisible()
    await expectAccessible(page)
    for (const view of ['List view', 'Chart view']) {
      await page.getByRole('button', { name: view }).click()
      await expect(page).toHaveURL(view === 'List view' ? /view=list/ : /view=chart/)
      await page.reload()
      await expect(page.getByRole('button', { name: view })).toHaveAttribute('aria-pressed', 'true')
      await expect(page.getByRole('treeitem')).toHaveCount(3)
    }
    await page.getByRole('button', { name: 'Administration' }).click()
    await expect(page.getByRole('treeitem')).toHaveCount(1)
    await page.getByRole('button', { name: 'All Departments' }).click()
    await expect(page.getByRole('treeitem')).toHaveCount(4)
  })
})

test('a position is dragged before and under another one in the list and in the chart', {
  tag: '@journey',
}, async ({ page }) => {
  for (const view of ['list', 'chart'] as const) {
    await test.step(view, async () => {
      await clearChart(page.request)
      const dean = await addPosition(page.request, 'Dean')
      for (const name of ['ROTC', 'CWTS', 'LTS']) await addPosition(page.request, name, { parentId: dean.id })
      await openTab(page, `&view=${view}`)
      /** Drops one on a part of another: siblings lie under each other in a list, and side by side in a chart. */
      async function drop(name: RegExp, onto: RegExp, part: number) {
        const { width = 0, height = 0 } = (await position(page, onto).boundingBox()) ?? {}
        const along = { list: { x: width / 2, y: height * part }, chart: { x: width * part, y: height / 2 } }
        await position(page, name).dragTo(position(page, onto), {
          sourcePosition: { x: 40, y: 40 },
          targetPosition: along[view],
        })
      }
      await drop(/^LTS/, /^ROTC/, 0.1)
      await expect(position(page, /^LTS/)).toHaveAttribute('aria-posinset', '1')
      await drop(/^ROTC/, /^CWTS/, 0.5)
      await expect(position(page, /^ROTC/)).toHaveAttribute('aria-level', '3')
      // Not under what is under it.
      await drop(/^CWTS/, /^ROTC/, 0.5)
      await expect(position(page, /^CWTS/)).toHaveAttribute('aria-level', '2')
      await page.getByRole('button', { name: 'Save organization' }).click()
      await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
      expect(await arrangementOf(page.request)).toEqual(['/Dean', 'Dean/LTS', 'Dean/CWTS', 'CWTS/ROTC'])
    })
  }
})

test('a photo is added, survives an edit, is replaced and removed; a file of another type is refused', async ({
  page,
  expectedErrors,
}) => {
  // The browser's recorder reads the preview of a chosen file again, which no page may.
  expectedErrors.push(/422/, /^Connecting to 'blob:/)
  await openTab(page)
  await page.getByRole('button', { name: 'Add position', exact: true }).click()
  const form = formOf(page)
  const photo = form.locator('input[type="file"]')
  const problem = form.locator('#image-error')
  await form.getByLabel('Name').fill('Dr. Reyes')
  await photo.setInputFiles({
    name: 'big.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(2 * 1024 * 1024 + 1),
  })
  await expect(problem).toHaveText('Image file is too large. Maximum size is 2MB.')
  // It calls itself an image; its content says otherwise.
  await photo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') })
  await form.getByRole('button', { name: 'Add position' }).click()
  await expect(problem).toHaveText('Please select a valid image file (JPEG, PNG, GIF, or WEBP)')
  await photo.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: await buildImage('png') })
  await form.getByRole('button', { name: 'Add position' }).click()
  await expect(page.getByText('Dr. Reyes added successfully!')).toBeVisible()
  const imageUrl = async () => (await readChart(page.request)).items[0]?.imageUrl
  const first = await imageUrl()
  expect(first).toMatch(/\.jpg$/)

  const edit = async (change: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Actions for Dr. Reyes' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await expect(form.getByLabel('Name')).toHaveValue('Dr. Reyes')
    await change()
    await form.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Dr. Reyes updated successfully!')).toBeVisible()
    await expect(form).toBeHidden()
  }
  await edit(() => form.getByLabel('Title').fill('Dean'))
  expect(await imageUrl()).toBe(first)
  await edit(async () =>
    photo.setInputFiles({ name: 'b.jpg', mimeType: 'image/jpeg', buffer: await buildImage('jpeg') }),
  )
  expect(await imageUrl()).not.toBe(first)
  await edit(() => form.getByRole('button', { name: 'Remove the photo' }).click())
  expect(await imageUrl()).toBeNull()
})

test('deleting asks, is refused while there are children or changes, and says what failed', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/409|422|ERR_FAILED/)
  // Notices of changes don't come through.
  await page.route('**/api/events*', (route) => route.abort())
  const dean = await addPosition(page.request, 'Dean')
  await addPosition(page.request, 'Aide', { parentId: dean.id })
  await openTab(page, '&view=list')
  const dialog = page.getByRole('dialog', { name: 'Delete position' })
  await page.getByRole('button', { name: 'Actions for Dean' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('Escape')

  // As long as the move isn't saved, the server knows the child.
  await chooseByKeys(page, 'Aide', 'Move out one level')
  await chooseByKeys(page, 'Dean', 'Delete')
  await expect(dialog.getByText('Are you sure you want to delete Dean')).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(
    dialog.getByText('Cannot delete a node with children. Please remove or reassign the children first.'),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeFocused()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await chooseByKeys(page, 'Aide', 'Delete')
  await page.route('**/api/org-chart/nodes/*', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText(/^Failed to delete node: We could not reach the server/)).toBeVisible()
  await page.unroute('**/api/org-chart/nodes/*')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Aide was deleted successfully!')).toBeVisible()
  await expect(position(page, /^Aide/)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Organization Chart' })).toBeFocused()

  await chooseByKeys(page, 'Dean', 'Delete')
  const change = { data: { name: 'Dr. Reyes' }, headers: { 'If-Match': `"${dean.version}"` } }
  await page.request.patch(`/api/org-chart/nodes/${dean.id}`, change)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText(/^Failed to delete node: Someone else changed this/)).toBeVisible()
  await expect(dialog).toContainText('Are you sure you want to delete Dr. Reyes')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Dr. Reyes was deleted successfully!')).toBeVisible()
})
