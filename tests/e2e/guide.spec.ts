import { expect, expectAccessible, expectReady, signIn, test } from './journey.ts'

test('Help & Support opens the index, which leads to every page and to the law', {
  tag: '@desktop',
}, async ({ page, context }) => {
  // Twenty-two pages, each checked for accessibility.
  test.slow()
  await signIn(page)
  await page.goto('/admin')
  await page.getByRole('button', { name: /^User menu/ }).click()
  const opened = context.waitForEvent('page')
  await page.getByRole('menuitem', { name: 'Help & Support' }).click()
  const guide = await opened
  await expect(guide).toHaveURL(/\/help$/)
  await expect(guide).toHaveTitle(/^Help & Support · /)
  await expect(guide.getByRole('link', { name: /^Republic Act 9163/ })).toHaveAttribute('href', /ra_9163/)
  await expectAccessible(guide)

  const paths = await guide
    .getByRole('main')
    .locator('a[href^="/help/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(paths).toHaveLength(22)
  for (const path of paths) {
    await guide.locator(`main a[href="${path}"]`).click()
    await expect(guide).toHaveURL(path)
    await expect(guide.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await expectAccessible(guide)
    // Texts alone: what a narrow screen could break is its width.
    await guide.setViewportSize({ width: 390, height: 800 })
    expect(await guide.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await guide.setViewportSize({ width: 1_280, height: 800 })
    await guide.getByRole('link', { name: 'All help pages' }).click()
  }
})

test('the key ? opens the page of the screen, also under a dialog, but not in a field; the search finds all', async ({
  page,
}) => {
  await signIn(page)
  await page.goto('/admin?tab=students')
  await expect(page.locator('#content').getByText(/^[\d,]+ students?$/)).toBeVisible()
  await expectReady(page)
  const opened = page.waitForEvent('popup')
  await page.keyboard.press('?')
  const guide = await opened
  await expect(guide).toHaveURL(/\/help\/students$/)
  await expect(guide.getByRole('heading', { level: 1 })).toHaveText('Student Management')

  // The same window shows the next screen's page.
  await page.goto('/admin?tab=announcements')
  await page.getByRole('button', { name: 'New announcement' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('')
  await page.keyboard.type('Where?')
  await expect(dialog.getByLabel('Title')).toHaveValue('Where?')
  await expect(guide).toHaveURL(/\/help\/students$/)
  await dialog.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('?')
  await expect(guide).toHaveURL(/\/help\/announcements$/)
  await expect(dialog.getByLabel('Title')).toHaveValue('Where?')
  await test.step('the search finds the pages, which print without the frame', async () => {
    await guide.close()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect(dialog).toHaveCount(0)
    await page.goto('/admin')
    await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
    const results = page.getByRole('listbox', { name: 'Search results' })
    // A key that is pressed before the page's scripts run does nothing; the field waits for them.
    await page.getByRole('combobox').first().fill('help')
    await expect(results.getByRole('group', { name: 'Help' }).getByRole('option')).toHaveCount(3)
    await page.getByRole('combobox').first().fill('shortcuts')
    await expect(results.getByRole('option').first()).toHaveText('Keyboard shortcuts')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/help\/shortcuts$/)
    await expect(page).toHaveTitle(/^Keyboard shortcuts · /)

    // It prints without the frame.
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const role of ['banner', 'navigation', 'contentinfo'] as const) {
      await expect(page.getByRole(role)).toHaveCount(0)
    }
    await expect(page.getByRole('link', { name: 'All help pages' })).toBeHidden()
  })
})
