import type { Page } from '@playwright/test'
import { expect, expectAccessible, holdRequests, test } from './journey.ts'
import { chartManager, openChart, type Position } from './org-chart-content.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const longName =
  'Maria Concepcion Immaculada de los Santos y Villanueva-Rodriguez Fernandez del Rosario Aquino'

const director: Position = {
  name: 'Dr. Maria Santos',
  title: 'NSTP Director',
  department: 'Administration',
  under: [
    {
      name: 'Ramon Cruz',
      title: 'ROTC Commandant',
      under: [{ name: 'Pedro Bautista', under: [{ name: 'Ana Lim' }] }],
    },
    { name: 'Angelica Reyes', title: 'CWTS Coordinator', department: 'Faculty', under: [{ name: longName }] },
    { name: 'Jose Peña', title: 'LTS Coordinator' },
  ],
}

const board: Position = { name: 'Carla Tan', title: 'Adviser' }

test.beforeEach(async ({ baseURL }) => {
  const manager = await chartManager(baseURL)
  await manager.setUp(director, board)
  await manager.close()
})

test('a visitor opens, closes and highlights positions', { tag: '@journey' }, async ({ page }) => {
  const { section, tree, item } = await openChart(page)
  await expect(tree.getByRole('treeitem')).toHaveCount(8)
  for (const level of ['Executive', 'Senior Management', 'Middle Management', 'Junior Management', 'Staff']) {
    await expect(section.getByRole('list', { name: 'Levels' })).toContainText(level)
  }
  await expect(item('Dr. Maria Santos, NSTP Director, Executive, Administration')).toBeVisible()

  await item('Ramon Cruz').getByRole('button', { name: 'Collapse' }).click()
  await expect(item('Pedro Bautista')).toHaveCount(0)
  await expect(item('Ramon Cruz')).toHaveAttribute('aria-expanded', 'false')
  await section.getByRole('button', { name: 'Collapse all' }).click()
  await expect(tree.getByRole('treeitem')).toHaveCount(2)
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Expand all' }).click()
  await expect(tree.getByRole('treeitem')).toHaveCount(8)

  await item('Jose Peña').click()
  await expect(item('Jose Peña')).toHaveAttribute('aria-selected', 'true')
  await item('Carla Tan').click()
  await expect(item('Jose Peña')).toHaveAttribute('aria-selected', 'false')
  await expectAccessible(page)
  await item('Carla Tan').click()
  await expect(tree.locator('[aria-selected="true"]')).toHaveCount(0)
})

test(
  'a phone begins with the list, a wide screen with the chart, its top in the middle',
  {
    tag: '@both',
  },
  async ({ page }, { project }) => {
    const isPhone = project.name === 'phone'
    const { section } = await openChart(page)
    const choice = (name: string, pressed: boolean) =>
      section.getByRole('button', { name, exact: true, pressed })
    await expect(choice(isPhone ? 'List' : 'Chart', true)).toBeVisible()
    await choice(isPhone ? 'Chart' : 'List', false).click()
    await expect(choice(isPhone ? 'Chart' : 'List', true)).toBeVisible()
    await expect(section.getByRole('treeitem')).toHaveCount(8)
    await expectAccessible(page)

    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await test.step(`motion: ${reducedMotion}`, async () => {
        await page.emulateMedia({ reducedMotion })
        await expectInSight(page)
      })
    }
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  },
)

/** Of a chart that is opened anew: what can be read of it, and what the keys lead to. */
async function expectInSight(page: Page) {
  const { section, tree } = await openChart(page)
  await section.getByRole('button', { name: 'Chart', exact: true }).click()
  await expect(section.getByRole('button', { name: 'Chart', exact: true, pressed: true })).toBeVisible()
  const [chart, frame, top] = await Promise.all([
    tree.boundingBox(),
    tree.locator('xpath=ancestor::*[@data-view]').boundingBox(),
    tree.locator('[data-node]').first().boundingBox(),
  ])
  if (!chart || !frame || !top) throw new Error('the chart is not in sight')
  const isWhole = chart.width <= frame.width
  expect(Math.abs(top.x + top.width / 2 - (frame.x + frame.width / 2))).toBeLessThan(
    isWhole ? chart.width / 2 : 4,
  )
  await tree.getByRole('treeitem').first().focus()
  for (const [key, name] of [
    ['End', /^Carla Tan/],
    ['Home', /^Dr. Maria Santos/],
  ] as const) {
    await page.keyboard.press(key)
    await expect(tree.getByRole('treeitem', { name })).toBeFocused()
    await expect(tree.getByRole('treeitem', { name })).toBeInViewport({ ratio: 0.9 })
  }
}

test('a wide chart is moved by keys, however little of it is open', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 500, height: 700 })
  const { section, tree } = await openChart(page)
  await section.getByRole('button', { name: 'Chart', exact: true }).click()
  const left = async () => (await tree.boundingBox())?.x ?? 0
  await tree.getByRole('treeitem').first().focus()
  const start = await left()
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(left).toBeLessThan(start)
  for (const key of ['End', 'Home']) {
    await page.keyboard.press(key)
    await expect(tree.locator('[data-node]:focus')).toBeInViewport({ ratio: 0.95 })
  }

  const manager = await chartManager(baseURL)
  await manager.setUp(director)
  await manager.close()
  await openChart(page)
  await section.getByRole('button', { name: 'Chart', exact: true }).click()
  await section.getByRole('button', { name: 'Collapse all' }).click()
  await tree.getByRole('button', { name: 'Expand Dr. Maria Santos' }).click()
  await expect(tree.getByRole('treeitem')).toHaveCount(4)
})

test('full screen shows the chart alone until Escape, without one the chart covers the window; what is pressed before the scripts is done', async ({
  page,
}) => {
  const { section, tree } = await openChart(page)
  const button = section.getByRole('button', { name: 'Full screen' })
  await button.click()
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await expect(section.getByRole('button', { name: 'Full screen', pressed: true })).toBeVisible()
  await page.evaluate(() => document.exitFullscreen())
  await expect(section.getByRole('button', { name: 'Full screen', pressed: false })).toBeVisible()
  await expect(tree.getByRole('treeitem')).toHaveCount(8)

  // As on an iPhone.
  await page.addInitScript(() => {
    Object.defineProperty(Element.prototype, 'requestFullscreen', { value: undefined })
  })
  await openChart(page)
  await button.click()
  const frame = section.locator('[data-full]')
  const size = page.viewportSize()
  await expect
    .poll(() => frame.boundingBox())
    .toEqual({ x: 0, y: 0, width: size?.width, height: size?.height })
  await expect(page.locator('header').first()).toHaveAttribute('inert')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(frame).toHaveCount(0)
  await expect(page.locator('header').first()).not.toHaveAttribute('inert')
  await expect(button).toBeFocused()
  await test.step('what is pressed before its scripts are there is done when they are', async () => {
    const arrive = await holdRequests(page, '**/assets/chart-section-*')
    const listening = page.waitForRequest(/\/api\/events$/)
    await page.goto('/organization')
    // By then the page itself has taken over.
    await listening
    await section.getByRole('button', { name: 'Collapse all' }).click()
    await expect(section.getByRole('tree')).toHaveCount(0)
    arrive()
    await expect(section.getByRole('treeitem')).toHaveCount(2)
    await expect(section.getByRole('button', { name: 'Collapse all' })).toBeFocused()
  })
})

test('a change appears at once and leaves what is open, highlighted and in sight', async ({
  page,
  baseURL,
}) => {
  const manager = await chartManager(baseURL)
  const listening = page.waitForRequest(/\/api\/events$/)
  // The chart is there too for who comes from another page.
  await page.goto('/privacy')
  await listening
  await page.getByRole('contentinfo').getByRole('link', { name: 'Organization' }).click()
  const tree = page.getByRole('region', { name: 'Organizational chart' }).getByRole('tree')
  const item = (name: string) => tree.getByRole('treeitem', { name })
  await expect(tree.getByRole('treeitem')).toHaveCount(8)
  await item('Ramon Cruz').getByRole('button', { name: 'Collapse' }).click()
  await item('Jose Peña').click()
  const before = await page.evaluate(() => window.scrollY)

  await manager.rename('Angelica Reyes', 'Angelica Reyes-Cruz')
  await expect(item('Angelica Reyes-Cruz')).toBeVisible({ timeout: 2_000 })
  await manager.addUnder('Carla Tan', { name: 'Dina Uy' })
  await expect(item('Carla Tan')).toHaveAttribute('aria-expanded', 'false', { timeout: 2_000 })
  await expect(item('Jose Peña')).toHaveAttribute('aria-selected', 'true')
  await expect(item('Ramon Cruz')).toHaveAttribute('aria-expanded', 'false')
  await expect(item('Pedro Bautista')).toHaveCount(0)
  expect(await page.evaluate(() => window.scrollY)).toBe(before)

  await manager.setUp()
  await expect(page.getByText('No organizational chart data available')).toBeVisible({ timeout: 2_000 })
  await expect(tree).toHaveCount(0)
  await expectAccessible(page)
  await manager.close()
})
