import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, signInByForm, test } from './journey.ts'
import { addPosition, arrangementOf, clearChart } from './org-chart.ts'

test.beforeEach(async ({ page }) => {
  await signIn(page)
  await clearChart(page.request)
})

async function openTab(page: Page, query = '&view=list') {
  await page.goto(`/admin?tab=orgchart${query}`)
  await expect(page.getByRole('tree')).toBeVisible()
}

const position = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save organization' }).click()
const ifMatch = (version: number) => ({ headers: { 'If-Match': `"${version}"` } })

/** Moves a position by keys. */
async function move(page: Page, name: RegExp, key: string) {
  await position(page, name).focus()
  await page.keyboard.press(key)
}

async function editOf(page: Page, name: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit position' })
  await expect(form.getByLabel('Name')).toHaveValue(name)
  return form
}

test('what others change appears at once, and unsaved moves stay', async ({ page }) => {
  const dean = await addPosition(page.request, 'Dean')
  const rotc = await addPosition(page.request, 'ROTC', { parentId: dean.id })
  await addPosition(page.request, 'CWTS', { parentId: dean.id })
  await openTab(page)
  await move(page, /^CWTS/, 'Alt+ArrowUp')
  await expect(position(page, /^CWTS/)).toHaveAttribute('aria-posinset', '1')

  await addPosition(page.request, 'LTS', { parentId: dean.id })
  await page.request.patch(`/api/org-chart/nodes/${rotc.id}`, {
    data: { name: 'ROTC Office' },
    ...ifMatch(1),
  })
  await expect(position(page, /^LTS/)).toBeVisible()
  await expect(position(page, /^ROTC Office/)).toBeVisible()
  await expect(position(page, /^CWTS/)).toHaveAttribute('aria-posinset', '1')
  await save(page)
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  expect(await arrangementOf(page.request)).toEqual(['/Dean', 'Dean/CWTS', 'Dean/ROTC Office', 'Dean/LTS'])
})

test('moves that another change made impossible are listed, and the others are saved', async ({ page }) => {
  const dean = await addPosition(page.request, 'Dean')
  const rotc = await addPosition(page.request, 'ROTC', { parentId: dean.id })
  await addPosition(page.request, 'CWTS', { parentId: dean.id })
  await openTab(page)
  await move(page, /^ROTC/, 'Alt+ArrowLeft')
  await move(page, /^CWTS/, 'Alt+ArrowLeft')
  await page.request.delete(`/api/org-chart/nodes/${rotc.id}`, ifMatch(1))
  await expect(page.getByText(/^One of your moves is no longer possible/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'OK' }).click()
  await save(page)
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  expect(await arrangementOf(page.request)).toEqual(['/Dean', '/CWTS'])
})

test('saving on a chart that others changed unnoticed keeps the moves and says what to do', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/, /409/)
  const dean = await addPosition(page.request, 'Dean')
  for (const name of ['ROTC', 'CWTS']) await addPosition(page.request, name, { parentId: dean.id })
  // Notices don't come through.
  await page.route('**/api/events*', (route) => route.abort())
  await openTab(page)
  await move(page, /^CWTS/, 'Alt+ArrowUp')
  await addPosition(page.request, 'LTS', { parentId: dean.id })
  await save(page)
  await expect(
    page.getByText('Failed to save organization structure: the chart was changed by someone else'),
  ).toBeVisible()
  await expect(position(page, /^LTS/)).toBeVisible()
  await expect(position(page, /^CWTS/)).toHaveAttribute('aria-posinset', '1')
  await expectAccessible(page)
  await save(page)
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  expect(await arrangementOf(page.request)).toEqual(['/Dean', 'Dean/CWTS', 'Dean/ROTC', 'Dean/LTS'])
})

test('deleting what others changed unnoticed is refused, and asked for again of what it is now', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/, /409/)
  const dean = await addPosition(page.request, 'Dean')
  // Notices don't come through.
  await page.route('**/api/events*', (route) => route.abort())
  await openTab(page)
  await page.getByRole('button', { name: 'Actions for Dean' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete position' })
  await page.request.patch(`/api/org-chart/nodes/${dean.id}`, { data: { name: 'Dr. Reyes' }, ...ifMatch(1) })
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(question.getByText(/^Failed to delete node: Someone else changed this/)).toBeVisible()
  await expect(question).toContainText('Are you sure you want to delete Dr. Reyes')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Dr. Reyes was deleted successfully!')).toBeVisible()
})

test('a lost connection loses no move and nothing typed', async ({ page, expectedErrors }) => {
  expectedErrors.push(/ERR_FAILED/)
  await addPosition(page.request, 'Dean')
  await addPosition(page.request, 'Guest')
  await openTab(page)
  await move(page, /^Guest/, 'Alt+ArrowUp')
  await page.route('**/api/org-chart/**', (route) => route.abort())
  await save(page)
  await expect(
    page.getByText(/^Failed to save organization structure: We could not reach the server/),
  ).toBeVisible()
  const form = await editOf(page, 'Guest')
  await form.getByLabel('Title').fill('Speaker')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(form.getByText(/^We could not reach the server/)).toBeVisible()
  await expect(form.getByLabel('Title')).toHaveValue('Speaker')
  await page.unroute('**/api/org-chart/**')
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Guest updated successfully!')).toBeVisible()
  await expect(form).toBeHidden()
  await expect(position(page, /^Guest/)).toHaveAttribute('aria-posinset', '1')
  await save(page)
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  expect(await arrangementOf(page.request)).toEqual(['/Guest', '/Dean'])
})

test('an ended session loses no move', async ({ page, context, expectedErrors }) => {
  expectedErrors.push(/401/)
  await addPosition(page.request, 'Dean')
  await addPosition(page.request, 'Guest')
  await openTab(page)
  await move(page, /^Guest/, 'Alt+ArrowUp')
  await context.clearCookies()
  await save(page)
  await expect(page.getByText(/Your session has ended. Sign in in another tab/)).toBeVisible()
  const other = await context.newPage()
  await signInByForm(other)
  await other.close()
  await save(page)
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  expect(await arrangementOf(page.request)).toEqual(['/Guest', '/Dean'])
})

test('leaving asks while moves or typed texts are not saved', async ({ page }) => {
  await addPosition(page.request, 'Dean')
  await addPosition(page.request, 'Guest')
  await openTab(page)
  await move(page, /^Guest/, 'Alt+ArrowUp')
  const prompt = page.getByRole('dialog', { name: 'Discard your changes?' })
  // Another view or filter is no leaving.
  await page.getByRole('button', { name: 'Chart view' }).click()
  await expect(page).toHaveURL(/view=chart/)
  await expect(prompt).toBeHidden()
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
  await expect(prompt.getByText('You have unsaved changes')).toBeVisible()
  await prompt.getByRole('button', { name: 'Keep editing' }).click()
  await expect(page.getByText('Unsaved moves')).toBeVisible()

  const form = await editOf(page, 'Guest')
  await form.getByLabel('Title').fill('Speaker')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(prompt.getByText('You have unsaved changes')).toBeVisible()
  await prompt.getByRole('button', { name: 'Discard changes' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByText('Unsaved moves')).toBeVisible()
})
