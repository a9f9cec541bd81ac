import type { Page } from '@playwright/test'
import { expect, expectAccessible, signIn, test } from './journey.ts'
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

test('what others change appears at once; unsaved moves stay, and those that became impossible are listed; none is lost by a failure', async ({
  page,
  context,
  expectedErrors,
}) => {
  const dean = await addPosition(page.request, 'Dean')
  const rotc = await addPosition(page.request, 'ROTC', { parentId: dean.id })
  await addPosition(page.request, 'CWTS', { parentId: dean.id })
  await openTab(page)
  await move(page, /^CWTS/, 'Alt+ArrowUp')
  const isFirst = () => expect(position(page, /^CWTS/)).toHaveAttribute('aria-posinset', '1')
  await isFirst()

  await test.step('what others add and rename', async () => {
    await addPosition(page.request, 'LTS', { parentId: dean.id })
    const renamed = { data: { name: 'ROTC Office' }, ...ifMatch(1) }
    await page.request.patch(`/api/org-chart/nodes/${rotc.id}`, renamed)
    await expect(position(page, /^LTS/)).toBeVisible()
    await expect(position(page, /^ROTC Office/)).toBeVisible()
    await isFirst()
  })

  await test.step('leaving asks while moves or typed texts are not saved', async () => {
    const prompt = page.getByRole('dialog', { name: 'Discard your changes?' })
    // Another view or filter is no leaving.
    await page.getByRole('button', { name: 'Chart view' }).click()
    await expect(page).toHaveURL(/view=chart/)
    await expect(prompt).toBeHidden()
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
    await expect(prompt.getByText('You have unsaved changes')).toBeVisible()
    await prompt.getByRole('button', { name: 'Keep editing' }).click()
    const form = await editOf(page, 'LTS')
    await form.getByLabel('Title').fill('Speaker')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await prompt.getByRole('button', { name: 'Discard changes' }).click()
    await expect(form).toBeHidden()
    await expect(page.getByText('Unsaved moves')).toBeVisible()
    await page.getByRole('button', { name: 'List view' }).click()
  })

  await test.step('a move that another change made impossible', async () => {
    await move(page, /^ROTC Office/, 'Alt+ArrowLeft')
    await page.request.delete(`/api/org-chart/nodes/${rotc.id}`, ifMatch(2))
    await expect(page.getByText(/^One of your moves is no longer possible/)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'OK' }).click()
  })
  await save(page)
  await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
  expect(await arrangementOf(page.request)).toEqual(['/Dean', 'Dean/CWTS', 'Dean/LTS'])
  await test.step('no move is lost without a connection, by what others changed unnoticed, or without a session', async () => {
    expectedErrors.push(/ERR_FAILED|401|409/)
    await clearChart(page.request)
    const dean = await addPosition(page.request, 'Dean')
    for (const name of ['ROTC', 'CWTS']) await addPosition(page.request, name, { parentId: dean.id })
    // Notices don't come through.
    await page.route('**/api/events*', (route) => route.abort())
    await openTab(page)
    await move(page, /^CWTS/, 'Alt+ArrowUp')
    const isFirst = () => expect(position(page, /^CWTS/)).toHaveAttribute('aria-posinset', '1')

    await test.step('without a connection', async () => {
      await page.route('**/api/org-chart/**', (route) => route.abort())
      await save(page)
      await expect(
        page.getByText(/^Failed to save organization structure: We could not reach the server/),
      ).toBeVisible()
      await isFirst()
      await page.unroute('**/api/org-chart/**')
    })

    await test.step('with a change that nobody told of', async () => {
      await addPosition(page.request, 'LTS', { parentId: dean.id })
      await save(page)
      await expect(
        page.getByText('Failed to save organization structure: the chart was changed by someone else'),
      ).toBeVisible()
      await expect(position(page, /^LTS/)).toBeVisible()
      await isFirst()
      await expectAccessible(page)
    })

    await test.step('without a session', async () => {
      await context.clearCookies()
      await save(page)
      await expect(page.getByText(/Your session has ended. Sign in in another tab/)).toBeVisible()
      await isFirst()
      await signIn(page)
    })
    await save(page)
    await expect(page.getByText('Organization structure saved successfully!')).toBeVisible()
    expect(await arrangementOf(page.request)).toEqual(['/Dean', 'Dean/CWTS', 'Dean/ROTC', 'Dean/LTS'])
  })
})
