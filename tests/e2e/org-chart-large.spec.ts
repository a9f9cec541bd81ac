import { expect, expectAccessible, test } from './journey.ts'
import { chartDesk, openChart, type Position } from './org-chart-content.ts'

/** 1 + 7 + 49 + 443 positions. */
function fiveHundred(): Position {
  const members = Array.from({ length: 443 }, (_, index) => ({
    name: `Member ${index + 1}`,
    title: 'Officer',
  }))
  const directors = Array.from({ length: 49 }, (_, index) => ({
    name: `Director ${index + 1}`,
    under: members.filter((_, member) => member % 49 === index),
  }))
  const chiefs = Array.from({ length: 7 }, (_, index) => ({
    name: `Chief ${index + 1}`,
    under: directors.slice(index * 7, index * 7 + 7),
  }))
  return { name: 'President', title: 'President', under: chiefs }
}

test.describe('a chart of 500 positions', () => {
  // The browser itself tells of the request that is cut.
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('shows its top at first, reads the rest when it is near, and opens as a whole', async ({
    page,
    baseURL,
  }) => {
    // Most of the time goes into adding and removing them one by one.
    test.slow()
    const desk = await chartDesk(baseURL)
    await desk.setUp(fiveHundred())

    await page.route('**/api/org-chart', (route) => route.abort())
    const { section, tree, item } = await openChart(page)
    await expect(tree.getByRole('treeitem')).toHaveCount(8)
    await expect(section.getByRole('alert')).toContainText('Failed to load organizational chart: ')
    await expectAccessible(page)
    await page.unroute('**/api/org-chart')
    await section.getByRole('button', { name: 'Retry' }).click()
    await expect(section.getByRole('alert')).toHaveCount(0)

    await section.getByRole('button', { name: 'Expand all' }).click()
    await expect(tree.getByRole('treeitem')).toHaveCount(500)
    await item('Member 443').focus()
    await expect(item('Member 443')).toBeInViewport()

    await desk.rename('Member 443', 'Member of honour')
    await expect(item('Member of honour')).toBeFocused({ timeout: 3_000 })
    await section.getByRole('button', { name: 'Collapse all' }).click()
    await expect(tree.getByRole('treeitem')).toHaveCount(1)
    await desk.setUp()
    await desk.close()
  })
})
