import { clearAnnouncements, editElsewhere, openManager, post, uniqueTitle } from './announcements.ts'
import { chooseAction, expect, expectAccessible, test } from './journey.ts'

test('deleting asks in its place, by keyboard too, and says what failed; so does the list, which filters narrow down', async ({
  page,
  expectedErrors,
}) => {
  // The browser itself reports the lost and the refused call.
  expectedErrors.push(/409|ERR_FAILED/)
  await openManager(page)
  const title = uniqueTitle()
  const posted = await post(page.request, { title, category: 'CWTS' })
  const menu = page.getByRole('button', { name: `Actions for ${title}` })
  async function removeByKeys() {
    await menu.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'View' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await removeByKeys()
  const question = page.getByRole('group', { name: `Delete “${title}”?` })
  await expect(question.getByRole('button', { name: 'No' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(menu).toBeFocused()
  await removeByKeys()
  await expect(question.getByRole('button', { name: 'No' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()

  await chooseAction(page, title, 'Delete')
  await question.getByRole('button', { name: 'Yes' }).click()
  const message = page.getByText('Announcement deleted successfully')
  await expect(message).toBeVisible()
  await expect(menu).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expectAccessible(page)
  await expect(message).toBeHidden({ timeout: 5_000 })

  const notice = page.getByText(`“${title}” was deleted.`)
  await expect(notice).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Announcement restored successfully')).toBeVisible()
  await expect(menu).toBeVisible()
  await page.reload()
  await expect(menu).toBeVisible()
  const corrected = uniqueTitle('Corrected')
  const yes = page.getByRole('group', { name: /^Delete / }).getByRole('button', { name: 'Yes' })

  await test.step('a deletion without a connection', async () => {
    await page.route('**/api/announcements/*', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    )
    await chooseAction(page, title, 'Delete')
    await yes.click()
    await expect(page.getByRole('alert')).toContainText(
      'Error: We could not reach the server. Please check your internet connection and try again.',
    )
    await page.unroute('**/api/announcements/*')
  })

  await test.step('a list that can’t be read, and is read again', async () => {
    await page.route('**/api/announcements?*', (route) => route.abort())
    await page.getByLabel('Category').selectOption('CWTS')
    const panel = page
      .getByRole('alert')
      .filter({ hasText: 'Failed to load announcements: We could not reach' })
    await expect(panel).toBeVisible()
    await page.unroute('**/api/announcements?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('button', { name: `Edit ${title}` })).toBeVisible()
  })

  await test.step('a deletion of what was changed meanwhile, which is asked for again', async () => {
    await chooseAction(page, title, 'Delete')
    await editElsewhere(page.request, posted.id, { title: corrected })
    await yes.click()
    await expect(page.getByRole('alert')).toContainText(
      'Error: Someone else changed this in the meantime. Please review the change and try again.',
    )
    await chooseAction(page, corrected, 'Delete')
    await page
      .getByRole('group', { name: `Delete “${corrected}”?` })
      .getByRole('button', { name: 'Yes' })
      .click()
    await expect(page.getByText('Announcement deleted successfully')).toBeVisible()
    await expect(page.getByText(corrected, { exact: true })).toHaveCount(0)
  })
  await test.step('the filters narrow the list down, and stand in the address', async () => {
    await page.goto('/admin?tab=announcements')
    await clearAnnouncements(page.request)
    await expect(page.getByText('No announcements available at this time.')).toBeVisible()
    await expectAccessible(page)
    const titles: Record<string, string> = {}
    for (const category of ['General', 'Event', 'Important', 'LTS']) {
      const title = uniqueTitle(category)
      titles[category] = title
      await post(page.request, { title, category })
    }
    const edit = page.getByRole('button', { name: /^Edit / })
    await expect(edit).toHaveCount(4)
    await expectAccessible(page)
    for (const [button, category] of [
      ['General', 'General'],
      ['Events', 'Event'],
      ['Notices', 'Important'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`category=${category}`))
      await expect(edit).toHaveText(['Edit'])
      await expect(page.getByText(titles[category] ?? '').first()).toBeVisible()
      await expect(page.getByRole('button', { name: button, exact: true })).toHaveAttribute(
        'aria-pressed',
        'true',
      )
    }
    await page.getByLabel('Category').selectOption('LTS')
    await expect(page.getByText(titles.LTS ?? '').first()).toBeVisible()
    await page.getByLabel('Category').selectOption('CWTS')
    await expect(page.getByText('No announcements in the CWTS category at this time.')).toBeVisible()
    await page.goto('/admin?tab=announcements&category=Event&state=draft')
    await expect(page.getByText('No announcements match these filters.')).toBeVisible()
    await page.getByRole('link', { name: 'All announcements' }).click()
    await expect(edit).toHaveCount(4)
  })
})
