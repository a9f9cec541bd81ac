import type { Locator, Page } from '@playwright/test'
import { adminEmail } from '#tests/setup/administrator.ts'
import { registerStudent, uniqueLastName } from './enlistment-form.ts'
import {
  countShifts,
  expect,
  expectAccessible,
  expectReady,
  holdRequests,
  pressWhenReady,
  signIn,
  test,
} from './journey.ts'

async function openStatistics(page: Page) {
  await page.goto('/statistics')
  await expect(page.getByText('All Time · All components')).toBeVisible()
}

function quickSearch(page: Page) {
  return page.getByRole('combobox', { name: 'Search students, screens and settings' })
}

function results(page: Page) {
  return page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
}

test.describe('with scripts held up', () => {
  // The browser itself reports the files that the journey holds back.
  test.use({ expectedErrors: [/ERR_FAILED/] })

  test('the side menu is put away on a wide screen, and stays so on this device', async ({ page }) => {
    await signIn(page)
    await openStatistics(page)
    const menu = page.getByRole('navigation', { name: 'Administration' })
    await expect(menu.getByRole('link')).toHaveText([
      'Dashboard',
      'Student Management',
      'Requests',
      'Archived',
      'Statistics',
      'Import Students',
      'Audit Trail',
      'Privacy',
      'Terms & Sections',
      'Papers & Serials',
      'Announcements',
      'Email System',
      'Slideshow',
      'Organization Chart',
      'People',
      'System Settings',
      'Backup',
      'Back to Home',
    ])
    await expect(menu.getByRole('link', { name: 'Statistics' })).toHaveAttribute('aria-current', 'page')
    const toggle = page.getByRole('button', { name: 'Side menu' })
    await expect(toggle).toHaveAttribute('aria-expanded', 'true')
    await toggle.click()
    await expect(menu).toBeHidden()

    // Before any script of the page runs: it never flashes.
    await page.route('**/assets/**', (route) => route.abort())
    await page.goto('/statistics')
    await expect(page.getByRole('heading', { name: 'NSTP Statistics Dashboard' })).toBeVisible()
    await expect(menu).toBeHidden()
    await page.unroute('**/assets/**')
    await page.reload()
    await expect(toggle).toHaveAttribute('aria-expanded', 'false')
    await toggle.press('Enter')
    await expect(menu).toBeVisible()
    await menu.getByRole('link', { name: 'Student Management' }).click()
    await expect(page).toHaveURL(/\/admin\?tab=students$/)
  })
})

test('what acts by script waits for the scripts, and looks the same', async ({ page }) => {
  await signIn(page)
  for (const path of ['/admin?tab=students', '/statistics']) {
    await test.step(path, async () => {
      const arrive = await holdRequests(page, '**/assets/*.js')
      await page.goto(path, { waitUntil: 'commit' })
      await expect(page.getByRole('contentinfo')).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator(':is(button, input, select):enabled')).toHaveCount(0)
      await expectAccessible(page)
      const looks = () =>
        page.locator('header :is(button, input), main select').evaluateAll((controls) =>
          controls.map((control) => {
            const { color, backgroundColor, opacity } = getComputedStyle(control)
            return { color, backgroundColor, opacity }
          }),
        )
      const before = await looks()

      arrive()
      const userMenu = page.getByRole('button', { name: /^User menu/ })
      await expect(userMenu).toBeEnabled()
      expect(await looks()).toEqual(before)
      await userMenu.click()
      await expect(page.getByRole('menuitem', { name: 'Profile Settings' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'Logout', exact: true })).toBeVisible()
      await page.unroute('**/assets/*.js')
    })
  }
})

test('on a phone the menu lies over the page: it keeps the focus, and Escape gives it back; a notice leaves free what was pressed', {
  tag: '@phone',
}, async ({ page }) => {
  await signIn(page)
  await openStatistics(page)
  await expect(page.getByRole('navigation', { name: 'Administration' })).toBeHidden()
  const button = page.getByRole('button', { name: 'Open menu' })
  await button.click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer.getByRole('link', { name: 'Back to Home' })).toBeVisible()
  await expectAccessible(page)
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Tab')
    // A guard at its end may have the focus for a moment, and passes it on.
    await expect.poll(() => drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(button).toBeFocused()
  await test.step('a notice leaves free what was pressed', async () => {
    await page.goto('/poster')
    const copy = page.getByRole('button', { name: 'Copy link' })
    await expect(copy).toBeEnabled()
    await copy.evaluate((button) => window.scrollTo(0, button.getBoundingClientRect().top - 20))
    // Without https there is no clipboard on some machines: either sentence is one.
    await copy.evaluate((button: HTMLElement) => {
      button.focus({ preventScroll: true })
      button.click()
    })
    const notices = page.getByRole('region', { name: 'Notifications' })
    await expect(notices.getByRole('group')).toBeVisible()
    const [box, pressed] = [await notices.boundingBox(), await copy.boundingBox()]
    expect(box?.y ?? 0).toBeGreaterThan((pressed?.y ?? 0) + (pressed?.height ?? 0))
  })
})

test('the bell counts registrations, clears in every tab, and leads to the newest', {
  tag: '@journey',
}, async ({ page, context }) => {
  await signIn(page)
  await page.goto('/admin?tab=students')
  await expect(page.getByRole('link', { name: 'Notifications: no new registrations' })).toBeVisible()
  await openStatistics(page)
  const other = await context.newPage()
  await other.goto('/admin')
  const names = [uniqueLastName(), uniqueLastName()]
  for (const lastName of names) await registerStudent(page, { lastName })
  const bells = [page, other].map((tab) =>
    tab.getByRole('link', { name: 'Notifications: 2 new registrations' }),
  )
  for (const bell of bells) await expect(bell).toHaveText('2')
  await expectAccessible(page)

  await page.bringToFront()
  await bells[0]?.click()
  await expect(page).toHaveURL(/\/admin\?tab=students$/)
  await expect(page.getByText(`${names[1]}, Juan Miguel Peña`).first()).toBeVisible()
  for (const tab of [page, other]) {
    await expect(tab.getByRole('link', { name: 'Notifications: no new registrations' })).toBeVisible()
  }

  // What arrives under the eyes of the coordinator isn't news.
  await registerStudent(page, { lastName: uniqueLastName() })
  await expect(other.getByRole('link', { name: 'Notifications: no new registrations' })).toBeVisible()
  await other.reload()
  await expect(other.getByRole('link', { name: 'Notifications: no new registrations' })).toBeVisible()
})

test('by keyboard: over the navigation, to the search of the page or that of the top bar, and on to the students; in forced colours', async ({
  page,
}) => {
  await signIn(page)
  const search = quickSearch(page)
  for (const path of ['/statistics', '/admin']) {
    await test.step(`the first stop of the Tab key on ${path}`, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.keyboard.press('Tab')
      await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('main')).toBeFocused()
    })
  }
  await test.step('the key / without a search of the page', async () => {
    await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
    await pressWhenReady(page, '/', search)
    await page.keyboard.type('a/b')
    await expect(search).toHaveValue('a/b')
    await search.fill('statistics')
    await page.keyboard.press('Enter')
    // The address changes before the screen with its own bar is there.
    await expect(page.getByRole('heading', { name: 'NSTP Statistics Dashboard' })).toBeVisible()
    await expect(page).toHaveURL(/\/statistics$/)
  })
  await test.step('what no screen has is searched among the students', async () => {
    await pressWhenReady(page, 'Control+k', search)
    await page.keyboard.type('nobody has this name')
    await expect(results(page)).toHaveText(['Search the students for “nobody has this name”'])
    await page.keyboard.press('Enter')
    await expect(page.getByText('No matching students found.')).toBeVisible()
  })
  await test.step('the key / on a list', async () => {
    await page.getByRole('heading', { level: 1 }).click()
    await pressWhenReady(page, '/', page.getByPlaceholder('Search by name or course'))
  })
  await test.step('in forced colours the current screen, the chosen button and the marked entry stand out', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto('/admin?tab=announcements')
    const background = (element: Locator) =>
      element.evaluate((shown) => getComputedStyle(shown).backgroundColor)
    const menu = page.getByRole('navigation', { name: 'Administration' })
    await expect(menu.getByRole('link', { name: 'Announcements' })).toHaveAttribute('aria-current', 'page')
    const marked = await background(menu.getByRole('link', { name: 'Announcements' }))
    expect(await background(menu.getByRole('link', { name: 'Statistics' }))).not.toBe(marked)
    expect(await background(page.getByRole('button', { name: 'All Announcements' }))).toBe(marked)
    expect(await background(page.getByRole('button', { name: 'Events' }))).not.toBe(marked)
    await page.getByRole('button', { name: /^User menu/ }).press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Profile Settings' })).toBeFocused()
    expect(await background(page.getByRole('menuitem', { name: 'Profile Settings' }))).toBe(marked)
    await expectAccessible(page)
  })
})

test('Ctrl K finds screens, settings, actions and students, by keyboard alone', { tag: '@journey' }, async ({
  page,
}) => {
  await signIn(page)
  const lastName = uniqueLastName()
  await registerStudent(page, { lastName })
  await page.goto('/admin')
  await expect(page.getByRole('region', { name: 'Recent Activity' })).toBeVisible()
  const search = quickSearch(page)
  const first = results(page).first()
  await pressWhenReady(page, 'Control+k', search)
  await expect(first).toHaveText('Dashboard')
  await expectAccessible(page)

  // Every word of a name, whatever the case; the first result is chosen by Enter.
  await page.keyboard.type(`juan ${lastName.toUpperCase()}`)
  await expect(first).toContainText(`${lastName}, Juan Miguel Peña`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByText(lastName).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  // What was opened last comes first.
  await pressWhenReady(page, 'Control+k', search)
  await expect(first).toContainText(`${lastName}, Juan Miguel Peña`)

  await search.fill('retention')
  await expect(first).toContainText('Retention')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Retention' })).toBeFocused()
  await expect(page).toHaveTitle(/^System Settings · /)

  await pressWhenReady(page, 'Control+k', search)
  await page.keyboard.type('new ann')
  await expect(first).toContainText('New announcement')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  // Under a dialog the key does nothing.
  await page.keyboard.press('Control+k')
  await expect(results(page)).toHaveCount(0)
})

test('the profile does not move while it is read, names who is signed in, and nothing gets the focus under the top bar', async ({
  page,
}) => {
  await signIn(page)
  const readShift = await countShifts(page)
  const gate: { open?: () => void } = {}
  const isOpen = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  await page.route('**/api/session/**', async (route) => {
    await isOpen
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/session/**')
  await page.goto('/admin?tab=profile-settings')
  await expect(page.getByRole('heading', { name: 'Profile Settings', level: 1 })).toBeVisible()
  await asked
  gate.open?.()
  await expect(page.getByText('This device')).toBeVisible()
  expect(await readShift()).toBeLessThan(0.05)
  await expect(page.getByRole('definition').filter({ hasText: adminEmail })).toBeVisible()
  const bar = (await page.getByRole('banner').boundingBox())?.height ?? 0
  await page.setViewportSize({ width: 1280, height: 400 })
  await page.getByRole('button', { name: 'Set up' }).focus()
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press('Shift+Tab')
    const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top)
    expect(top).toBeGreaterThan(bar)
  }
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await page.waitForURL(/\/admin$/)
})

test.describe('without a connection', () => {
  // The browser itself reports what it could not load.
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED/] })

  test('a link to another screen says so and keeps this one, and opens when the connection is back', {
    tag: '@journey',
  }, async ({ page, context }) => {
    await signIn(page)
    await page.goto('/admin?tab=students')
    const statistics = page
      .getByRole('navigation', { name: 'Administration' })
      .getByRole('link', { name: 'Statistics' })
    await expectReady(page)
    await context.setOffline(true)
    await statistics.click()
    await expect(page.getByText('That page needs a connection.')).toBeVisible()
    await expect(page).toHaveURL('/admin?tab=students')
    await context.setOffline(false)
    await statistics.click()
    await expect(page.getByText('All Time · All components')).toBeVisible()
  })
})
